#include "omnium/sport/match.hpp"
#include "omnium/sport/plugin.hpp"

#include <algorithm>
#include <chrono>

namespace omnium::sdk {
namespace {

constexpr rules umpire_rules{.length_max = 500, .note = "Why the officials let stand what the rules would refuse."};
constexpr rules no_rules{};

bool read_umpire(void* record, const value& from, reader& in) {
  return read_string(from, *static_cast<std::string*>(record), umpire_rules, in);
}
bool read_life(void* record, const value& from, reader& in) {
  return codec<match_life>::read(from, *static_cast<match_life*>(record), no_rules, in);
}

bool digits(std::string_view text, std::size_t from, std::size_t count, int& out) {
  if (from + count > text.size()) return false;
  out = 0;
  for (const char c : text.substr(from, count)) {
    if (c < '0' || c > '9') return false;
    out = out * 10 + (c - '0');
  }
  return true;
}

// "Z", "+05:30" or "-03:00" in minutes east of UTC.
bool zone(std::string_view text, int& minutes) {
  minutes = 0;
  if (text == "Z" || text == "z") return true;
  int hour = 0, minute = 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
  if (!digits(text, 1, 2, hour) || !digits(text, 4, 2, minute)) return false;
  minutes = (hour * 60 + minute) * (text[0] == '-' ? -1 : 1);
  return true;
}

} // namespace

const member_entry umpire_member{"umpire", &umpire_rules, false, &read_umpire, nullptr, nullptr, [](std::string& out) {
                                   schema_of_string(out, umpire_rules);
                                 }};
const member_entry life_member{"match", &no_rules, true, &read_life, nullptr, nullptr, nullptr};

std::int64_t event::at_ms() const {
  using namespace std::chrono;
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0, offset = 0;
  if (at.size() < 20 || !digits(at, 0, 4, y) || !digits(at, 5, 2, mo) || !digits(at, 8, 2, d) ||
      !digits(at, 11, 2, h) || !digits(at, 14, 2, mi) || !digits(at, 17, 2, s))
    return 0;
  std::size_t next = 19;
  int ms = 0, unit = 100;
  if (at[next] == '.')
    for (++next; next < at.size() && at[next] >= '0' && at[next] <= '9'; ++next, unit /= 10)
      ms += (at[next] - '0') * unit;
  const year_month_day date{year{y}, month{static_cast<unsigned>(mo)}, day{static_cast<unsigned>(d)}};
  if (!date.ok() || !zone(at.substr(next), offset)) return 0;
  const auto days = sys_days{date}.time_since_epoch().count();
  return ((days * 24ll + h) * 60 + mi - offset) * 60'000 + s * 1000 + ms;
}

verdict default_not_live(const match_life& match) {
  if (match.status == status::scheduled) return refuse("not_started", "The match has not started.");
  if (match.status == status::ended) return refuse("match_ended", "The match has ended.");
  return refuse("play_stopped", "Play is stopped" + (match.suspended ? ": " + *match.suspended : std::string()) + ".");
}

std::string list_line(const match_life& match, std::string figures, std::string_view where,
                      std::optional<side> winner) {
  if (match.status == status::scheduled && !winner) return "not started";
  std::string how{where};
  if (match.suspended) how = "stopped";
  if (match.ended && match.ended->reason != end_reason::completed) {
    how = name_of(match.ended->reason);
    std::replace(how.begin(), how.end(), '_', ' ');
  }
  if (match.unplayed.value_or(false)) figures = how;
  else if (!how.empty()) (figures += " (") += how + ")";
  if (winner) (figures += ", ") += std::string(name_of(*winner)) + " won";
  return figures;
}

std::optional<match_result> result_of(const match_life& match, std::optional<match_result> own) {
  if (!match.ended) return own;
  const auto& said = match.ended->winner;
  if (own && (!said || said == own->winner)) return own;
  return match_result{said, std::string(name_of(match.ended->reason))};
}

verdict may_live(const match_life& match, status wanted, const match_end* end) {
  if (match.status == status::ended) return default_not_live(match);
  if (wanted == status::live)
    return match.live() ? refuse("already_started", "The match has started already.") : accept();
  // A match that was never played can still be abandoned, forfeited or awarded; it cannot be completed.
  if (match.status == status::scheduled && end->reason == end_reason::completed) return default_not_live(match);
  return accept();
}

void write_head(const match_life& match, const headline& head, std::string& out) {
  ((out += R"({"status":")") += name_of(match.status)) += R"(","period":)";
  append_string(out, head.period);
  append_integer(out += R"(,"score":{"home":)", head.score.home);
  append_integer(out += R"(,"away":)", head.score.away);
  append_string(out += R"(},"line":)", head.line);
  if (match.suspended) append_string(out += R"(,"suspended":)", *match.suspended);
  if (match.ended) codec<match_end>::write(*match.ended, out += R"(,"outcome":)");
}

} // namespace omnium::sdk
