#include "runtime/road/games.hpp"

#include "runtime/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <simdjson.h>

namespace omnium::road {
namespace {

using simdjson::dom::object;
using change = std::variant<games_change, reason>;

constexpr std::size_t name_bytes_max = 200;
constexpr std::size_t settings_bytes_max = 8 * 1024;

reason bad_input(std::string_view at, std::string_view wants) {
  return {"bad_input", fmt::format("\"{}\" {}.", at.substr(at.rfind('/') + 1), wants), fmt::format("/input/{}", at)};
}

std::optional<reason> only_members(const object& in, std::string_view at,
                                   std::initializer_list<std::string_view> known) {
  for (auto [name, value] : in)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return bad_input(fmt::format("{}{}", at, name), "is not a member of this input");
  return std::nullopt;
}

// Reads members of an input object and keeps the first fault, so that a command reads as a list of what it needs.
class reader {
public:
  reader(object in, std::string at = {}) : in_(in), at_(std::move(at)) {}
  bool has(std::string_view name) const { return !in_[name].error(); }
  std::string text(std::string_view name, std::size_t bytes_max = name_bytes_max) {
    std::string_view value;
    if (in_[name].get(value) || value.empty() || value.size() > bytes_max)
      fail(name, fmt::format("must be a text of 1 to {} bytes", bytes_max));
    return std::string(value);
  }
  uuid id(std::string_view name) {
    std::string_view value;
    if (!in_[name].get(value))
      if (auto parsed = parse_uuid(value)) return *parsed;
    fail(name, "must be a UUID");
    return {};
  }
  std::string one_of(std::string_view name, std::initializer_list<std::string_view> values) {
    std::string_view value;
    if (in_[name].get(value) || std::find(values.begin(), values.end(), value) == values.end())
      fail(name, fmt::format("must be one of: {}", fmt::join(values, ", ")));
    return std::string(value);
  }
  std::string raw_object(std::string_view name) {
    object value;
    if (in_[name].get(value)) {
      fail(name, "must be an object");
      return "{}";
    }
    auto out = simdjson::minify(value);
    if (out.size() > settings_bytes_max) fail(name, fmt::format("must not be over {} bytes", settings_bytes_max));
    return out;
  }
  object child(std::string_view name) {
    object value;
    if (in_[name].get(value)) fail(name, "must be an object");
    return value;
  }
  void members(std::initializer_list<std::string_view> known) {
    if (!why_) why_ = only_members(in_, at_, known);
  }
  void fail(std::string_view name, std::string_view wants) {
    if (!why_) why_ = bad_input(at_ + std::string(name), wants);
  }
  const std::optional<reason>& why() const { return why_; }

private:
  object in_;
  std::string at_;
  std::optional<reason> why_;
};

// A JSON object written member by member.
class writer {
public:
  writer& add(std::string_view name, std::string_view raw) {
    out_ += out_.size() > 1 ? "," : "";
    json::append_string(out_, name);
    out_ += ':';
    out_ += raw;
    return *this;
  }
  writer& text(std::string_view name, std::string_view value) { return add(name, json::quoted(value)); }
  std::string done() { return out_ + "}"; }

private:
  std::string out_ = "{";
};

bool looks_like_a_time(std::string_view text) {
  // Postgres reads it for good; here only its shape is asked: 2026-10-05T14:03… with an offset or Z.
  return text.size() >= 17 && text.size() <= 40 && text[4] == '-' && text[7] == '-' &&
         (text[10] == 'T' || text[10] == 't') &&
         (text.back() == 'Z' || text.back() == 'z' || text.find_first_of("+-", 11) != std::string_view::npos);
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
  return games_change{{row_effect::kind::create_competition, out.done()}};
}

change add_participant(object input) {
  reader in(input);
  in.members({"id", "name", "type"});
  writer out;
  out.text("id", to_string(in.id("id")))
      .text("name", in.text("name"))
      .text("type", in.one_of("type", {"team", "person"}));
  if (in.why()) return *in.why();
  return games_change{{row_effect::kind::create_participant, out.done()}};
}

std::variant<std::string, reason> side_json(object side, std::string_view name, const uuid& fixture) {
  reader in(side, std::string(name) + "/");
  in.members({"name", "participant", "short", "colour"});
  writer out;
  out.text("id", to_string(make_uuid5(fixture, name))).text("name", in.text("name"));
  if (in.has("participant")) out.text("participant", to_string(in.id("participant")));
  if (in.has("short")) out.text("short", in.text("short", 20));
  if (in.has("colour")) out.text("colour", in.text("colour", 30));
  if (in.why()) return *in.why();
  return out.done();
}

change create_fixture(object input, const command& cmd, const rule_book& rules) {
  reader in(input);
  in.members({"id", "sport", "home", "away", "starts_at", "settings", "release"});
  auto id = in.id("id");
  auto sport = in.text("sport", 50);
  auto home_in = in.child("home"), away_in = in.child("away");
  std::string starts_at = in.has("starts_at") ? in.text("starts_at", 40) : std::string{};
  if (!starts_at.empty() && !looks_like_a_time(starts_at))
    in.fail("starts_at", "must be an RFC 3339 time with an offset");
  auto settings = in.has("settings") ? in.raw_object("settings") : std::string("{}");
  auto wanted = in.has("release") ? in.text("release", 50) : std::string{};
  if (in.why()) return *in.why();
  auto home = side_json(home_in, "home", id), away = side_json(away_in, "away", id);
  if (auto* why = std::get_if<reason>(&home)) return *why;
  if (auto* why = std::get_if<reason>(&away)) return *why;
  auto release = wanted.empty() ? rules.default_release(sport, cmd.subject.ref) : rules.find(sport, wanted);
  if (!release && wanted.empty())
    return reason{"unknown_sport", fmt::format("No sport \"{}\" is installed.", sport), "/input/sport"};
  if (!release)
    return reason{"unknown_release", fmt::format("No release {} of {} is installed.", wanted, sport), "/input/release"};
  writer out;
  out.text("id", to_string(id))
      .text("sport", sport)
      .text("release", release->version)
      .text("code_sha", release->code_sha);
  if (!starts_at.empty()) out.text("starts_at", starts_at);
  out.add("settings", settings).add("home", std::get<std::string>(home)).add("away", std::get<std::string>(away));
  return games_change{{row_effect::kind::create_fixture, out.done()}};
}

change edit_competitor(object input, const head& now, std::int64_t next_seq) {
  reader in(input);
  in.members({"row", "name", "short", "colour"});
  auto row = in.id("row");
  writer out;
  out.text("row", to_string(row));
  for (auto member : {"name", "short", "colour"})
    if (in.has(member)) out.text(member, in.text(member));
  if (in.why()) return *in.why();
  auto known = std::any_of(now.rows.begin(), now.rows.end(), [&](const auto& r) { return r.id == row; });
  if (!known) return reason{"unknown_row", "This match has no such competitor row.", "/input/row"};
  out.add("changed_seq", std::to_string(next_seq));
  return games_change{{row_effect::kind::edit_competitor, out.done()}};
}

} // namespace

bool is_games_command(std::string_view code, subject_kind kind) {
  if (kind == subject_kind::fixture) return code == "games.edit_competitor";
  return code == "games.create_competition" || code == "games.add_participant" || code == "games.create_fixture";
}

std::variant<games_change, reason> decide_games(const command& cmd, const head& now, std::int64_t next_seq,
                                                const rule_book& rules) {
  thread_local simdjson::dom::parser parser;
  object input;
  if (parser.parse(cmd.input).get(input)) return reason{"bad_input", "The input must be an object.", "/input"};
  if (cmd.code == "games.create_competition") return create_competition(input, now);
  if (cmd.code == "games.add_participant") return add_participant(input);
  if (cmd.code == "games.create_fixture") return create_fixture(input, cmd, rules);
  return edit_competitor(input, now, next_seq);
}

std::string games_workflow_json() {
  static constexpr std::string_view text = R"([{"workflow":"games","commands":[
{"code":"games.create_competition","label":"Create competition","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"sport":{"type":"string","minLength":1,"maxLength":50},"settings":{"type":"object"}}}},
{"code":"games.add_participant","label":"Add participant","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["id","name","type"],"properties":{"id":{"type":"string","format":"uuid"},"name":{"type":"string","minLength":1,"maxLength":200},"type":{"enum":["team","person"]}}}},
{"code":"games.create_fixture","label":"Create match","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["id","sport","home","away"],"properties":{"id":{"type":"string","format":"uuid"},"sport":{"type":"string","minLength":1,"maxLength":50},"home":{"$ref":"#/$defs/side"},"away":{"$ref":"#/$defs/side"},"starts_at":{"type":"string","format":"date-time"},"settings":{"type":"object"},"release":{"type":"string","minLength":1,"maxLength":50}},"$defs":{"side":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"participant":{"type":"string","format":"uuid"},"short":{"type":"string","minLength":1,"maxLength":20},"colour":{"type":"string","minLength":1,"maxLength":30}}}}}},
{"code":"games.edit_competitor","label":"Edit competitor","kind":"fixture","play":false,"schema":{"type":"object","additionalProperties":false,"required":["row"],"properties":{"row":{"type":"string","format":"uuid"},"name":{"type":"string","minLength":1,"maxLength":200},"short":{"type":"string","minLength":1,"maxLength":200},"colour":{"type":"string","minLength":1,"maxLength":200}}}}]}])";
  std::string out(text);
  std::erase(out, '\n');
  return out;
}

} // namespace omnium::road
