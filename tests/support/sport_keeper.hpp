#pragma once
// What the tests of sport workers share: a keeper that waits for its answer, and plugins built for the tests.
#include "runtime/sport/worker.hpp"

#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace omnium::sport_tests {

inline sport::worker_options options_of(const std::string& plugin) {
  sport::worker_options out;
  out.worker_program = OMNIUM_BINARY_DIR "/bin/omnium-sport-worker";
  out.plugin_file = plugin;
  out.sport = "petanque";
  out.version = "1.0.0";
  return out;
}
inline sport::worker_options petanque() { return options_of(OMNIUM_BINARY_DIR "/examples/petanque/1.0.0/plugin.so"); }

inline road::sport_event event(std::int64_t seq, std::string code, std::string input = "{}") {
  return {seq, std::move(code), std::move(input), "2026-10-05T14:03:11.250Z", true};
}

// Waits for `what` up to 10 s.
inline bool eventually(const std::function<bool()>& what) {
  for (int i = 0; i < 2000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return what();
}

class keeper {
public:
  explicit keeper(sport::worker_options options)
      : worker_(std::move(options), [this](std::string_view line) {
          std::lock_guard lock(guard_);
          lines_.emplace_back(line);
        }) {}

  road::run_reply run(road::run_request request) {
    std::promise<road::run_reply> answer;
    const auto began = std::chrono::steady_clock::now();
    worker_.run({std::make_shared<const road::run_request>(std::move(request))},
                [&](std::vector<sport::heard_run> heard, bool) {
                  if (!heard.empty()) answer.set_value(std::move(*heard.front().reply));
                });
    auto reply = answer.get_future().get();
    took_ = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    return reply;
  }
  struct told {
    std::optional<road::run_reply> reply; // nullopt: given back
    std::chrono::milliseconds after{};
  };
  // A group; by its requests' order.
  std::vector<told> run_together(std::vector<road::run_request> requests) {
    std::vector<std::shared_ptr<const road::run_request>> group;
    for (auto& one : requests) group.push_back(std::make_shared<const road::run_request>(std::move(one)));
    std::vector<told> out(group.size());
    std::promise<void> free;
    const auto began = std::chrono::steady_clock::now();
    worker_.run(std::move(group), [&](std::vector<sport::heard_run> heard, bool last) {
      const auto after = std::chrono::steady_clock::now() - began;
      for (auto& one : heard)
        out.at(one.index) = {std::move(one.reply), std::chrono::duration_cast<std::chrono::milliseconds>(after)};
      if (last) free.set_value();
    });
    free.get_future().get();
    return out;
  }
  std::chrono::milliseconds took() const { return took_; }
  sport::worker_status status() const { return worker_.status(); }
  std::vector<std::string> lines() const {
    std::lock_guard lock(guard_);
    return lines_;
  }
  bool logged(const std::string& part) const {
    for (const auto& line : lines())
      if (line.find(part) != std::string::npos) return true;
    return false;
  }

private:
  mutable std::mutex guard_;
  std::vector<std::string> lines_;
  std::chrono::milliseconds took_{};
  sport::worker worker_;
};

} // namespace omnium::sport_tests
