#include "tests/e2e/server_support.hpp"

#include "runtime/core/uuid.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <mutex>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace omnium::e2e {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

std::mutex tokens_guard;
std::map<std::string, std::string> tokens;     // by a server's address
std::map<std::string, std::string> first_ones; // by a database's: further nodes on it make none of their own

// For desks, and for the tools that a test starts.
void remember(const std::string& url, const std::string& token) {
  std::lock_guard hold(tokens_guard);
  tokens[url] = token;
  ::setenv("OMNIUM_TOKEN", token.c_str(), 1);
}

} // namespace

std::string token_of(const std::string& url) {
  std::lock_guard hold(tokens_guard);
  auto it = tokens.find(url);
  return it == tokens.end() ? std::string() : it->second;
}

server_process::server_process(server_options options)
    : options_(std::move(options)), scratch_(std::make_unique<temp_folder>()) {
  if (options_.data_dir.empty()) options_.data_dir = scratch_->path() + "/data";
  log_ = scratch_->path() + "/server.log";
}

server_process::~server_process() { kill_9(); }

void server_process::start() {
  std::vector<std::string> words = {
      std::string(OMNIUM_BINARY_DIR) + "/bin/omnium", "serve", "--http.port", "0", "--data.dir", options_.data_dir};
  if (!options_.database_url.empty()) words.insert(words.end(), {"--database.url", options_.database_url});
  if (!options_.sports_dir.empty()) words.insert(words.end(), {"--sports.dir", options_.sports_dir});
  words.insert(words.end(), options_.more.begin(), options_.more.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) != 0)
    throw std::runtime_error("cannot start the server");
  posix_spawn_file_actions_destroy(&actions);
  for (auto until = steady::now() + 60s; steady::now() < until; std::this_thread::sleep_for(10ms)) {
    auto text = output();
    auto from = text.find("Omnium is ready at ");
    auto end = text.find('\n', from == std::string::npos ? 0 : from);
    if (from != std::string::npos && end != std::string::npos) {
      auto address = text.substr(from + 19, end - from - 19);
      auto cut = address.find("/?token=");
      url_ = address.substr(0, address.find('/', 8));
      token_ = cut == std::string::npos ? "" : address.substr(cut + 8);
      // A further node on a database that has one: signed in with that. Its own, ended, stays what it is: none.
      {
        std::lock_guard hold(tokens_guard);
        if (!token_.empty()) first_ones[options_.database_url] = token_;
        else if (!options_.database_url.empty() && ::access((options_.data_dir + "/first-token").c_str(), F_OK) != 0)
          token_ = first_ones[options_.database_url];
      }
      remember(url_, token_);
      return;
    }
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      throw std::runtime_error("the server ended at its start: " + text);
    }
  }
  throw std::runtime_error("the server did not get ready: " + output());
}

void server_process::kill_9() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

int server_process::stop() {
  auto began = steady::now();
  ::kill(pid_, SIGTERM);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  stop_took_ = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - began);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string server_process::output() const {
  std::ifstream in(log_);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string at(const std::string& json, const std::string& pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element root, found;
  if (parser.parse(json).get(root) || root.at_pointer(pointer).get(found)) return {};
  std::string_view text;
  if (!found.get(text)) return std::string(text);
  return simdjson::minify(found);
}

std::string fresh_id() { return to_string(make_uuid7()); }

answered read_answer(const wire::http_result& result) {
  answered out;
  if (!result) return out;
  out.status = result->status;
  out.body = result->body;
  out.outcome = at(out.body, "/outcome");
  out.reason = at(out.body, "/reason/code");
  auto seq = at(out.body, "/seq");
  if (!seq.empty() && seq != "null") out.seq = std::stoll(seq);
  return out;
}

answered desk::send(const std::string& workflow, const std::string& kind, const std::string& ref,
                    const std::string& body) {
  return read_answer(
      http.request("POST", fmt::format("/workflows/{}/subjects/{}/{}/commands", workflow, kind, ref), body));
}

answered desk::match(const std::string& fixture, const std::string& key, const std::string& code,
                     const std::string& input, std::optional<std::int64_t> saw) {
  auto seen = saw ? fmt::format(R"(,"saw":{{"play":{}}})", *saw) : std::string{};
  return send("football", "fixture", fixture,
              fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"desk"{}}})", key, code, input, seen));
}

std::string desk::new_match(const std::string& sport, bool started) {
  auto competition = fresh_id(), fixture = fresh_id();
  auto made =
      send("games", "competition", competition,
           fmt::format(R"({{"key":"{}","code":"games.create_competition","input":{{"name":"Cup"}},"sender":"test"}})",
                       fresh_id()));
  if (made.outcome != "accepted") throw std::runtime_error("no competition: " + made.body);
  made = send(
      "games", "competition", competition,
      fmt::format(
          R"({{"key":"{}","code":"games.create_fixture","input":{{"id":"{}","sport":"{}","home":{{"name":"A"}},"away":{{"name":"B"}}}},"sender":"test"}})",
          fresh_id(), fixture, sport));
  if (made.outcome != "accepted") throw std::runtime_error("no match: " + made.body);
  if (started && match(fixture, fresh_id(), "match.start").outcome != "accepted")
    throw std::runtime_error("the match does not start");
  if (started && sport == "football" &&
      match(fixture, fresh_id(), "football.period", R"({"action":"start","period":"H1"})").outcome != "accepted")
    throw std::runtime_error("the first half does not start");
  return fixture;
}

} // namespace omnium::e2e
