// What every sport publishes of its inputs and settings: a number has bounds that somebody named.
#include "omnium/sport_test.hpp"
#include "tests/catch.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <simdjson.h>

namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

std::vector<std::string> packages() {
  std::vector<std::string> out;
  for (const auto& sport : fs::directory_iterator(OMNIUM_BINARY_DIR "/sports"))
    if (sport.is_directory())
      for (const auto& release : fs::directory_iterator(sport))
        if (fs::exists(release.path() / "plugin.so")) out.push_back(release.path().string());
  return out;
}

template<class T>
bool is_limit(double number) {
  using limits = std::numeric_limits<T>;
  return number == static_cast<double>(limits::min()) || number == static_cast<double>(limits::max());
}

// A type's own limit is nobody's choice (nought, the least unsigned number, may be one).
bool chosen(double number) {
  return number == 0 ||
         (!is_limit<std::int8_t>(number) && !is_limit<std::uint8_t>(number) && !is_limit<std::int16_t>(number) &&
          !is_limit<std::uint16_t>(number) && !is_limit<std::int32_t>(number) && !is_limit<std::uint32_t>(number) &&
          !is_limit<std::int64_t>(number) && !is_limit<std::uint64_t>(number));
}

bool bounded(const dom::object& schema) {
  double low = 0, high = 0;
  return !schema["minimum"].get(low) && !schema["maximum"].get(high) && chosen(low) && chosen(high) && low <= high;
}

// The places under `at` where a number lacks a bound; `seen` counts the numbers.
void look(const dom::element& at, const std::string& place, std::vector<std::string>& faults, std::size_t& seen) {
  if (dom::array list; !at.get(list)) {
    for (const auto one : list) look(one, place, faults, seen);
    return;
  }
  dom::object object;
  if (at.get(object)) return;
  std::string_view type;
  if (!object["type"].get(type) && (type == "integer" || type == "number")) {
    ++seen;
    if (!bounded(object)) faults.push_back(place + ": " + simdjson::minify(at));
  }
  for (const auto [name, member] : object) look(member, place + '/' + std::string{name}, faults, seen);
}

std::vector<std::string> unbounded(const std::string& description, std::size_t& seen) {
  dom::parser parser;
  dom::object root;
  std::vector<std::string> faults;
  REQUIRE(parser.parse(description).get(root) == simdjson::SUCCESS);
  dom::array commands;
  REQUIRE(root["commands"].get(commands) == simdjson::SUCCESS);
  for (const auto command : commands)
    look(command["schema"].value(), std::string{std::string_view{command["code"]}}, faults, seen);
  look(root["settings"].value(), "settings", faults, seen);
  return faults;
}

} // namespace

TEST_CASE("every number of a sport's inputs and settings has a minimum and a maximum that its author named") {
  const auto all = packages();
  REQUIRE(all.size() >= 8);
  for (const auto& package : all) {
    std::size_t seen = 0;
    const auto faults = unbounded(omnium::sdk::test::match(package).describe(), seen);
    CAPTURE(package, faults);
    CHECK(faults.empty());
    CHECK(seen > 0);
  }
}

TEST_CASE("a number without a bound, or with its type's own, is found") {
  const auto faults = [](const std::string& number) {
    std::size_t seen = 0;
    return unbounded(R"({"commands":[{"code":"x","schema":{"properties":{"n":{)" + number + R"(}}}}],"settings":{}})",
                     seen)
        .size();
  };
  CHECK(faults(R"("type":"integer","minimum":0,"maximum":999)") == 0);
  CHECK(faults(R"("type":"integer","minimum":1)") == 1);
  CHECK(faults(R"("type":"integer","maximum":9)") == 1);
  CHECK(faults(R"("type":"number")") == 1);
  CHECK(faults(R"("type":"integer","minimum":-2147483648,"maximum":2147483647)") == 1);
  CHECK(faults(R"("type":"array","items":{"type":"integer","minimum":0,"maximum":9223372036854775807})") == 1);
}
