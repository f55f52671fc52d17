// omnium replay against the real server and database: recorded matches arrive at their known results, and a second run
// changes not one row.
#include "tests/catch.hpp"
#include "tests/e2e/server_support.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace omnium::e2e;

namespace {

struct run_result {
  int status = -1;
  std::vector<std::string> lines; // of its output
  const std::string& last() const { return lines.back(); }
};

run_result replay(const std::string& url, const std::string& words) {
  // Its sentences go to the test's own stderr, the JSON lines are read here.
  auto* pipe = popen(fmt::format("'{}/bin/omnium' replay --url {} {}", OMNIUM_BINARY_DIR, url, words).c_str(), "r");
  REQUIRE(pipe != nullptr);
  run_result out;
  std::string text;
  char buffer[4096];
  while (const auto got = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  const int status = pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    out.lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  REQUIRE(!out.lines.empty());
  return out;
}

std::string data(const std::string& name) { return "'" OMNIUM_SOURCE_DIR "/tests/data/football/" + name + "'"; }

struct stage {
  database db;
  server_process server{{.database_url = db.url()}};
  stage() { server.start(); }

  // Everything that a command could change, as one number.
  std::string rows() const {
    std::string out;
    for (const char* table :
         {"timeline_item", "domain_event", "command", "competition", "participant", "fixture", "fixture_competitor"})
      out += fmt::format("{} {} ", table, db.count(fmt::format("SELECT count(*) FROM {}", table)));
    return out + std::to_string(db.count("SELECT coalesce(sum(last_seq), 0)::bigint FROM fixture"));
  }
};

} // namespace

TEST_CASE("the World Cup final of 2018 is replayed to 4-2, and a second run is all duplicates") {
  stage s;
  const auto first = replay(s.server.url(), "--format wyscout " + data("wyscout/2058017.json"));
  CHECK(first.status == 0);
  CHECK(at(first.last(), "/scoreboard/score") == R"({"home":4,"away":2})");
  CHECK(at(first.last(), "/scoreboard/status") == "ended");
  CHECK(at(first.last(), "/accepted") == at(first.last(), "/sent"));
  CHECK(at(first.last(), "/refused") == "0");
  const auto rows = s.rows();
  const auto second = replay(s.server.url(), "--format wyscout " + data("wyscout/2058017.json"));
  CHECK(second.status == 0);
  CHECK(at(second.last(), "/duplicate") == at(first.last(), "/sent"));
  CHECK(at(second.last(), "/accepted") == "0");
  CHECK(at(second.last(), "/scoreboard") == at(first.last(), "/scoreboard"));
  CHECK(s.rows() == rows);
}

TEST_CASE("Germany against Italy in 2016 is replayed to 1-1 with a shoot-out of 6-5") {
  stage s;
  const auto run = replay(s.server.url(), "--format wyscout " + data("wyscout/1694436.json"));
  CHECK(run.status == 0);
  CHECK(at(run.last(), "/scoreboard/score") == R"({"home":1,"away":1})");
  CHECK(at(run.last(), "/scoreboard/shootout") == R"({"home":6,"away":5})");
}

TEST_CASE("two World Cups are replayed over four connections, and the last line has the sums") {
  stage s;
  const auto words = fmt::format("--format openfootball {} {} --parallel 4", data("openfootball/worldcup_2018.json"),
                                 data("openfootball/worldcup_2022.json"));
  const auto first = replay(s.server.url(), words);
  CHECK(first.status == 0);
  CHECK(first.lines.size() == 129);
  CHECK(at(first.last(), "/fixtures") == "128");
  CHECK(at(first.last(), "/accepted") == at(first.last(), "/sent"));
  const auto rows = s.rows();
  const auto second = replay(s.server.url(), words);
  CHECK(second.status == 0);
  CHECK(at(second.last(), "/duplicate") == at(first.last(), "/sent"));
  CHECK(s.rows() == rows);
}

TEST_CASE("a replay that may not create its competition ends with a line of JSON all the same") {
  stage s;
  const auto rows = s.rows();
  const auto run = replay(s.server.url(), "--token nobody --format wyscout " + data("wyscout/2058017.json"));
  CHECK(run.status == 1);
  CHECK(at(run.last(), "/sent") == "0");
  CHECK(at(run.last(), "/scoreboard") == "null");
  CHECK(s.rows() == rows);
}

TEST_CASE("a replay writes what became of every row of every match into a file") {
  stage s;
  const omnium::testing::temp_folder folder;
  const auto rows = folder.path() + "/rows.jsonl";
  const auto words =
      fmt::format("--format openfootball {} --parallel 4 --rows {}", data("openfootball/worldcup_2018.json"), rows);
  const auto run = replay(s.server.url(), words);
  CHECK(run.status == 0);
  std::map<std::string, std::vector<std::string>> seqs; // of each match, in the file's order
  std::ifstream file(rows);
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    if (at(line, "/outcome") != "accepted") FAIL_CHECK(line);
    seqs[at(line, "/fixture")].push_back(at(line, "/seq"));
  }
  CHECK(std::to_string(count) == at(run.last(), "/sent"));
  CHECK(seqs.size() == 64);
  for (const auto& [fixture, own] : seqs)
    for (std::size_t i = 1; i < own.size(); ++i)
      if (std::stoll(own[i]) <= std::stoll(own[i - 1])) FAIL_CHECK(fixture << " is not in order");
  const auto nowhere =
      fmt::format("'{}/bin/omnium' replay --url {} --format openfootball {} --rows {}/none/rows", OMNIUM_BINARY_DIR,
                  s.server.url(), data("openfootball/worldcup_2022.json"), folder.path());
  CHECK(WEXITSTATUS(std::system(nowhere.c_str())) == 2);
  CHECK(s.db.count("SELECT count(*) FROM fixture") == 64); // and nothing was sent
}

