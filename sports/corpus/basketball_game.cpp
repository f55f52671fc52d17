#include "sports/corpus/basketball_game.hpp"

#include "sports/corpus/csv.hpp"

namespace omnium::corpus::basketball {

namespace {

const char* name_of(int side) { return side == 0 ? "home" : "away"; }

clock_time made_clock(std::int64_t minutes, std::int64_t tenths) {
  clock_time made;
  const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  made.text = two(minutes) + ':' + two(tenths / 10);
  if (tenths % 10 != 0) made.text += '.' + std::to_string(tenths % 10);
  made.tenths = static_cast<int>(minutes * 600 + tenths);
  return made;
}

// "8.5" or "08" or "39.00" in tenths.
std::optional<std::int64_t> tenths_of(std::string_view seconds) {
  const std::size_t dot = seconds.find('.');
  const auto whole = to_integer(seconds.substr(0, dot));
  if (!whole || *whole < 0 || *whole > 59) return std::nullopt;
  if (dot == std::string_view::npos || dot + 1 >= seconds.size()) return *whole * 10;
  const char digit = seconds[dot + 1];
  return digit < '0' || digit > '9' ? std::nullopt : std::optional{*whole * 10 + (digit - '0')};
}

} // namespace

clock_time parse_clock(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 2) return {};
  const auto minutes = to_integer(parts[0]);
  const auto tenths = tenths_of(parts[1]);
  return minutes && tenths && *minutes >= 0 && *minutes < 100 ? made_clock(*minutes, *tenths) : clock_time{};
}

clock_time parse_iso_clock(std::string_view iso) {
  if (iso.size() < 5 || iso.substr(0, 2) != "PT" || iso.back() != 'S') return {};
  iso = iso.substr(2, iso.size() - 3);
  const auto parts = split(iso, 'M');
  if (parts.size() != 2) return {};
  const auto minutes = to_integer(parts[0]);
  const auto tenths = tenths_of(parts[1]);
  return minutes && tenths && *minutes >= 0 && *minutes < 100 ? made_clock(*minutes, *tenths) : clock_time{};
}

std::string game_writer::period_name(int number) const {
  return number > periods_ ? "OT" + std::to_string(number - periods_) : 'Q' + std::to_string(number);
}

void game_writer::at(std::string id, int period, clock_time clock) {
  id_ = std::move(id);
  row_period_ = period;
  clock_ = std::move(clock);
}

json_object game_writer::base(int side) const {
  json_object input;
  input.text("side", name_of(side)).text_if("clock", clock_.text);
  return input;
}

recorded_command& game_writer::add(const char* code, std::string_view what, json_object input, bool play) {
  recorded_command& made = into_.add(code, id_ + ':' + std::string{what}, input, play);
  if (clock_.tenths && row_period_ > 0) {
    const double length = row_period_ > periods_ ? 300 : period_seconds_;
    const double before = row_period_ > periods_ ? periods_ * period_seconds_ + (row_period_ - periods_ - 1) * 300.0
                                                 : (row_period_ - 1.0) * period_seconds_;
    made.offset_s = before + length - *clock_.tenths / 10.0;
  }
  return made;
}

void game_writer::start_period() {
  period_ = row_period_;
  running_ = true;
  add("basketball.period", "start", json_object{}.text("action", "start").text("period", period_name(period_)));
}

void game_writer::end_period() {
  if (!running_) return;
  running_ = false;
  add("basketball.period", "end", json_object{}.text("action", "end").text("period", period_name(period_)));
}

void game_writer::made(int side, int points, const std::string& player, const std::string& assist,
                       const std::string& kind) {
  score_[static_cast<std::size_t>(side)] += points;
  add("basketball.score", "score",
      base(side).number("points", points).text_if("player", player).text_if("assist", assist).text_if("kind", kind));
}

void game_writer::missed(int side, int points, const std::string& player, const std::string& kind) {
  add("basketball.miss", "miss", base(side).number("points", points).text_if("player", player).text_if("kind", kind),
      false);
}

void game_writer::free_throw(int side, bool made, int points, const std::string& player, int number, int of) {
  if (made) score_[static_cast<std::size_t>(side)] += points;
  json_object input = base(side);
  input.flag("made", made).text_if("player", player);
  if (points != 1) input.number("points", points);
  if (number > 0 && of >= number) input.number("number", number).number("of", of);
  add("basketball.free_throw", "free_throw", input);
}

void game_writer::foul(int side, const std::string& kind, const std::string& player, const std::string& drawn_by) {
  add("basketball.foul", "foul", base(side).text("kind", kind).text_if("player", player).text_if("drawn_by", drawn_by));
}

void game_writer::timeout(int side) { add("basketball.timeout", "timeout", base(side)); }

void game_writer::substitution(int side, const std::string& off, const std::string& on) {
  if (off.empty() || on.empty() || off == on) {
    into_.note("Row " + id_ + ": a substitution without two players is left out.");
    return;
  }
  add("basketball.substitution", "sub", base(side).text("off", off).text("on", on));
}

void game_writer::leaves(int side, const std::string& player) {
  leaving_[static_cast<std::size_t>(side)].push_back(player);
  pair_up(side);
}
void game_writer::enters(int side, const std::string& player) {
  entering_[static_cast<std::size_t>(side)].push_back(player);
  pair_up(side);
}

void game_writer::pair_up(int side) {
  auto& leaving = leaving_[static_cast<std::size_t>(side)];
  auto& entering = entering_[static_cast<std::size_t>(side)];
  if (leaving.empty() || entering.empty()) return;
  substitution(side, leaving.front(), entering.front());
  leaving.pop_front();
  entering.pop_front();
}

void game_writer::counted(const char* what, int side, const std::string& player, const std::string& kind) {
  const std::string code = std::string{"basketball."} + what;
  add(code.c_str(), what, base(side).text_if("player", player).text_if("kind", kind), false);
}

void game_writer::arrow(int side) { add("basketball.possession", "arrow", json_object{}.text("to", name_of(side))); }

void game_writer::says(int home, int away) {
  if (score_[0] == home && score_[1] == away) {
    differs_ = false;
    return;
  }
  if (differs_) return;
  differs_ = true;
  into_.note("Row " + id_ + ": the file's score is " + std::to_string(home) + '-' + std::to_string(away) +
             ", the baskets add up to " + std::to_string(score_[0]) + '-' + std::to_string(score_[1]) + '.');
}

void game_writer::finish(bool decided) {
  for (const int side : {0, 1})
    if (!leaving_[static_cast<std::size_t>(side)].empty() || !entering_[static_cast<std::size_t>(side)].empty())
      into_.note(std::string{"A substitution of the "} + name_of(side) + " side has only one of its two players.");
  if (!decided) return into_.stops_early();
  end_period();
  into_.add("match.end", "end", json_object{}.text("reason", "completed"));
}

} // namespace omnium::corpus::basketball
