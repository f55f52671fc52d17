#pragma once
// Screens by the hundred on a real server: where it listens, what it holds in memory, and a scorer with a thread of its
// own.
#include "tests/e2e/server_support.hpp"
#include "tests/support/latency_book.hpp"
#include "tests/support/swarm.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace omnium::e2e {

std::uint16_t port_of(const server_process& server);
// Where a swarm's screens go, signed in with the server's first token.
testing::swarm::options to(const server_process& server, bool reconnect = false);
std::int64_t resident_kb(pid_t pid);
double cpu_seconds(pid_t pid); // user and system, of the process itself
// A figure of a test that a person may want larger than a test run has time for; from the environment, else `usual`.
int from_environment(const char* name, int usual);
// A metric's value as GET /metrics shows it; 0 when it is not there.
double at_metric(const std::string& url, const std::string& name);
// The version in a change frame.
std::int64_t version_of(std::string_view frame);

// Sends notes on one match, one after the other, until told to stop.
class scorer {
public:
  scorer(const std::string& url, std::string fixture, std::size_t text_bytes, std::chrono::milliseconds pause,
         testing::latency_book* book = nullptr, std::size_t number = 0); // of the match, in the book
  ~scorer() { stop(); }
  void stop();
  std::int64_t version() const { return version_; } // of the last one accepted
  int failed() const { return failed_; }            // answers other than accepted

private:
  void loop(const std::string& url, std::size_t text_bytes, std::chrono::milliseconds pause);
  std::string fixture_;
  testing::latency_book* book_;
  std::size_t number_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> version_{0};
  std::atomic<int> failed_{0};
  std::thread thread_;
};

} // namespace omnium::e2e
