#include "runtime/core/clock.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace omnium;
using namespace std::chrono;

TEST_CASE("a time is written in UTC with milliseconds", "[clock]") {
  REQUIRE(rfc3339_utc_ms(system_clock::time_point{}) == "1970-01-01T00:00:00.000Z");
  REQUIRE(rfc3339_utc_ms(sys_days{2024y / 2 / 29} + 23h + 59min + 59s + 999ms + 999us) == "2024-02-29T23:59:59.999Z");
  REQUIRE(rfc3339_utc_ms(sys_days{1969y / 12 / 31} + 23h + 59min + 59s + 5ms) == "1969-12-31T23:59:59.005Z");
  REQUIRE(is_rfc3339(now_utc_ms()));
}

TEST_CASE("every date and time of RFC 3339 is known, and nothing else", "[clock]") {
  for (const char* good :
       {"2026-10-05T14:03:11.250Z", "2026-10-05t14:03:11z", "1937-01-01T12:00:27.87+00:20", "1990-12-31T23:59:60Z",
        "1996-12-19T16:39:57-08:00", "2024-02-29T00:00:00Z", "0001-01-01T00:00:00.000000000001Z"}) {
    CAPTURE(good);
    REQUIRE(is_rfc3339(good));
  }
  for (const char* bad : {"",
                          "2026-10-05",
                          "2026-10-05T14:03:11",
                          "2026-10-05 14:03:11Z",
                          "2026-13-05T14:03:11Z",
                          "2026-02-29T14:03:11Z",
                          "2026-04-31T14:03:11Z",
                          "2026-00-05T14:03:11Z",
                          "2026-10-00T14:03:11Z",
                          "2026-10-05T24:00:00Z",
                          "2026-10-05T14:60:11Z",
                          "2026-10-05T14:03:61Z",
                          "2026-10-05T14:03:11.Z",
                          "2026-10-05T14:03:11,5Z",
                          "2026-10-05T14:03:11+24:00",
                          "2026-10-05T14:03:11+0100",
                          "2026-10-05T14:03Z",
                          "26-10-05T14:03:11Z",
                          "2026-10-05T14:03:11Zx",
                          "2026-10-05T14:03:11Z ",
                          " 2026-10-05T14:03:11Z",
                          "2026-1-05T14:03:11Z"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(is_rfc3339(bad));
  }
}

TEST_CASE("trace ids are 32 hex digits and do not repeat", "[clock]") {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const auto id = make_trace_id();
    REQUIRE(id.size() == 32);
    REQUIRE(id.find_first_not_of("0123456789abcdef") == std::string::npos);
    REQUIRE(seen.insert(id).second);
  }
}

TEST_CASE("a trace id says the second it was made in, another's says any", "[clock]") {
  using namespace std::chrono;
  const auto before = floor<seconds>(system_clock::now());
  const auto said = time_in_trace_id(make_trace_id());
  REQUIRE(said >= before);
  REQUIRE(said <= system_clock::now());
  REQUIRE(time_in_trace_id("ffffffff000000000000000000000000") == system_clock::time_point(seconds(0xffffffff)));
  REQUIRE(time_in_trace_id("") == system_clock::time_point{});
  REQUIRE(rfc3339_utc_us(system_clock::time_point(1'791'208'991'250'007us)) == "2026-10-05T14:03:11.250007Z");
}

TEST_CASE("the trace id of a valid traceparent is taken, of any other none", "[clock]") {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  REQUIRE(trace_id_of("00-" + trace + "-00f067aa0ba902b7-01") == trace);
  REQUIRE(trace_id_of("cc-" + trace + "-00f067aa0ba902b7-01-what-the-future-will-be") == trace);
  for (const std::string& bad : std::initializer_list<std::string>{
           std::string{}, trace, "00-" + trace + "-00f067aa0ba902b7-01-more", "ff-" + trace + "-00f067aa0ba902b7-01",
           "00-" + std::string(32, '0') + "-00f067aa0ba902b7-01", "00-" + trace + "-" + std::string(16, '0') + "-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", "00-" + trace + "-00f067aa0ba902b7-0",
           "00-" + trace + "-00f067aa0ba902bx-01", "0x-" + trace + "-00f067aa0ba902b7-01",
           "cc-" + trace + "-00f067aa0ba902b7-01.x", "00_" + trace + "-00f067aa0ba902b7-01"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(trace_id_of(bad));
  }
}
