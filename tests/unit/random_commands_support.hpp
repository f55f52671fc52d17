#pragma once
// Random commands of each sport, mostly legal ones: what the properties of the sports are played with.
#include "tests/unit/random_match_support.hpp"

#include <string>
#include <vector>

namespace omnium::test {

// Fails the test case for a sport that it does not know.
random_command commands_of(const std::string& sport);

// The sports that it knows.
const std::vector<std::string>& random_sports();

} // namespace omnium::test
