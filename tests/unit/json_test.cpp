#include "runtime/core/json.hpp"
#include "tests/catch.hpp"

#include <limits>

using namespace omnium;

TEST_CASE("a quoted text escapes what JSON must escape and nothing else", "[json]") {
  REQUIRE(json::quoted("") == R"("")");
  REQUIRE(json::quoted("a\"b\\c/d") == R"("a\"b\\c/d")");
  REQUIRE(json::quoted("\b\f\n\r\t\x01\x1f\x7f") == "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
  REQUIRE(json::quoted("é😀") == "\"é😀\"");
}

TEST_CASE("what was quoted reads back as the same text", "[json]") {
  OMNIUM_PROPERTY("round trip", [] {
    const auto letters =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string{"ab\"\\/\n\t\x01\x1f {}[],:"}));
    const auto text = letters + "é😀";
    const auto object = R"({"x":[1,{"name":0}],"name":)" + json::quoted(text) + "}";
    RC_ASSERT(json::string_member(object, "name") == text);
  });
}

TEST_CASE("a float without a JSON form becomes null", "[json]") {
  for (const double value : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    std::string out;
    json::append_double(out, value);
    REQUIRE(out == "null");
  }
}

TEST_CASE("one member of an object is read without the others", "[json]") {
  const std::string object =
      R"({"input":{"b":[1, 2],"a":{}},"list":[ 1,[2]],"n":-7,"big":99999999999999999999,"f":1.5,"s":"\u00e9","z":null,"t":true})";
  REQUIRE(json::raw_member(object, "input") == R"({"b":[1, 2],"a":{}})");
  REQUIRE(json::raw_member(object, "list") == "[ 1,[2]]");
  REQUIRE(json::raw_member(object, "n") == "-7");
  REQUIRE(json::raw_member(object, "big") == "99999999999999999999");
  REQUIRE(json::raw_member(object, "s") == R"("\u00e9")");
  REQUIRE(json::raw_member(object, "z") == "null");
  REQUIRE(json::raw_member(object, "t") == "true");
  REQUIRE(json::string_member(object, "s") == "é");
  REQUIRE(json::integer_member(object, "n") == -7);
  REQUIRE_FALSE(json::integer_member(object, "big"));
  REQUIRE(json::integer_member(R"({"n":3.0})", "n") == 3);
  REQUIRE(json::integer_member(R"({"n":1e3})", "n") == 1000);
  REQUIRE_FALSE(json::integer_member(R"({"n":3.5})", "n"));
  REQUIRE_FALSE(json::integer_member(R"({"n":1e300})", "n"));
  REQUIRE_FALSE(json::integer_member(object, "f"));
  REQUIRE_FALSE(json::integer_member(object, "s"));
  REQUIRE_FALSE(json::string_member(object, "n"));
  REQUIRE_FALSE(json::raw_member(object, "a"));
  REQUIRE_FALSE(json::raw_member("[1]", "a"));
  REQUIRE_FALSE(json::raw_member("", "a"));
}

TEST_CASE("a member's name becomes a step of a JSON pointer", "[json]") {
  std::string out;
  json::append_pointer_token(out, "a/b~c");
  REQUIRE(out == "a~1b~0c");
}
