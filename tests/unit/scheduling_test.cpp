// Where actors run: on the thread that told them something, as long as the scheduler's own sleep.
#include "actors/scheduling.hpp"

#include "tests/catch.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

using namespace omnium;
using namespace std::chrono_literals;

namespace {

using place = std::thread::id;

// Says on which thread it heard a number; passes the number less one on to `next`, if there is one.
caf::behavior listener(caf::event_based_actor* self, std::shared_ptr<std::function<void(int)>> heard, caf::actor next) {
  return {[=](int number) {
    (*heard)(number);
    if (next && number > 0) self->send(next, number - 1);
  }};
}

struct bench {
  static constexpr std::size_t threads = 2;
  actors::host_door door;
  actors::scheduler_config config{threads, door};
  std::unique_ptr<caf::actor_system> system = std::make_unique<caf::actor_system>(config);

  caf::actor listens(std::function<void(int)> heard, caf::actor next = {}) {
    return system->spawn(listener, std::make_shared<std::function<void(int)>>(std::move(heard)), next);
  }
  // The actor's place for one number, told by this thread, which is a host as long as `hosted`.
  place hears(const caf::actor& to, std::promise<place>& at, bool hosted) {
    auto where = at.get_future();
    if (hosted) {
      actors::host here(door);
      caf::anon_send(to, 1);
    } else caf::anon_send(to, 1);
    return where.get();
  }
};

// Long enough for the scheduler's threads to be asleep, and for a host to be one again.
void rest() { std::this_thread::sleep_for(20ms); }

} // namespace

TEST_CASE("A host runs what it told, and only a host", "[scheduling]") {
  bench b;
  std::promise<place> first, second;
  auto one = b.listens([&](int) { first.set_value(std::this_thread::get_id()); });
  auto two = b.listens([&](int) { second.set_value(std::this_thread::get_id()); });
  rest();
  CHECK(b.hears(one, first, true) == std::this_thread::get_id());
  rest();
  CHECK(b.hears(two, second, false) != std::this_thread::get_id());
}

TEST_CASE("What a hosted actor tells others runs on the host, too, before it is none any more", "[scheduling]") {
  bench b;
  std::vector<place> places;
  auto say = [&](int) { places.push_back(std::this_thread::get_id()); };
  auto chain = b.listens(say, b.listens(say, b.listens(say)));
  rest();
  {
    actors::host here(b.door);
    { actors::host again(b.door); } // does nothing: its end is not the first one's
    caf::anon_send(chain, 9);
  }
  CHECK(places == std::vector<place>(3, std::this_thread::get_id()));
}

TEST_CASE("A thread that was a host a moment ago leaves the work to the scheduler", "[scheduling]") {
  bench b;
  std::promise<place> at[2];
  auto one = b.listens([&](int) { at[0].set_value(std::this_thread::get_id()); });
  auto two = b.listens([&](int) { at[1].set_value(std::this_thread::get_id()); });
  rest();
  auto first = at[0].get_future(), second = at[1].get_future();
  for (const auto& to : {one, two}) {
    actors::host here(b.door);
    caf::anon_send(to, 1);
  }
  CHECK(first.get() == std::this_thread::get_id());
  CHECK(second.get() != std::this_thread::get_id());
}

TEST_CASE("While one of the scheduler's threads is awake, it gets the work", "[scheduling]") {
  bench b;
  std::promise<void> busy, go_on;
  std::promise<place> at;
  auto held = go_on.get_future();
  auto blocker = b.listens([&](int) {
    busy.set_value();
    held.wait();
  });
  auto other = b.listens([&](int) { at.set_value(std::this_thread::get_id()); });
  rest();
  caf::anon_send(blocker, 1);
  busy.get_future().wait();
  CHECK(b.hears(other, at, true) != std::this_thread::get_id());
  go_on.set_value();
}

TEST_CASE("A host's line is bounded: the scheduler takes the rest, and nothing is lost", "[scheduling]") {
  bench b;
  constexpr int many = 40;
  std::atomic<int> here_ran{0}, all{0};
  std::promise<void> done;
  auto mine = std::this_thread::get_id();
  std::vector<caf::actor> listeners;
  for (int i = 0; i < many; ++i)
    listeners.push_back(b.listens([&](int) {
      if (std::this_thread::get_id() == mine) ++here_ran;
      if (++all == many) done.set_value();
    }));
  rest();
  {
    actors::host here(b.door);
    for (const auto& to : listeners) caf::anon_send(to, 1);
  }
  done.get_future().wait();
  CHECK(here_ran > 0);
  CHECK(here_ran <= 4);
}

TEST_CASE("An actor that never ends telling itself something does not keep its host", "[scheduling]") {
  bench b;
  std::atomic<bool> stop{false};
  std::atomic<int> heard{0};
  auto ring = b.system->spawn([&](caf::event_based_actor* self) -> caf::behavior {
    return {[&, self](int) {
      ++heard;
      if (!stop) self->send(self, 1);
    }};
  });
  rest();
  {
    actors::host here(b.door);
    caf::anon_send(ring, 1);
  }
  auto before = heard.load();
  while (heard <= before + 50) std::this_thread::yield(); // it goes on without this thread
  stop = true;
}

TEST_CASE("The system's end waits for what a host runs, and after it nobody is a host", "[scheduling]") {
  auto b = std::make_unique<bench>();
  std::atomic<bool> ran{false}, ended{false};
  std::promise<void> inside;
  auto slow = b->listens([&](int) {
    inside.set_value();
    std::this_thread::sleep_for(100ms);
    ran = !ended;
  });
  rest();
  std::thread hosting([&] {
    actors::host here(b->door);
    caf::anon_send(slow, 1);
  });
  inside.get_future().wait();
  slow = nullptr;
  b->system.reset();
  ended = true;
  CHECK(ran);
  hosting.join();
  rest();
  actors::host late(b->door); // of nothing: no scheduler is touched
}
