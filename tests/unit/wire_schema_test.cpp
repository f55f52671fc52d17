// What the server really says fits the shapes that clients are typed from. Source: contract,
// schema/json/wire.schema.json.
#include "runtime/core/simdjson_compat.hpp"
#include "runtime/wire/live_protocol.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

#include <fstream>
#include <set>
#include <sstream>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
namespace dom = simdjson::dom;

namespace {

std::string read_text(const std::string& name) {
  std::stringstream out;
  out << std::ifstream(std::string(OMNIUM_SOURCE_DIR) + "/" + name).rdbuf();
  return out.str();
}

// The part of JSON Schema that our files use. A keyword it does not know is a fault, so that none is passed over.
class schema {
public:
  explicit schema(const std::string& text) : text_(text), root_(parser_.parse(text_)) {}

  // Empty, or where and why `json` does not fit the definition.
  std::string check(const std::string& definition, const std::string& json) {
    dom::parser parser;
    simdjson::padded_string padded(json);
    dom::element value;
    if (parser.parse(padded).get(value) != simdjson::SUCCESS) return "no JSON: " + json;
    return fits(value, root_["definitions"][definition].value(), "");
  }

private:
  using element = dom::element;

  static bool is_type(element value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }

  static bool same(element a, element b) { return simdjson::minify(a) == simdjson::minify(b); }

