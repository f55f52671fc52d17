#include "runtime/core/uuid.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace omnium;

TEST_CASE("a uuid is read in either case and written in lower case", "[uuid]") {
  const auto id = parse_uuid("6BA7B810-9DAD-11D1-80B4-00C04FD430C8");
  REQUIRE(id);
  REQUIRE(to_string(*id) == "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
}

TEST_CASE("what is not exactly a uuid's text is refused", "[uuid]") {
  for (const char* text :
       {"", "6ba7b810", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}", "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8 ", "6ba7b810-9dad-11d1-80b4-00c04fd430c",
        "6ba7b810-9dad-11d1-80b4000c04fd430c8", "+ba7b810-9dad-11d1-80b4-00c04fd430c8"}) {
    CAPTURE(text);
    REQUIRE_FALSE(parse_uuid(text));
  }
}

TEST_CASE("text and uuid are each other's inverse", "[uuid]") {
  OMNIUM_PROPERTY("round trip", [](const std::array<std::uint8_t, 16>& bytes) {
    const uuid id{bytes};
    RC_ASSERT(parse_uuid(to_string(id)) == id);
  });
}

TEST_CASE("uuids of version 7 made by one process are in order and never equal", "[uuid]") {
  uuid last = make_uuid7();
  for (int i = 0; i < 200'000; ++i) {
    const uuid next = make_uuid7();
    REQUIRE(last < next);
    last = next;
  }
  REQUIRE((last.bytes[6] >> 4) == 7);
  REQUIRE((last.bytes[8] >> 6) == 2);
}

TEST_CASE("uuids of version 5 are those of the RFC's method", "[uuid]") {
  const auto dns = *parse_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
  const auto url = *parse_uuid("6ba7b811-9dad-11d1-80b4-00c04fd430c8");
  // RFC 9562, appendix A.4; the others from Python's uuid.uuid5.
  REQUIRE(to_string(make_uuid5(dns, "www.example.com")) == "2ed6657d-e927-568b-95e1-2665a8aea6a2");
  REQUIRE(to_string(make_uuid5(dns, "python.org")) == "886313e1-3b8a-5372-9b90-0c9aee199e5d");
  REQUIRE(to_string(make_uuid5(url, "")) == "1b4db7eb-4057-5ddf-91e0-36dec72071f5");
}
