// Fields declared once: JSON in, JSON out, JSON Schema out, for every type a field may have.
#include "tests/catch.hpp"

#include "omnium/sport.hpp"

namespace sdk = omnium::sdk;

namespace codec_test {

enum class method { dl, vjd };
constexpr auto omnium_enum(method) { return sdk::names<method>({{method::dl, "D/L"}, {method::vjd, "VJD"}}); }

bool is_clock(std::string_view text) { return text.size() == 5 && text[2] == ':'; }

struct inner {
  sdk::side side{};
  std::optional<std::int64_t> seq;
  friend bool operator==(const inner&, const inner&) = default;
  static constexpr auto fields = sdk::fields(sdk::field("side", &inner::side), sdk::field("seq", &inner::seq));
};

struct everything {
  bool flag = false;
  std::uint8_t small = 0;
  std::int64_t large = 0;
  sdk::decimal<3> seconds;
  std::string text;
  codec_test::method method{};
  std::optional<std::string> maybe;
  sdk::nullable<int> nothing;
  std::vector<inner> list;
  std::map<std::string, int> map;
  sdk::both<int> score;
  int often_zero = 0;
  int defaulted = 7;
  friend bool operator==(const everything&, const everything&) = default;
  static constexpr auto fields = sdk::fields(
      sdk::field("flag", &everything::flag), sdk::field("small", &everything::small),
      sdk::field("large", &everything::large), sdk::field("seconds", &everything::seconds, sdk::range(0, 600)),
      sdk::field("text", &everything::text, sdk::length(0, 20)), sdk::field("method", &everything::method),
      sdk::field("maybe", &everything::maybe, sdk::form{is_clock, "^..:..$"}),
      sdk::field("nothing", &everything::nothing), sdk::field("list", &everything::list, sdk::items(0, 3)),
      sdk::field("map", &everything::map), sdk::field("score", &everything::score, sdk::at_least(0)),
      sdk::field("often_zero", &everything::often_zero, sdk::sparse),
      sdk::field("defaulted", &everything::defaulted, sdk::may_be_absent, sdk::note("Seven.")));
};

template<class T>
std::string read_fault(const std::string& json, T& out, sdk::reader::trust trust = sdk::reader::trust::input) {
  sdk::document document;
  if (!document.parse(json)) return "no JSON: " + document.error();
  sdk::reader in(trust, "/input");
  return sdk::codec<T>::read(document.root(), out, {}, in) ? std::string() : in.at() + " " + in.message();
}

template<class T>
std::string schema_of() {
  std::string out = "{";
  sdk::codec<T>::schema({}, out);
  return out + "}";
}

const std::string plain =
    R"({"flag":true,"small":255,"large":-9223372036854775808,"seconds":5.120,"text":"é\"\\\u0001\n","method":"D/L",)"
    R"("nothing":null,"list":[{"side":"away","seq":4},{"side":"home"}],"map":{"a":1,"b":-2},"score":{"home":1,"away":0},)"
    R"("defaulted":7})";

} // namespace codec_test

using namespace codec_test;

TEST_CASE("a record of every type reads and writes the same bytes") {
  everything made;
  REQUIRE(read_fault(plain, made) == "");
  REQUIRE(made.seconds.units == 5120);
  REQUIRE(made.method == method::dl);
  REQUIRE(made.list[0].seq == 4);
  REQUIRE(sdk::to_json(made) == plain);
  made.often_zero = 3;
  made.maybe = "12:30";
  everything again;
  REQUIRE(read_fault(sdk::to_json(made), again) == "");
  REQUIRE(again == made);
}

TEST_CASE("what does not fit a field is named with its place") {
  const auto fault = [](std::string_view from, std::string_view to) {
    auto json = plain;
    json.replace(json.find(from), from.size(), to);
    everything out;
    return read_fault(json, out);
  };
  CHECK(fault("255", "256") == "/input/small small must be a whole number from 0 to 255.");
  CHECK(fault("255", "-1") == "/input/small small must be a whole number from 0 to 255.");
  CHECK(fault("5.120", "5.1201") == "/input/seconds seconds must be a number from 0 to 600 with at most 3 decimals.");
  CHECK(fault("5.120", "600.001") == "/input/seconds seconds must be a number from 0 to 600 with at most 3 decimals.");
  CHECK(fault("5.120", "-0.001").starts_with("/input/seconds"));
  CHECK(fault("5.120", "1e300").starts_with("/input/seconds"));
  CHECK(fault("5.120", "600") == "");
  CHECK(fault("5.120", "5") == "");
  CHECK(fault("true", "1") == "/input/flag flag must be true or false.");
  CHECK(fault("\"D/L\"", "\"d/l\"") == "/input/method method must be D/L or VJD.");
  CHECK(fault("\"away\"", "\"neutral\"") == "/input/list/0/side side must be home or away.");
  CHECK(fault("\"seq\":4", "\"seq\":null").starts_with("/input/list/0/seq"));
  CHECK(fault("{\"side\":\"home\"}", "{}") == "/input/list/1/side side is missing.");
  CHECK(fault("{\"side\":\"home\"}", "7") == "/input/list/1 An item of list must be an object.");
  CHECK(fault("\"b\":-2", "\"b\":2.5") == "/input/map/b b must be a whole number from -2147483648 to 2147483647.");
  CHECK(fault("\"home\":1", "\"home\":-1").starts_with("/input/score/home"));
  CHECK(fault("\"nothing\":null,", "") == "/input/nothing nothing is missing.");
  CHECK(fault("\"nothing\":null", "\"nothing\":3,\"maybe\":\"1230\"") == "/input/maybe maybe must look like ^..:..$.");
  CHECK(fault("\"text\":\"", "\"text\":\"123456789012345678901") ==
        "/input/text text must be text of 0 to 20 characters.");
  CHECK(fault("[{", "[{\"side\":\"home\"},{\"side\":\"home\"},{")
            .starts_with("/input/list list must be a list of 0 to 3"));
  CHECK(fault("\"flag\"", "\"flug\"").starts_with("/input/flug There is no member flug here"));
  CHECK(fault("-9223372036854775808", "9223372036854775808").starts_with("/input/large"));
}

