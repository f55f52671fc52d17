#include "runtime/road/games.hpp"

#include "runtime/road/input_reader.hpp"
#include "runtime/road/rebuild.hpp"
#include "runtime/road/release_commands.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <simdjson.h>

namespace omnium::road {
namespace {

using reader = input_reader;
using writer = object_writer;
using change = std::variant<games_change, reason>;

// Postgres reads it for good; here its shape is asked, 2026-10-05T14:03… with an offset or Z, and whether there is such
// a day and minute.
bool looks_like_a_time(std::string_view text) {
  if (text.size() < 17 || text.size() > 40 || text[4] != '-' || text[7] != '-' || (text[10] | 0x20) != 't' ||
      text[13] != ':')
    return false;
  auto number = [&](std::size_t at, std::size_t size) {
    unsigned out = 0;
    auto [end, error] = std::from_chars(text.data() + at, text.data() + at + size, out);
    return error == std::errc() && end == text.data() + at + size ? static_cast<int>(out) : -1;
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  const int hour = number(11, 2), minute = number(14, 2);
  if (number(0, 4) < 1 || !day.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
  std::chrono::minutes offset{0};
  if ((text.back() | 0x20) != 'z') {
    const auto sign = text.find_first_of("+-", 11);
    if (sign == std::string_view::npos || sign + 3 > text.size()) return false;
    const bool colon = sign + 6 <= text.size();
    offset = std::chrono::hours(number(sign + 1, 2)) + std::chrono::minutes(colon ? number(sign + 4, 2) : 0);
    if (text[sign] == '-') offset = -offset;
  }
  // In UTC, too, it must have a year that can be written, also when its fraction is rounded up.
  const auto utc = std::chrono::sys_days{day} + std::chrono::hours(hour) + std::chrono::minutes(minute) - offset;
  using namespace std::chrono_literals;
  return utc >= std::chrono::sys_days{1y / 1 / 1} && utc < std::chrono::sys_days{9999y / 12 / 31} + 23h + 59min;
}

change create_competition(object input, const head& now) {
  reader in(input);
  in.members({"name", "sport", "settings"});
  writer out;
  out.text("name", in.text("name"));
  if (in.has("sport")) out.text("sport", in.text("sport", 50));
  out.add("settings", in.has("settings") ? in.raw_object("settings") : "{}");
  if (in.why()) return *in.why();
  if (now.exists) return reason{"already_exists", "This competition exists already.", "/subject"};
  return games_change{{row_effect::kind::create_competition, out.done()}, {}};
}

change add_participant(object input) {
  reader in(input);
  in.members({"id", "name", "type"});
  writer out;
  out.text("id", to_string(in.id("id")))
      .text("name", in.text("name"))
      .text("type", in.one_of("type", {"team", "person"}));
  if (in.why()) return *in.why();
  return games_change{{row_effect::kind::create_participant, out.done()}, {}};
}

// The competition's settings under the match's own: those that the release knows and the match says nothing of.
std::string with_inherited(const std::string& own, const std::string& competition,
                           const std::vector<std::string>& known) {
  simdjson::dom::parser of_own, of_competition;
  object mine, theirs;
  if (of_own.parse(own).get(mine) || of_competition.parse(competition).get(theirs)) return own;
  writer out;
  for (auto [name, value] : mine) out.add(name, simdjson::minify(value));
  for (auto [name, value] : theirs)
    if (mine[name].error() && std::find(known.begin(), known.end(), name) != known.end())
      out.add(name, simdjson::minify(value));
  return out.done();
}

std::variant<std::string, reason> side_json(object side, std::string_view name, const uuid& fixture) {
  reader in(side, std::string(name) + "/");
  in.members({"name", "participant", "short", "colour"});
  writer out;
  out.text("id", to_string(make_uuid5(fixture, name))).text("name", in.text("name"));
  if (in.has("participant")) out.text("participant", to_string(in.id("participant")));
  if (in.has("short")) out.text("short", in.text("short", short_chars_max));
  if (in.has("colour")) out.text("colour", in.text("colour", colour_chars_max));
  if (in.why()) return *in.why();
  return out.done();
}

change create_fixture(object input, const command& cmd, const head& now, const rule_book& rules) {
  reader in(input);
  in.members({"id", "sport", "home", "away", "starts_at", "settings", "release"});
  auto id = in.id("id");
  auto sport = in.text("sport", 50);
  auto home_in = in.child("home"), away_in = in.child("away");
  std::string starts_at = in.has("starts_at") ? in.text("starts_at", 40) : std::string{};
  if (!starts_at.empty() && !looks_like_a_time(starts_at))
    in.fail("starts_at", "must be an RFC 3339 time with an offset, in UTC of a year from 1 to 9999");
  auto settings = in.has("settings") ? in.raw_object("settings") : std::string("{}");
  auto wanted = in.has("release") ? in.text("release", 50) : std::string{};
  if (in.why()) return *in.why();
  if (!home_in["participant"].error() && !away_in["participant"].error() &&
      simdjson::minify(home_in["participant"].value()) == simdjson::minify(away_in["participant"].value()))
    return reason{"same_participant", "A match is between two; this is one participant on both sides.",
                  "/input/away/participant"};
  auto home = side_json(home_in, "home", id), away = side_json(away_in, "away", id);
  if (auto* why = std::get_if<reason>(&home)) return *why;
  if (auto* why = std::get_if<reason>(&away)) return *why;
  auto release = wanted.empty() ? rules.default_release(sport, cmd.subject.ref) : rules.find(sport, wanted);
  if (!release && wanted.empty())
    return reason{"unknown_sport", fmt::format("No sport \"{}\" is installed.", sport), "/input/sport"};
  if (!release)
    return reason{"unknown_release", fmt::format("No release {} of {} is installed.", wanted, sport), "/input/release"};
  settings = with_inherited(settings, now.settings, rules.setting_names(sport, release->version));
  writer out;
  out.text("id", to_string(id))
      .text("sport", sport)
      .text("release", release->version)
      .text("code_sha", release->code_sha)
      .add("pinned", wanted.empty() ? "false" : "true");
  if (!starts_at.empty()) out.text("starts_at", starts_at);
  out.add("settings", settings).add("home", std::get<std::string>(home)).add("away", std::get<std::string>(away));
  return games_change{{row_effect::kind::create_fixture, out.done()},
                      games_change::opening{std::move(sport), release->version, std::move(settings)}};
}

change edit_competitor(object input, const head& now, std::int64_t next_seq) {
  reader in(input);
  in.members({"row", "name", "short", "colour"});
  auto row = in.id("row");
  writer out;
  out.text("row", to_string(row));
  bool names_something = false;
  constexpr std::pair<const char*, std::size_t> members[] = {
      {"name", name_chars_max}, {"short", short_chars_max}, {"colour", colour_chars_max}};
  for (auto [member, chars_max] : members)
    if (in.has(member)) {
      out.text(member, in.text(member, chars_max));
      names_something = true;
    }
  if (in.why()) return *in.why();
  if (!names_something)
    return reason{"bad_input", "It changes nothing: give a name, a short name or a colour.", "/input"};
  auto known = std::any_of(now.rows.begin(), now.rows.end(), [&](const auto& r) { return r.id == row; });
  if (!known) return reason{"unknown_row", "This match has no such competitor row.", "/input/row"};
  out.add("changed_seq", std::to_string(next_seq));
  return games_change{{row_effect::kind::edit_competitor, out.done()}, {}};
}

} // namespace

bool is_games_command(std::string_view code, subject_kind kind) {
  if (is_release_command(code, kind)) return true;
  if (kind == subject_kind::fixture) return code == "games.edit_competitor" || is_rebuild(code);
  return code == "games.create_competition" || code == "games.add_participant" || code == "games.create_fixture";
}

std::variant<games_change, reason> decide_games(const command& cmd, const head& now, std::int64_t next_seq,
                                                const rule_book& rules) {
  thread_local simdjson::dom::parser parser;
  object input;
  if (parser.parse(cmd.input).get(input))
    return reason{"bad_input", "The input holds a number that is too large.", "/input"};
  if (is_release_command(cmd.code, cmd.subject.kind)) return decide_release(cmd, input, rules);
  if (cmd.subject.ref == operations_subject)
    return reason{"wrong_subject", "This subject is the operators'; it holds no matches.", "/subject"};
  if (cmd.code == "games.create_competition") return create_competition(input, now);
  if (cmd.code == "games.add_participant") return add_participant(input);
  if (cmd.code == "games.create_fixture") return create_fixture(input, cmd, now, rules);
  return edit_competitor(input, now, next_seq);
}

std::string games_workflow_json() {
  static constexpr std::string_view text = R"([{"workflow":"games","commands":[
{"code":"games.create_competition","label":"Create competition","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"sport":{"type":"string","minLength":1,"maxLength":50},"settings":{"type":"object"}}}},
{"code":"games.add_participant","label":"Add participant","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["id","name","type"],"properties":{"id":{"type":"string","format":"uuid"},"name":{"type":"string","minLength":1,"maxLength":200},"type":{"enum":["team","person"]}}}},
{"code":"games.create_fixture","label":"Create match","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["id","sport","home","away"],"properties":{"id":{"type":"string","format":"uuid"},"sport":{"type":"string","minLength":1,"maxLength":50},"home":{"$ref":"#/$defs/side"},"away":{"$ref":"#/$defs/side"},"starts_at":{"type":"string","format":"date-time"},"settings":{"type":"object"},"release":{"type":"string","minLength":1,"maxLength":50}},"$defs":{"side":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"participant":{"type":"string","format":"uuid"},"short":{"type":"string","minLength":1,"maxLength":20},"colour":{"type":"string","minLength":1,"maxLength":30}}}}}},
{"code":"games.edit_competitor","label":"Edit competitor","kind":"fixture","play":false,"schema":{"type":"object","additionalProperties":false,"required":["row"],"minProperties":2,"properties":{"row":{"type":"string","format":"uuid"},"name":{"type":"string","minLength":1,"maxLength":200},"short":{"type":"string","minLength":1,"maxLength":20},"colour":{"type":"string","minLength":1,"maxLength":30}}}}]}])";
  std::string out(text);
  out.insert(out.size() - 1, release_workflows);
  std::erase(out, '\n');
  return out;
}

} // namespace omnium::road
