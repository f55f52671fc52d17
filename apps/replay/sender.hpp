#pragma once
// One command over HTTP until its outcome is settled: a `try_again`, and a request that died on the way, are sent again
// with the same key, after the wait the server asked for or one that doubles. Source: contract section 2.
#include "runtime/core/answer.hpp"
#include "runtime/wire/http_client.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace omnium::replay {

inline constexpr int tries_max = 12; // of one command, about half a minute in all; beyond: the match is given up
inline constexpr std::chrono::milliseconds first_wait{100}, longest_wait{5'000};

// How a sender reaches the outside; tests put their own in.
struct door {
  std::function<wire::http_result(std::string_view method, std::string_view target, std::string_view body)> request;
  std::function<void(std::chrono::milliseconds)> sleep;
};
// A kept-alive connection to `url`; `token` empty: none is sent. Owned by one thread.
door http_door(const std::string& url, const std::string& token);

struct tally {
  std::int64_t sent = 0; // commands, however often each travelled
  std::int64_t accepted = 0, duplicate = 0, refused = 0, conflict = 0;
  std::int64_t try_again = 0; // answers
  tally& operator+=(const tally& more);
};

struct settled {
  outcome what = outcome::try_again; // try_again: given up
  std::optional<std::int64_t> seq;   // the log row, also of a duplicate
  bool refused_before = false;       // a duplicate of a refusal
  std::string reason;                // code
  std::string message;               // one sentence; of a duplicate the first answer's
};

struct command_text {
  std::string workflow, kind, ref; // of the path
  std::string key, code, input;
};

class sender {
public:
  explicit sender(door to) : door_(std::move(to)) {}

  settled send(const command_text& what, tally& count);
  // The body of a read, likewise repeated while the server cannot answer; nullopt: `why` is a sentence.
  std::optional<std::string> read(std::string_view target, std::string& why);
  void sleep(std::chrono::milliseconds time) { door_.sleep(time); }

private:
  door door_;
};

} // namespace omnium::replay
