// A sport on the SDK whose author made mistakes: what it throws stays inside.
#include <omnium/sport.hpp>

#include <stdexcept>

namespace faulty {
namespace sdk = omnium::sdk;

struct state {
  int balls = 0;
  static constexpr auto fields = sdk::fields(sdk::field("balls", &state::balls));
};
struct ball {
  std::string fault;
  static constexpr auto fields = sdk::fields(sdk::field("fault", &ball::fault));
};
struct board : sdk::headline {
  static constexpr auto fields = sdk::fields();
};

class rules : public sdk::sport<state> {
public:
  sdk::verdict decide(const ball& in, const sdk::event&) const {
    if (in.fault == "throw") throw std::runtime_error("the rules fell over");
    if (in.fault == "throw_int") throw 7;
    if (in.fault == "memory") return sdk::refuse("memory", std::string(std::size_t{4} << 30, 'x'));
    return sdk::accept();
  }
  void evolve(const ball& in, const sdk::event&) {
    ++state.balls;
    if (in.fault == "evolve") throw std::runtime_error("evolve fell over");
  }
  board scoreboard() const {
    if (state.balls == 3) throw std::runtime_error("the scoreboard fell over");
    return {};
  }
};

} // namespace faulty

OMNIUM_SPORT(faulty::rules, "faulty", "Faulty", omnium::sdk::play<faulty::ball>("faulty.ball", "Ball").any_time())