TEST_CASE("one match of many is replayed by its key, and what cannot be replayed is said") {
  stage s;
  const auto run = replay(s.server.url(),
                          fmt::format("--format openfootball {} --match 'World Cup 2022:2022-12-18:Argentina:France'",
                                      data("openfootball/worldcup_2022.json")));
  CHECK(run.status == 0);
  CHECK(run.lines.size() == 1);
  CHECK(at(run.last(), "/scoreboard/score") == R"({"home":3,"away":3})");
  CHECK(at(run.last(), "/scoreboard/shootout") == R"({"home":4,"away":2})");
}

TEST_CASE("an import killed at any row and begun again, many times, ends as one that was never disturbed") {
  const auto file = std::string(OMNIUM_SOURCE_DIR "/tests/data/football/wyscout/2058017.json");
  const std::string log = "SELECT md5(string_agg(stream_id || ' ' || seq || ' ' || code || ' ' || input || ' ' || key, "
                          "'|' ORDER BY stream_id, seq)) FROM timeline_item";
  stage calm, hurt;
  const auto words = [&](const stage& s) {
    return fmt::format("--token {} --format wyscout '{}'", s.server.token(), file);
  };
  const auto whole = replay(calm.server.url(), words(calm));
  REQUIRE(whole.status == 0);
  const auto program = fmt::format("{}/bin/omnium", OMNIUM_BINARY_DIR);
  const auto token = hurt.server.token();
  int killed = 0;
  std::int64_t rows = 0;
  std::set<std::int64_t> places;
  for (int i = 0; i < 200; ++i) {
    const auto pid = ::fork();
    if (pid == 0) {
      const int nothing = ::open("/dev/null", O_WRONLY);
      ::dup2(nothing, 1), ::dup2(nothing, 2);
      ::execl(program.c_str(), program.c_str(), "replay", "--url", hurt.server.url().c_str(), "--token", token.c_str(),
              "--format", "wyscout", file.c_str(), nullptr);
      ::_exit(127);
    }
    REQUIRE(pid > 0);
    // Until it has got a little further than the one before it.
    bool ended = false;
    int status = 0;
    while (!ended && hurt.db.count("SELECT count(*) FROM timeline_item") < rows + 1 + i % 5)
      ended = ::waitpid(pid, &status, WNOHANG) == pid;
    if (ended) {
      CHECK(WEXITSTATUS(status) == 0);
      break;
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    rows = hurt.db.count("SELECT count(*) FROM timeline_item");
    places.insert(rows);
  }
  CAPTURE(killed, places.size());
  CHECK(killed >= 10);
  CHECK(places.size() >= 10);
  const auto last = replay(hurt.server.url(), words(hurt));
  CHECK(last.status == 0);
  CHECK(at(last.last(), "/duplicate") == at(last.last(), "/sent"));
  CHECK(at(last.last(), "/scoreboard") == at(whole.last(), "/scoreboard"));
  CHECK(hurt.rows() == calm.rows());
  CHECK(hurt.db.ask(log) == calm.db.ask(log)); // row for row, under the same ids
}
