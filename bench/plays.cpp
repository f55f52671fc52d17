#include "bench/plays.hpp"

#include <array>
#include <fmt/format.h>

namespace omnium::bench {
namespace {

// Counted events, and a few goals: none depends on another, so several desks may send at once.
class football final : public plays {
public:
  explicit football(std::uint64_t seed) : lot_(seed) {}
  play next() override {
    constexpr std::array<const char*, 4> counted = {"shot", "corner", "foul", "offside"};
    auto minute = std::min<std::uint64_t>(1 + n_ / 60, 44);
    const char* side = lot_() % 2 == 0 ? "home" : "away";
    ++n_;
    if (n_ % 60 == 30 && goals_ < 6) {
      ++goals_;
      return {"football.goal", fmt::format(R"({{"kind":"open_play","minute":{},"side":"{}"}})", minute, side)};
    }
    return {fmt::format("football.{}", counted[lot_() % counted.size()]),
            fmt::format(R"({{"minute":{},"side":"{}"}})", minute, side)};
  }

private:
  std::mt19937_64 lot_;
  std::uint64_t n_ = 0, goals_ = 0;
};

// An innings without a limit of overs in which nobody gets out; the bowlers change ends, the batters cross.
class cricket final : public plays {
public:
  explicit cricket(std::uint64_t seed) : lot_(seed) {}
  play next() override {
    constexpr std::array<int, 12> runs = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6};
    auto made = runs[lot_() % runs.size()];
    bool wide = lot_() % 30 == 0;
    auto ball =
        fmt::format(R"({{"batter":"{}","non_striker":"{}","bowler":"{}","runs":{{"batter":{}{}}}}})", names_[striker_],
                    names_[1 - striker_], bowlers_[over_ % 2], wide ? 0 : made, wide ? R"(,"extras":{"wides":1})" : "");
    if (wide) return {"cricket.ball", ball};
    if (made % 2 == 1) striker_ = 1 - striker_;
    if (++balls_ % 6 == 0) {
      ++over_;
      striker_ = 1 - striker_;
    }
    return {"cricket.ball", ball};
  }

private:
  std::mt19937_64 lot_;
  std::array<const char*, 2> names_ = {"Ada Obi", "Mia Lund"}, bowlers_ = {"Eve Stone", "Ines Roy"};
  std::size_t striker_ = 0, over_ = 0, balls_ = 0;
};

// A set without a tie-break in which every server holds: it goes on until one is broken, and none ever is (Rule 6).
class tennis final : public plays {
public:
  explicit tennis(std::uint64_t seed) : lot_(seed) {}
  play next() override {
    bool server_wins = lot_() % 3 != 0 || other_ + 1 >= 4; // never a point that would give the game away
    ++(server_wins ? mine_ : other_);
    const char* winner = server_wins == home_serves_ ? "home" : "away";
    if (mine_ >= 4 && mine_ - other_ >= 2) {
      mine_ = other_ = 0;
      home_serves_ = !home_serves_;
    }
    return {"tennis.point", fmt::format(R"({{"winner":"{}"}})", winner)};
  }

private:
  std::mt19937_64 lot_;
  int mine_ = 0, other_ = 0;
  bool home_serves_ = true;
};

// A first set that nobody wins by two.
class volleyball final : public plays {
public:
  explicit volleyball(std::uint64_t seed) : home_next_(seed % 2 == 0) {}
  play next() override {
    home_next_ = !home_next_;
    return {"volleyball.rally", fmt::format(R"({{"winner":"{}"}})", home_next_ ? "home" : "away")};
  }

private:
  bool home_next_;
};

} // namespace

bool has_plays(std::string_view sport) { return make_plays(sport, 0) != nullptr; }

std::unique_ptr<plays> make_plays(std::string_view sport, std::uint64_t seed) {
  if (sport == "football") return std::make_unique<football>(seed);
  if (sport == "cricket") return std::make_unique<cricket>(seed);
  if (sport == "tennis") return std::make_unique<tennis>(seed);
  if (sport == "volleyball") return std::make_unique<volleyball>(seed);
  return nullptr;
}

std::string settings_of(std::string_view sport) {
  if (sport == "tennis") return R"({"best_of":5,"first_server":"home","set_tiebreaks":false})";
  return "{}";
}

std::vector<play> opening_of(std::string_view sport) {
  std::vector<play> out = {{"match.start", "{}"}};
  if (sport == "football") out.push_back({"football.period", R"({"action":"start","period":"H1"})"});
  if (sport == "cricket") {
    out.insert(out.begin(), {"cricket.toss", R"({"decision":"bat","winner":"home"})"});
    out.push_back({"cricket.innings", R"({"action":"start","batting":"home"})"});
  }
  return out;
}

play make_correction(std::vector<std::int64_t>& targets, std::mt19937_64& lot) {
  auto at = lot() % targets.size();
  auto seq = targets[at];
  switch (lot() % 3) {
  case 0:
    targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(at));
    return {"match.void", fmt::format(R"({{"reason":"mistaken","seq":{}}})", seq)};
  case 1:
    return {"match.amend", fmt::format(R"({{"input":{{"minute":9,"side":"home"}},"seq":{}}})", seq)};
  default:
    return {"match.insert",
            fmt::format(R"({{"before":{},"code":"football.shot","input":{{"minute":9,"side":"away"}}}})", seq)};
  }
}

} // namespace omnium::bench
