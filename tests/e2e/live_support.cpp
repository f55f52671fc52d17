#include "tests/e2e/live_support.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace omnium::e2e {

std::uint16_t port_of(const server_process& server) {
  return static_cast<std::uint16_t>(std::stoi(server.url().substr(server.url().rfind(':') + 1)));
}

testing::swarm::options to(const server_process& server, bool reconnect) {
  testing::swarm::options out;
  out.port = port_of(server);
  out.token = server.token();
  out.reconnect = reconnect;
  return out;
}

std::int64_t resident_kb(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::stoll(line.substr(6));
  return -1;
}

double cpu_seconds(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string text((std::istreambuf_iterator<char>(in)), {});
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string word;
  for (int i = 3; i < 14; ++i) rest >> word;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

int from_environment(const char* name, int usual) {
  const char* given = std::getenv(name);
  return given == nullptr ? usual : std::atoi(given);
}

double at_metric(const std::string& url, const std::string& name) {
  auto page = desk(url).get("/metrics");
  if (!page) return -1;
  auto from = page->body.find("\n" + name + " ");
  return from == std::string::npos ? 0 : std::stod(page->body.substr(from + name.size() + 2));
}

std::int64_t version_of(std::string_view frame) {
  auto at = frame.find("\"version\":");
  return at == frame.npos ? -1 : std::atoll(frame.data() + at + 10);
}

scorer::scorer(const std::string& url, std::string fixture, std::size_t text_bytes, std::chrono::milliseconds pause,
               testing::latency_book* book, std::size_t number)
    : fixture_(std::move(fixture)), book_(book), number_(number),
      thread_([this, url, text_bytes, pause] { loop(url, text_bytes, pause); }) {}

void scorer::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void scorer::loop(const std::string& url, std::size_t text_bytes, std::chrono::milliseconds pause) {
  desk mine(url);
  auto input = fmt::format(R"({{"text":"{}"}})", std::string(text_bytes, 'x'));
  while (!stopping_) {
    auto answer = mine.match(fixture_, fresh_id(), "match.note", input);
    if (answer.outcome == "accepted") {
      if (book_ != nullptr) book_->answered(number_, answer.seq);
      version_ = answer.seq;
    } else ++failed_;
    std::this_thread::sleep_for(pause);
  }
}

} // namespace omnium::e2e
