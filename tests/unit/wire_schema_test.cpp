// What the server really says fits the shapes that clients are typed from. Source: contract,
// schema/json/wire.schema.json.
#include "runtime/core/simdjson_compat.hpp"
#include "runtime/wire/addresses.hpp"
#include "runtime/wire/live_protocol.hpp"
#include "tests/catch.hpp"
#include "tests/support/schema_check.hpp"
#include "tests/unit/wire_support.hpp"

#include <fstream>
#include <set>
#include <sstream>

using namespace omnium;
using namespace omnium::wire;
using namespace omnium::wire::testing;
namespace dom = simdjson::dom;
using omnium::testing::schema;

namespace {

std::string read_text(const std::string& name) {
  std::stringstream out;
  out << std::ifstream(std::string(OMNIUM_SOURCE_DIR) + "/" + name).rdbuf();
  return out.str();
}

// "GET /fixtures/{id}" of each path and method in openapi.yaml.
std::set<std::string> described() {
  std::stringstream text(read_text("schema/openapi.yaml"));
  std::set<std::string> out;
  std::string path;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("  /") && line.ends_with(":")) path = line.substr(2, line.size() - 3);
    else if (line.starts_with("components:")) path.clear();
    if (path.empty()) continue;
    if (line.starts_with("    get:")) out.insert("GET " + path);
    if (line.starts_with("    post:")) out.insert("POST " + path);
  }
  return out;
}

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
  std::set<std::string> served;
  std::set<route_kind> kinds;
  for (const auto& one : addresses) {
    auto where = find_route(one.path, default_read_roots);
    INFO(one.path);
    CHECK((where.kind != route_kind::bad && (where.kind != route_kind::file || one.path == "/")));
    CHECK((where.kind == route_kind::command || where.kind == route_kind::preview ||
           where.kind == route_kind::action) == (one.method == "POST"));
    CHECK(serves(one.method, one.path));
    kinds.insert(where.kind);
    served.insert(std::string(one.method) + " " + std::string(one.path));
  }
  CHECK(kinds.size() == 8);
  CHECK(served.size() == addresses.size());
  CHECK(described() == served);
}

TEST_CASE("an address is served by its form and its method, and nothing near it is") {
  CHECK(serves("GET", "/fixtures/0190c5a8-0000-7000-8000-000000000000/timeline"));
  CHECK(serves("GET", "/ops/trace/abc"));
  CHECK(serves("GET", "/"));
  for (auto path : {"", "x", "/fixtures/", "/fixtures/a/b", "/fixtures/a/timeline/", "/fixtures//timeline", "/ops",
                    "/ops/", "/ops/nothing", "/ops/tree/x", "/participants", "//"}) {
    INFO(path);
    CHECK_FALSE(serves("GET", path));
  }
  CHECK_FALSE(serves("GET", "/ops/restart"));
  CHECK_FALSE(serves("POST", "/ops/tree"));
}