  std::string fits(element value, element rule, const std::string& at) {
    if (!rule.is_object()) return {};
    for (auto [keyword, given] : dom::object(rule)) {
      auto fault = keyword_fits(value, keyword, given, rule, at);
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string keyword_fits(element value, std::string_view keyword, element given, element rule,
                           const std::string& at) {
    auto fault = [&](const std::string& why) { return at + ": " + why + " " + simdjson::minify(value); };
    if (keyword == "description" || keyword == "required" || keyword == "additionalProperties")
      return {}; // with properties
    if (keyword == "$ref") {
      auto name = std::string(std::string_view(given)).substr(std::string_view("#/definitions/").size());
      return fits(value, root_["definitions"][name].value(), at);
    }
    if (keyword == "const") return same(value, given) ? "" : fault("is not the constant");
    if (keyword == "enum")
      return any_of(given, [&](element one) { return same(value, one); }) ? "" : fault("is none of the set");
    if (keyword == "anyOf")
      return any_of(given, [&](element one) { return fits(value, one, at).empty(); }) ? "" : fault("fits no form");
    if (keyword == "type") {
      bool good = given.is_string() ? is_type(value, std::string_view(given))
                                    : any_of(given, [&](element one) { return is_type(value, std::string_view(one)); });
      return good && (!value.is_object() || members_fit(value, rule, at).empty()) ? ""
             : good                                                               ? members_fit(value, rule, at)
                                                                                  : fault("has the wrong type");
    }
    if (keyword == "properties") return {}; // looked at with type
    if (keyword == "items") {
      for (auto one : dom::array(value)) {
        if (auto why = fits(one, given, at + "[]"); !why.empty()) return why;
      }
      return {};
    }
    if (keyword == "minLength")
      return std::string_view(value).size() >= std::uint64_t(given) ? "" : fault("is too short");
    if (keyword == "maxLength")
      return std::string_view(value).size() <= std::uint64_t(given) ? "" : fault("is too long");
    return at + ": unknown keyword " + std::string(keyword);
  }

  template<class Use>
  static bool any_of(element list, Use use) {
    for (auto one : dom::array(list)) {
      if (use(one)) return true;
    }
    return false;
  }

  std::string members_fit(element value, element rule, const std::string& at) {
    element needed, known, more;
    if (rule["required"].get(needed) == simdjson::SUCCESS) {
      for (auto name : dom::array(needed)) {
        element there;
        if (value[std::string_view(name)].get(there) != simdjson::SUCCESS)
          return at + ": no " + std::string(std::string_view(name));
      }
    }
    bool has_known = rule["properties"].get(known) == simdjson::SUCCESS;
    bool has_more = rule["additionalProperties"].get(more) == simdjson::SUCCESS;
    for (auto [name, member] : dom::object(value)) {
      auto place = at + "/" + std::string(name);
      element inner;
      if (has_known && known[name].get(inner) == simdjson::SUCCESS) {
        if (auto why = fits(member, inner, place); !why.empty()) return why;
      } else if (has_more && more.is_bool() && !bool(more)) {
        return place + ": is not known";
      } else if (has_more && more.is_object()) {
        if (auto why = fits(member, more, place); !why.empty()) return why;
      }
    }
    return {};
  }

  simdjson::padded_string text_;
  dom::parser parser_;
  element root_;
};

schema wire_schema() { return schema(read_text("schema/json/wire.schema.json")); }

} // namespace

TEST_CASE("the schema check itself finds what does not fit") {
  auto s = wire_schema();
  CHECK(s.check("Subject", R"({"kind":"fixture","ref":"x"})") == "");
  CHECK(s.check("Subject", R"({"kind":"planet","ref":"x"})") != "");
  CHECK(s.check("Subject", R"({"kind":"fixture"})") != "");
  CHECK(s.check("Subject", R"({"kind":"fixture","ref":7})") != "");
  CHECK(s.check("Subject", R"({"kind":"fixture","ref":"x","more":1})") != "");
  CHECK(s.check("Saw", R"({"rows":{"a":1}})") == "");
  CHECK(s.check("Saw", R"({"rows":{"a":"1"}})") != "");
  CHECK(s.check("CommandIn", R"({"key":"","code":"c","input":{},"sender":"d"})") != "");
  CHECK(s.check("TimelineItem",
                R"({"seq":1,"code":"c","play":true,"input":{},"sender":"d","key":"k","at":"t","voids":[1,"2"]})") !=
        "");
}

TEST_CASE("every answer the server can encode has the published shape") {
  auto s = wire_schema();
  for (auto what : {outcome::accepted, outcome::duplicate, outcome::refused, outcome::conflict, outcome::try_again}) {
    answer full;
    full.what = what;
    full.key = "k";
    full.code = "c";
    full.subject = subject_ref{};
    full.seq = 1;
    full.why = reason{"code", "A sentence.", "/input", "law 1", "1.0.0"};
    full.conflict = R"({"play":43,"since":[],"rows":[]})";
    full.retry_after_ms = 200;
    full.trace = "t";
    answer with_first = full;
    with_first.first = encode(full);
    answer bare;
    bare.what = what;
    bare.trace = "t";
    for (const auto& one : {full, with_first, bare}) CHECK(s.check("Answer", encode(one)) == "");
  }
}

TEST_CASE("answers over HTTP, refused at the door or not, have the published shape") {
  auto s = wire_schema();
  running_server server;
  auto client = server.client();
  for (auto body : {command_body("k"), std::string("{"), std::string("{}"), std::string(R"({"key":7})"),
                    std::string(100'000, 'x')}) {
    auto r = client.request("POST", command_target, body);
    REQUIRE(r);
    CHECK(s.check("Answer", r->body) == "");
  }
  auto r = client.request("POST", command_target, command_body("k"), {{"Content-Type", "text/plain"}});
  CHECK(s.check("Answer", r->body) == "");
}

TEST_CASE("every frame the socket sends has the published shape") {
  auto s = wire_schema();
  live_topic topic{live_topic::kind::competition, make_uuid7()};
  CHECK(s.check("Welcome", *welcome_frame("s", "n", 5000)) == "");
  CHECK(s.check("AnswerFrame", *answer_frame("\"a\"", encode(try_again("overloaded", "Later.")))) !=
        ""); // no trace yet
  answer full = try_again("overloaded", "Later.");
  full.trace = "t";
  CHECK(s.check("AnswerFrame", *answer_frame("\"a\"", encode(full))) == "");
  CHECK(s.check("Snapshot", *snapshot_frame(topic, 3, "{}")) == "");
  CHECK(
      s.check(
          "ChangeFrame",
          *change_frame(
              topic,
              R"({"version":2,"prev":1,"code":"c","play":true,"item":{"seq":2,"code":"c","play":true,"input":{},"sender":"d","key":"k","at":"t"},"scoreboard":null})")) ==
      "");
  CHECK(s.check("Beat", *beat_frame({{topic, 3}, {live_topic{live_topic::kind::ops, {}}, 4}})) == "");
  CHECK(s.check("ErrorFrame", *error_frame("\"a\"", "code", "A sentence.")) == "");
  CHECK(s.check("ErrorFrame", *error_frame("", "code", "A sentence.")) == "");
  CHECK(s.check("Bye", *bye_frame("restart", 700)) == "");
}

TEST_CASE("every message the schema allows a client is understood, and has no member the schema lacks") {
  auto s = wire_schema();
  auto topic = R"("topic":"fixture/0190a0a0-0000-7000-8000-000000000001")";
  for (auto text :
       {std::string(R"({"t":"hello","token":"x","client":"y"})"),
        R"({"t":"watch","id":"a",)" + std::string(topic) + "}",
        R"({"t":"watch","id":"a","have":3,)" + std::string(topic) + "}",
        R"({"t":"unwatch",)" + std::string(topic) + "}", std::string(R"({"t":"pong"})"),
        R"({"t":"command","id":"a","workflow":"w","kind":"fixture","ref":"r","body":)" + command_body("k") + "}"}) {
    INFO(text);
    CHECK(s.check("ClientFrame", text) == "");
    CHECK_FALSE(std::holds_alternative<bad_message>(parse_client_message(text)));
  }
}

TEST_CASE("openapi.yaml names every address the server knows, and no other") {
  std::stringstream text(read_text("schema/openapi.yaml"));
  std::set<std::string> paths;
  std::string line;
  while (std::getline(text, line)) {
    if (line.starts_with("  /") && line.ends_with(":")) paths.insert(line.substr(2, line.size() - 3));
  }
  std::set<route_kind> kinds;
  for (const auto& path : paths) {
    INFO(path);
    auto where = find_route(path, default_read_roots);
    kinds.insert(where.kind);
    CHECK((where.kind != route_kind::bad && (where.kind != route_kind::file || path == "/")));
  }
  CHECK(kinds.size() == 8);
  for (auto path : {"/fixtures", "/fixtures/{id}", "/fixtures/{id}/timeline", "/fixtures/{id}/state", "/competitions",
                    "/competitions/{id}", "/ops/tree", "/ops/restart", "/ops/tokens", "/ops/tokens/create",
                    "/ops/tokens/revoke", "/sports", "/workflows", "/livez", "/readyz", "/metrics", "/live", "/"}) {
    CHECK(paths.contains(path));
  }
}
