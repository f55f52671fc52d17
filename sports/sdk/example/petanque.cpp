// Pétanque: ends of one to six points, first to thirteen. The example of docs/writing-a-sport.md.
#include <omnium/sport.hpp>

namespace petanque {
namespace sdk = omnium::sdk;

struct settings {
  int target = 13;
  static constexpr auto fields = sdk::fields(sdk::field("target", &settings::target, sdk::range(1, 50)));
};

struct end_result {
  sdk::side winner{};
  int points = 0;
  static constexpr auto fields = sdk::fields(sdk::field("winner", &end_result::winner),
                                             sdk::field("points", &end_result::points, sdk::range(1, 6)));
};

struct state {
  std::vector<end_result> ends;
  static constexpr auto fields = sdk::fields(sdk::field("ends", &state::ends));
};

struct end_input { // input of petanque.end
  sdk::side winner{};
  int points = 0;
  std::optional<std::string> player;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &end_input::winner), sdk::field("points", &end_input::points, sdk::range(1, 6)),
                  sdk::field("player", &end_input::player, sdk::length(1, 80)));
};

struct board : sdk::headline {
  std::vector<end_result> ends;
  static constexpr auto fields = sdk::fields(sdk::field("ends", &board::ends));
};

class rules : public sdk::sport<state, settings> {
public:
  sdk::verdict decide(const end_input&, const sdk::event& e) const {
    if (winner() && !e.umpired())
      return sdk::refuse("match_decided", "A side has reached the target.").law("FIPJP Article 5").at("points");
    return sdk::accept();
  }
  void evolve(const end_input& in, const sdk::event&) { state.ends.push_back({in.winner, in.points}); }

  sdk::verdict may_end(const sdk::match_end& in, const sdk::event&) const {
    if (in.reason == sdk::end_reason::completed && !winner())
      return sdk::refuse("not_decided", "No side has reached the target.").law("FIPJP Article 5");
    return sdk::accept();
  }

  board scoreboard() const {
    board shown;
    shown.score = score();
    shown.period = "E" + std::to_string(state.ends.size());
    shown.line = std::to_string(shown.score.home) + "–" + std::to_string(shown.score.away);
    shown.ends = state.ends;
    return shown;
  }

private:
  sdk::both<std::int64_t> score() const {
    sdk::both<std::int64_t> sum;
    for (const auto& end : state.ends) sum[end.winner] += end.points;
    return sum;
  }
  std::optional<sdk::side> winner() const {
    const auto sum = score();
    if (sum.home >= settings.target) return sdk::side::home;
    if (sum.away >= settings.target) return sdk::side::away;
    return {};
  }
};

} // namespace petanque

OMNIUM_SPORT(petanque::rules, "petanque", "Pétanque",
             omnium::sdk::play<petanque::end_input>("petanque.end", "End", "e"))
