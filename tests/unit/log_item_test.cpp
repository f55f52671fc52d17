#include "runtime/road/log_item.hpp"
#include "tests/catch.hpp"

using namespace omnium::road;

TEST_CASE("a row of the log reads as the contract's timeline shows it", "[log_item]") {
  log_item item{7,  "football.goal", true, R"({"side":"home"})", "desk \"7\"", "k-1", "2026-10-05T14:03:11.250Z", {},
                {}, "trace"};
  REQUIRE(
      encode(item) ==
      R"({"seq":7,"code":"football.goal","play":true,"input":{"side":"home"},"sender":"desk \"7\"","key":"k-1","at":"2026-10-05T14:03:11.250Z"})");
  item.play = false;
  item.voids = {3, 5};
  item.replaces = 2;
  REQUIRE(
      encode(item) ==
      R"({"seq":7,"code":"football.goal","play":false,"input":{"side":"home"},"sender":"desk \"7\"","key":"k-1","at":"2026-10-05T14:03:11.250Z","voids":[3,5],"replaces":2})");
}
