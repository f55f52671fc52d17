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

// Ends its actors: declared behind what they touch.
struct bench {
  explicit bench(std::chrono::nanoseconds gap = 0ns, std::size_t threads = 2) : door(gap), config(threads, door) {}
  actors::host_door door;
  actors::scheduler_config config;
  std::unique_ptr<caf::actor_system> system = std::make_unique<caf::actor_system>(config);

  caf::actor listens(std::function<void(int)> heard, caf::actor next = {}) {
    return system->spawn(listener, std::make_shared<std::function<void(int)>>(std::move(heard)), next);
  }
  // Until all that was told is done.
  void rest() const {
    while (!door.scheduler_sleeps()) std::this_thread::yield();
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

} // namespace

TEST_CASE("A host runs what it told, and only a host", "[scheduling]") {
  std::promise<place> first, second;
  bench b;
  auto one = b.listens([&](int) { first.set_value(std::this_thread::get_id()); });
  auto two = b.listens([&](int) { second.set_value(std::this_thread::get_id()); });
  b.rest();
  CHECK(b.hears(one, first, true) == std::this_thread::get_id());
  b.rest();
  CHECK(b.hears(two, second, false) != std::this_thread::get_id());
}

TEST_CASE("What a hosted actor tells others runs on the host, too, before it is none any more", "[scheduling]") {
  std::vector<place> places;
  auto say = [&](int) { places.push_back(std::this_thread::get_id()); };
  bench b;
  auto chain = b.listens(say, b.listens(say, b.listens(say)));
  b.rest();
  {
    actors::host here(b.door);
    { actors::host again(b.door); } // does nothing: its end is not the first one's
    caf::anon_send(chain, 9);
  }
  CHECK(places == std::vector<place>(3, std::this_thread::get_id()));
}

TEST_CASE("A thread that was a host a moment ago leaves the work to the scheduler", "[scheduling]") {
  std::promise<place> first, second;
  bench b(1h);
  auto one = b.listens([&](int) { first.set_value(std::this_thread::get_id()); });
  auto two = b.listens([&](int) { second.set_value(std::this_thread::get_id()); });
  std::thread([&] { // of its own: this thread has been a host in other cases
    b.rest();
    CHECK(b.hears(one, first, true) == std::this_thread::get_id());
    b.rest();
    CHECK(b.hears(two, second, true) != std::this_thread::get_id());
  })
      .join();
}

TEST_CASE("While one of the scheduler's threads is awake, it gets the work", "[scheduling]") {
  std::promise<void> busy, go_on;
  std::promise<place> at;
  auto held = go_on.get_future();
  bench b;
  auto blocker = b.listens([&](int) {
    busy.set_value();
    held.wait();
  });
  auto other = b.listens([&](int) { at.set_value(std::this_thread::get_id()); });
  b.rest();
  caf::anon_send(blocker, 1);
  busy.get_future().wait();
  CHECK(b.hears(other, at, true) != std::this_thread::get_id());
  go_on.set_value();
}

TEST_CASE("A host's line is bounded: the scheduler takes the rest, and nothing is lost", "[scheduling]") {
  constexpr int many = 40;
  std::atomic<int> here_ran{0}, all{0};
  std::promise<void> done;
  auto mine = std::this_thread::get_id();
  bench b;
  std::vector<caf::actor> listeners;
  for (int i = 0; i < many; ++i)
    listeners.push_back(b.listens([&](int) {
      if (std::this_thread::get_id() == mine) ++here_ran;
      if (++all == many) done.set_value();
    }));
  b.rest();
  {
    actors::host here(b.door);
    for (const auto& to : listeners) caf::anon_send(to, 1);
  }
  done.get_future().wait();
  CHECK(here_ran > 0);
  CHECK(here_ran <= 4);
}

TEST_CASE("A host runs sixteen actors of a chain at most, and the scheduler goes on with it", "[scheduling]") {
  constexpr int many = 30;
  std::atomic<int> here_ran{0};
  std::promise<void> done;
  auto mine = std::this_thread::get_id();
  bench b;
  caf::actor first;
  for (int i = 0; i < many; ++i)
    first = b.listens(
        [&, i](int) {
          if (std::this_thread::get_id() == mine) ++here_ran;
          if (i == 0) done.set_value();
        },
        first);
  b.rest();
  {
    actors::host here(b.door);
    caf::anon_send(first, many);
  }
  done.get_future().wait();
  CHECK(here_ran == 16);
}

TEST_CASE("Two actors that wake each other without end do not keep a thread from all others", "[scheduling]") {
  std::atomic<bool> stop{false};
  std::promise<void> served;
  auto other_served = served.get_future();
  auto back = [&](caf::event_based_actor* self) -> caf::behavior {
    return {[&, self](caf::actor to) {
      if (!stop) self->send(to, caf::actor{self});
    }};
  };
  bench b(0ns, 1);
  auto one = b.system->spawn(back), two = b.system->spawn(back);
  auto other = b.listens([&](int) { served.set_value(); });
  b.rest();
  caf::anon_send(one, two);
  caf::anon_send(other, 1);
  CHECK(other_served.wait_for(10s) == std::future_status::ready);
  stop = true;
}

TEST_CASE("An actor that never ends telling itself something does not keep its host", "[scheduling]") {
  std::atomic<bool> stop{false};
  std::atomic<int> heard{0};
  bench b;
  auto ring = b.system->spawn([&](caf::event_based_actor* self) -> caf::behavior {
    return {[&, self](int) {
      ++heard;
      if (!stop) self->send(self, 1);
    }};
  });
  b.rest();
  {
    actors::host here(b.door);
    caf::anon_send(ring, 1);
  }
  auto before = heard.load();
  while (heard <= before + 50) std::this_thread::yield(); // it goes on without this thread
  stop = true;
}

TEST_CASE("The system's end waits for who is a host, and after it nobody is one", "[scheduling]") {
  std::atomic<bool> ended{false}, left{false};
  std::promise<void> inside;
  bench b;
  std::thread hosting([&] {
    {
      actors::host here(b.door);
      inside.set_value();
      while (b.door.is_open()) std::this_thread::yield();
      for (int i = 0; i < 20'000 && !ended; ++i) std::this_thread::yield(); // time enough for an end that does not wait
      left = !ended;
    }
    actors::host late(b.door); // of nothing: no scheduler is touched
  });
  inside.get_future().wait();
  b.system.reset();
  ended = true;
  hosting.join();
  CHECK(left);
}
