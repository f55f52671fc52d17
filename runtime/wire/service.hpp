#pragma once
// The doors the wire opens inward. Implemented above (actors, apps); the wire knows neither actors nor Postgres.
#include "runtime/access/access.hpp"
#include "runtime/core/command.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace omnium::wire {

using bytes_ptr = std::shared_ptr<const std::string>;

struct encoded_answer {  // an answer ready for the socket
  int status = 200;      // HTTP
  int retry_after_s = 0; // 0: no Retry-After header
  std::string body;
  std::chrono::nanoseconds in_database{0}; // of the time it took; for metrics
};

struct read_request {
  std::string path;          // decoded, e.g. /fixtures/…/timeline
  std::string query;         // raw, after the '?'
  std::string if_none_match; // header or empty
  access::token_ptr who;     // null: nobody was asked to sign in. A list shows what lies inside the token's limits
};

struct read_reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string etag; // with quotes, or empty
  std::string body;
};

// Something an operator asks the node itself to do: POST /ops/…, its body an object.
struct action_request {
  std::string path, body;
  access::token_ptr who; // null: nobody was asked to sign in
};

// Callbacks may come from any thread, exactly once each. Calls return at once.
class service {
public:
  virtual ~service() = default;
  virtual void submit(command_ptr what, std::function<void(encoded_answer)> done) = 0;
  virtual void preview(command_ptr what, std::function<void(encoded_answer)> done) = 0;
  virtual void read(read_request what, std::function<void(read_reply)> done) = 0;
  virtual void act(action_request what, std::function<void(read_reply)> done) = 0;
};

} // namespace omnium::wire
