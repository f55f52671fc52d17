#include "runtime/ops/notify.hpp"

#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace omnium::ops {

bool notify(const std::string& what) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return false;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  auto length = std::strlen(path);
  if (length >= sizeof to.sun_path) return false;
  std::memcpy(to.sun_path, path, length);
  if (path[0] == '@') to.sun_path[0] = '\0'; // the abstract namespace
  int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  auto sent = ::sendto(fd, what.data(), what.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&to), size);
  ::close(fd);
  return sent == static_cast<ssize_t>(what.size());
}

std::chrono::milliseconds watchdog_period() {
  const char* whose = std::getenv("WATCHDOG_PID");
  if (whose != nullptr && std::atol(whose) != ::getpid()) return {};
  const char* length = std::getenv("WATCHDOG_USEC");
  auto us = length == nullptr ? 0 : std::atoll(length);
  return us > 0 ? std::chrono::milliseconds(us / 2000) : std::chrono::milliseconds(0);
}

} // namespace omnium::ops