TEST_CASE("a stored record is read without its constraints, and still by its types and members") {
  everything out;
  auto json = plain;
  json.replace(json.find("5.120"), 5, "700.5");
  REQUIRE(read_fault(json, out, sdk::reader::trust::stored) == "");
  json.replace(json.find("255"), 3, "256");
  REQUIRE(read_fault(json, out, sdk::reader::trust::stored).starts_with("/input/small"));
}

TEST_CASE("the schema says what the reader asks for") {
  REQUIRE(schema_of<inner>() ==
          R"({"type":"object","properties":{"side":{"enum":["home","away"]},"seq":{"type":"integer"}},)"
          R"("required":["side"],"additionalProperties":false})");
  const auto schema = schema_of<everything>();
  for (const char* part :
       {R"("small":{"type":"integer","minimum":0,"maximum":255})",
        R"("seconds":{"type":"number","minimum":0,"maximum":600,"x-decimals":3})",
        R"("text":{"type":"string","minLength":0,"maxLength":20})",
        R"("maybe":{"type":"string","minLength":1,"maxLength":200,"pattern":"^..:..$"})",
        R"("nothing":{"anyOf":[{"type":"null"},{"type":"integer")", R"("list":{"type":"array","maxItems":3,"items":{)",
        R"("map":{"type":"object","maxProperties":1000,"additionalProperties":{"type":"integer")",
        R"("defaulted":{"type":"integer","minimum":-2147483648,"maximum":2147483647,"description":"Seven."})",
        R"("required":["flag","small","large","seconds","text","method","nothing","list","map","score"])"}) {
    CAPTURE(schema, part);
    CHECK(schema.find(part) != std::string::npos);
  }
  sdk::document document;
  REQUIRE(document.parse(schema));
}

TEST_CASE("any record comes back from its JSON, and writes the same bytes again") {
  OMNIUM_PROPERTY("round trip", [] {
    everything made;
    made.flag = *rc::gen::arbitrary<bool>();
    made.large = *rc::gen::arbitrary<std::int64_t>();
    made.seconds.units = *rc::gen::inRange<std::int64_t>(-4'000'000'000'000, 4'000'000'000'000);
    made.text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
    made.often_zero = *rc::gen::inRange(-2, 3);
    if (*rc::gen::arbitrary<bool>()) made.nothing = *rc::gen::arbitrary<int>();
    for (const auto& name : *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>()))
      if (name.find_first_of("\x80\xFF") == std::string::npos &&
          std::all_of(name.begin(), name.end(), [](char c) { return c > 0; }))
        made.map[name] = static_cast<int>(name.size());
    const auto json = sdk::to_json(made);
    everything again;
    RC_ASSERT(read_fault(json, again, sdk::reader::trust::stored) == "");
    RC_ASSERT(again == made);
    RC_ASSERT(sdk::to_json(again) == json);
  });
}

TEST_CASE("the time of an event is read as RFC 3339 writes it") {
  const auto ms = [](std::string_view at) { return sdk::event{.at = at}.at_ms(); };
  CHECK(ms("1970-01-01T00:00:00Z") == 0);
  CHECK(ms("2026-10-05T14:03:11.250Z") == 1791208991250);
  CHECK(ms("2026-10-05T14:03:11.250123Z") == 1791208991250);
  CHECK(ms("2026-10-05T16:03:11.25+02:00") == 1791208991250);
  CHECK(ms("2026-10-05T09:33:11-04:30") == 1791208991000);
  for (const char* bad : {"", "2026-10-05", "2026-13-05T14:03:11Z", "2026-10-05T14:03:11", "2026-10-05T14:03:11+2"})
    CHECK(ms(bad) == 0);
}

TEST_CASE("a verdict says what it was given, and the first of several refusals wins") {
  auto no = sdk::refuse("code", "Sentence.").law("Law 1").at("player");
  REQUIRE(!no);
  REQUIRE(no.at() == "/input/player");
  REQUIRE(sdk::first_refusal(sdk::accept(), no, sdk::refuse("other", "Other.")).code() == "code");
  REQUIRE(sdk::first_refusal(sdk::accept(), sdk::accept()));
  REQUIRE(sdk::accept().voids({3, 4}).voids().size() == 2);
}
