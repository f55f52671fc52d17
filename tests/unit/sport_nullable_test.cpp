// sdk::nullable beside plain values: what an author writes in a fold compiles, and means what it says.
#include "omnium/sport.hpp"
#include "tests/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using omnium::sdk::nullable;

namespace nullable_test {

enum class lane { a, b };
struct point {
  int x = 0, y = 0;
  friend bool operator==(const point&, const point&) = default;
};

} // namespace nullable_test

TEST_CASE("a nullable takes a plain value of any kind, and nothing again") {
  nullable<int> number;
  number = 5;
  REQUIRE(*number == 5);
  short narrow = 3;
  number = narrow;
  REQUIRE(*number == 3);
  nullable<std::int64_t> large;
  large = 7;
  REQUIRE(*large == 7);
  nullable<double> real;
  real = 1;
  REQUIRE(*real == 1.0);
  nullable<bool> flag;
  flag = false;
  REQUIRE((flag.has_value() && !*flag));
  nullable<std::string> text;
  text = "x";
  REQUIRE(*text == "x");
  text = std::string_view("y");
  REQUIRE(*text == "y");
  nullable<nullable_test::lane> lane;
  lane = nullable_test::lane::b;
  REQUIRE(*lane == nullable_test::lane::b);
  nullable<nullable_test::point> place;
  place = nullable_test::point{1, 2};
  REQUIRE(place->y == 2);
  nullable<std::vector<int>> list;
  list = std::vector<int>{1, 2};
  REQUIRE(list->size() == 2);
  number = std::nullopt;
  text = {};
  REQUIRE((!number && !text));
}

TEST_CASE("a nullable goes to and from an optional and another nullable") {
  nullable<int> one = 4, two;
  two = one;
  REQUIRE(two == one);
  two = std::optional<int>(9);
  REQUIRE(*two == 9);
  std::optional<int> plain = two;
  REQUIRE(plain == 9);
  two = std::optional<int>();
  REQUIRE(!two);
}

TEST_CASE("a nullable is compared with a value, with nothing, and with another, from either side") {
  nullable<int> number = 5;
  nullable<std::string> text = "x";
  REQUIRE(number == 5);
  REQUIRE(5 == number);
  REQUIRE(number != 6);
  REQUIRE(text == "x");
  REQUIRE(text != std::string("y"));
  REQUIRE(number != std::nullopt);
  REQUIRE(number == nullable<int>(5));
  number = std::nullopt;
  REQUIRE(number == std::nullopt);
  REQUIRE(number != 0); // nothing is not zero
  REQUIRE(number == nullable<int>());
}
