#include "runtime/ops/notify.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace omnium::ops;
using namespace std::chrono_literals;

TEST_CASE("systemd hears what is said, on the socket it names") {
  ::unsetenv("NOTIFY_SOCKET");
  CHECK_FALSE(notify("READY=1"));
  std::string path = "/tmp/omnium-notify-" + std::to_string(::getpid());
  int fd = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un here{};
  here.sun_family = AF_UNIX;
  std::strcpy(here.sun_path, path.c_str());
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&here), sizeof here) == 0);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  CHECK(notify("READY=1\nSTATUS=here"));
  char buffer[64] = {};
  REQUIRE(::recv(fd, buffer, sizeof buffer - 1, MSG_DONTWAIT) > 0);
  CHECK(std::string(buffer) == "READY=1\nSTATUS=here");
  ::close(fd);
  ::unlink(path.c_str());
  CHECK_FALSE(notify("READY=1"));
  ::unsetenv("NOTIFY_SOCKET");
}

TEST_CASE("the watchdog is fed at half its time, by the process it watches") {
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
  CHECK(watchdog_period() == 0ms);
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  CHECK(watchdog_period() == 15s);
  ::setenv("WATCHDOG_PID", "1", 1);
  CHECK(watchdog_period() == 0ms);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  CHECK(watchdog_period() == 15s);
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
}
