#include "bench/troubles.hpp"

#include "runtime/wire/http_client.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fmt/format.h>

namespace omnium::bench {
namespace {

// The process ids an operator sees in the supervision tree, as far as they are children of `server`.
std::vector<pid_t> workers_of(wire::http_client& http, pid_t server) {
  std::vector<pid_t> out;
  auto page = http.request("GET", "/ops/tree");
  if (!page) return out;
  constexpr std::string_view name = R"("pid":)";
  for (auto at = page->body.find(name); at != std::string::npos; at = page->body.find(name, at + 1)) {
    pid_t pid = 0;
    std::from_chars(page->body.data() + at + name.size(), page->body.data() + page->body.size(), pid);
    if (pid > 1 && parent_of(pid) == server) out.push_back(pid);
  }
  return out;
}

} // namespace

troubles::troubles(const scenario& what, const run_options& options,
                   const std::vector<std::shared_ptr<connection>>& connections, steady::time_point begin)
    : what_(what), options_(options), connections_(connections), begin_(begin), next_(begin), lot_(what.seed) {
  next_ += std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(what.fault_every_seconds));
}

void troubles::tick() {
  if (what_.faults.empty() || steady::now() < next_ || !error_.empty()) return;
  next_ += std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(what_.fault_every_seconds));
  put_in(what_.faults[count_++ % what_.faults.size()]);
}

void troubles::put_in(trouble_kind what) {
  auto at = std::chrono::duration<double>(steady::now() - begin_).count();
  std::string told;
  if (what == trouble_kind::cut) told = cut();
  else if (what == trouble_kind::worker_kill) told = kill_worker();
  else told = restart(what == trouble_kind::server_kill ? SIGKILL : SIGTERM);
  done_.push_back({at, std::move(told)});
}

std::string troubles::cut() {
  auto count = std::max<std::size_t>(1, connections_.size() / 10);
  for (std::size_t i = 0; i < count; ++i) connections_[lot_() % connections_.size()]->cut();
  return fmt::format("{} connections cut", count);
}

std::string troubles::kill_worker() {
  wire::http_client http(options_.url);
  if (!options_.token.empty()) http.always("Authorization", "Bearer " + options_.token);
  auto pids = workers_of(http, options_.server->pid());
  if (pids.empty()) return "no worker to kill";
  auto pid = pids[lot_() % pids.size()];
  ::kill(pid, SIGKILL);
  return fmt::format("worker {} killed", pid);
}

std::string troubles::restart(int signal) {
  options_.server->stop(signal);
  error_ = options_.server->start();
  return signal == SIGKILL ? "server killed and started" : "server stopped and started";
}

void troubles::finish() {
  if (options_.server != nullptr && options_.server->pid() <= 0 && error_.empty()) error_ = options_.server->start();
}

bool troubles::restarts_server() const {
  return std::any_of(what_.faults.begin(), what_.faults.end(), [](trouble_kind kind) {
    return kind == trouble_kind::server_kill || kind == trouble_kind::server_restart;
  });
}

} // namespace omnium::bench
