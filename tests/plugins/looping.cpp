// A sport that is sound but for one event, in which it takes its time or never comes back.
#include <omnium/sport.hpp>

#include <chrono>
#include <optional>

namespace looping {
namespace sdk = omnium::sdk;

struct state {
  int balls = 0;
  static constexpr auto fields = sdk::fields(sdk::field("balls", &state::balls));
};
struct ball {
  bool loop = false;
  std::optional<int> busy_ms;
  static constexpr auto fields = sdk::fields(sdk::field("loop", &ball::loop), sdk::field("busy_ms", &ball::busy_ms));
};
struct board : sdk::headline {
  int balls = 0;
  static constexpr auto fields = sdk::fields(sdk::field("balls", &board::balls));
};

class rules : public sdk::sport<state> {
public:
  sdk::verdict decide(const ball& in, const sdk::event&) const {
    while (in.loop) asm volatile("");
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(in.busy_ms.value_or(0));
    while (std::chrono::steady_clock::now() < until) asm volatile("");
    return sdk::accept();
  }
  void evolve(const ball&, const sdk::event&) { ++state.balls; }
  board scoreboard() const {
    board out;
    out.balls = state.balls;
    return out;
  }
};

} // namespace looping

OMNIUM_SPORT(looping::rules, "looping", "Looping", omnium::sdk::play<looping::ball>("looping.ball", "Ball").any_time())
