// What the server says of its own process.
#include "runtime/ops/process.hpp"
#include "tests/catch.hpp"

#include <fcntl.h>
#include <future>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace omnium::ops;

TEST_CASE("a process's figures follow what it does: memory it touches, descriptors, threads, work") {
  auto before = look_at_process();
  CHECK(before.resident_bytes > 1e6);
  CHECK(before.threads >= 1);
  CHECK(before.open_descriptors >= 3);
  std::vector<char> much(64 << 20, 'x');
  int one = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  std::promise<void> enough;
  std::thread other([wait = enough.get_future()] { wait.wait(); });
  std::uint64_t work = 0;
  while (look_at_process().cpu_seconds < before.cpu_seconds + 0.02) work += much[work % much.size()];
  auto now = look_at_process();
  enough.set_value();
  other.join();
  ::close(one);
  CHECK(now.resident_bytes > before.resident_bytes + 50e6);
  CHECK(now.threads == before.threads + 1);
  CHECK(now.open_descriptors == before.open_descriptors + 1);
}

TEST_CASE("each exposition has the process's figures anew, and its processor time never runs backwards") {
  metrics_registry registry;
  measure_process(registry);
  auto figure = [&](const std::string& name) {
    auto text = "\n" + registry.expose();
    auto at = text.find("\n" + name + " ");
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + name.size() + 2));
  };
  CHECK(figure("omnium_process_resident_memory_bytes") > 1e6);
  CHECK(figure("omnium_process_threads") >= 1);
  CHECK(figure("omnium_process_open_fds") >= 3);
  auto first = figure("omnium_process_cpu_seconds_total");
  auto until = look_at_process().cpu_seconds + 0.02;
  while (look_at_process().cpu_seconds < until) {
  }
  CHECK(figure("omnium_process_cpu_seconds_total") >= first + 0.02);
}
