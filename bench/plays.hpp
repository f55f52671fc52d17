#pragma once
// Synthetic matches: endless, and legal from the first ball to the last. One generator a match, owned by its desk.
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::bench {

struct play {
  std::string code, input; // input: a JSON object
};

class plays {
public:
  virtual ~plays() = default;
  virtual play next() = 0; // one that is legal after all those before it
};

// Football, cricket, tennis, volleyball.
bool has_plays(std::string_view sport);
std::unique_ptr<plays> make_plays(std::string_view sport, std::uint64_t seed);
std::string settings_of(std::string_view sport);      // JSON object, for games.create_fixture
std::vector<play> opening_of(std::string_view sport); // what comes before the first next()

// A void, an amend or an insert of one of `targets` (seqs of counted football events, none of them void yet; the one
// that is voided is taken out).
play make_correction(std::vector<std::int64_t>& targets, std::mt19937_64& lot);

} // namespace omnium::bench
