#pragma once
// The real thing for tests: one private Postgres cluster for the whole program, a fresh database for each test case,
// and as many `omnium serve` processes on it as wanted, on free ports. Everything ends with its owner.
#include "runtime/wire/http_client.hpp"
#include "tests/support/database.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace omnium::e2e {

using testing::database;
using testing::temp_folder;

struct server_options {
  std::string database_url; // empty: the embedded cluster in data_dir
  std::string data_dir, sports_dir;
  std::vector<std::string> more; // further words of the command line
};

class server_process {
public:
  explicit server_process(server_options options);
  ~server_process(); // SIGKILL if still there
  server_process(const server_process&) = delete;
  server_process& operator=(const server_process&) = delete;

  void start(); // waits until it says it is ready
  void kill_9();
  int stop(); // SIGTERM; the exit status
  std::chrono::milliseconds stop_took() const { return stop_took_; }
  const std::string& url() const { return url_; }
  // The first one of its data folder, an admin's; of a further node on a database that one of the node before it.
  const std::string& token() const { return token_; }
  pid_t pid() const { return pid_; }
  std::string output() const; // what it printed and logged

private:
  server_options options_;
  std::unique_ptr<temp_folder> scratch_;
  std::string log_, url_, token_;
  pid_t pid_ = -1;
  std::chrono::milliseconds stop_took_{};
};

// The answer of a command, taken apart.
struct answered {
  int status = 0; // 0: the request died on the way
  std::string body, outcome, reason;
  std::int64_t seq = 0;
};

// The first token of a server that this program started last at `url`; empty: there is none.
std::string token_of(const std::string& url);

// A desk: sends commands to one server over one kept-alive connection.
class desk {
public:
  // Signed in with the first token of the server_process at that address, or with another one.
  explicit desk(const std::string& url) : desk(url, token_of(url)) {}
  desk(const std::string& url, const std::string& token) : http(url) {
    if (!token.empty()) http.always("Authorization", "Bearer " + token);
  }
  answered send(const std::string& workflow, const std::string& kind, const std::string& ref, const std::string& body);
  // A command of a match: {"key","code","input","sender"[,"saw"]}.
  answered match(const std::string& fixture, const std::string& key, const std::string& code,
                 const std::string& input = "{}", std::optional<std::int64_t> saw = std::nullopt);
  // A started match of a sport; returns its id.
  std::string new_match(const std::string& sport = "football", bool started = true);
  wire::http_result get(const std::string& target) { return http.request("GET", target); }

  wire::http_client http;
};

answered read_answer(const wire::http_result& result);
// A value of a JSON text by pointer, minified; empty when there is none.
std::string at(const std::string& json, const std::string& pointer);
std::string fresh_id();

} // namespace omnium::e2e
