// What an operator types, and reads: words that are wrong, settings that lead nowhere, the log turned over, names.
#include "tests/catch.hpp"
#include "tests/e2e/ctl_support.hpp"
#include "tests/e2e/server_support.hpp"
#include "tests/support/within.hpp"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

using namespace omnium::e2e;
using namespace std::chrono_literals;
using omnium::testing::within;
namespace fs = std::filesystem;

namespace {

bool has(const said& what, const std::string& part) { return what.text.find(part) != std::string::npos; }

std::string text_of(const std::string& file) {
  std::stringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

} // namespace

TEST_CASE("a setting that leads nowhere is told by a check and refused by a start, with the option's name") {
  temp_folder folder;
  const auto where = " --http.port 0 --data.dir " + folder.path() + "/data";
  for (const std::string words :
       {"--log.file /omnium-is-not-there/x", "--alerts.webhook_url ftp://x", "--alerts.mail_server x",
        "--alerts.tls_ca /omnium-is-not-there", "--http.static_dir /omnium-is-not-there", "--http.allowed_origins foo",
        "--database.url nonsense", "--sports.dir /omnium-is-not-there",
        "--http.tls_certificate /omnium-is-not-there --http.tls_key /omnium-is-not-there"}) {
    const auto option = words.substr(2, words.find(' ') - 2);
    for (const std::string how : {"--check-config ", ""}) {
      INFO(how << words);
      const auto told = omnium_says("serve " + how + words + where);
      CHECK(told.status == 2);
      CHECK(has(told, "omnium: " + option));
      CHECK_FALSE(has(told, "ready"));
      CHECK_FALSE(has(told, "is good"));
    }
  }
  CHECK_FALSE(fs::exists("/omnium-is-not-there"));
  CHECK(omnium_says("serve --check-config" + where).status == 0);
}

TEST_CASE("SIGHUP opens the log's file anew") {
  database db;
  temp_folder folder;
  const auto log = folder.path() + "/omnium.log", old = log + ".1";
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {"--log.file", log}});
  node.start();
  REQUIRE(fs::exists(log));
  fs::rename(log, old);
  ::kill(node.pid(), SIGHUP);
  CHECK(within(10s, [&] { return text_of(log).find("the configuration was reloaded") != std::string::npos; }));
  CHECK(text_of(old).find("the configuration was reloaded") == std::string::npos);
  CHECK(node.stop() == 0);
  CHECK(text_of(log).find("stopped") != std::string::npos);
}

TEST_CASE("a wrong word is named, and what could stand there") {
  CHECK(omnium_says("--version").text.starts_with("omnium "));
  CHECK(has(omnium_says("serve --help"), "--alerts.webhook_url"));
  CHECK(has(omnium_says("serve --help"), "--print-config"));
  auto told = omnium_says("ctl bogus");
  CHECK(told.status == 2);
  CHECK(has(told, "there is no \"bogus\""));
  CHECK(has(told, "matches"));
  told = omnium_says("ctl alerts bogus");
  CHECK(told.status == 2);
  CHECK(has(told, "there is no \"bogus\" of alerts. Known are: list, ack, silence."));
  told = omnium_says("ctl help");
  CHECK(told.status == 0);
  CHECK(has(told, "matches"));
  CHECK(has(omnium_says("ctl trace --match nope"), "the id of a match (a UUID)"));
  told = omnium_says("ctl alerts silence disk-low --minutes -5");
  CHECK(told.status == 2);
  CHECK(has(told, "--minutes"));
  CHECK_FALSE(has(told, "body"));
}

TEST_CASE("whose word an acknowledgement or a silence is: the name given, where the token may name another") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  auto told = ctl(node.url(), "alerts silence disk-low --minutes 5 --who Ada");
  CHECK(told.text == "done, by Ada\n");
  told = ctl(node.url(), "alerts list");
  CHECK(has(told, "silenced  key  until"));
  CHECK(has(told, "disk-low  *"));
  CHECK(has(told, "Ada"));
  const auto first = db.ask("SELECT name FROM access_token");
  CHECK(ctl(node.url(), "alerts silence disk-low --minutes 5").text == "done\n");
  CHECK(db.ask("SELECT who FROM alert_silence") == first);
  // An operator may not, and hears so.
  auto made = ctl(node.url(), "tokens create --name olga --role operator");
  const auto olga = made.text.substr(made.text.rfind("omn_"), 47);
  told = ctl(node.url(), "--token " + olga + " alerts silence disk-low --minutes 5 --who Ada");
  CHECK(has(told, "done, by olga"));
  CHECK(has(told, "may not name another"));
  CHECK(db.ask("SELECT who FROM alert_silence") == "olga");
  db.run("INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('disk-low', 'here', 1, 'detail', 'test')");
  REQUIRE(within(10s, [&] { return db.count("SELECT count(*) FROM alert WHERE state = 'open'") == 1; }));
  CHECK(ctl(node.url(), "alerts ack " + db.ask("SELECT id FROM alert") + " --who Ada").text == "done, by Ada\n");
  CHECK(db.ask("SELECT acknowledged_by FROM alert") == "Ada");
}

TEST_CASE("a token's limits are listed, and one that names nothing yet is warned of") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  desk d(node.url());
  const auto fixture = d.new_match(), nowhere = fresh_id();
  const auto competition = db.ask("SELECT competition_id FROM fixture WHERE id = '" + fixture + "'");
  auto told = ctl(node.url(), "tokens create --name here --competition " + competition + " --fixture " + fixture);
  CHECK(told.status == 0);
  CHECK_FALSE(has(told, "there is no"));
  told = ctl(node.url(), "tokens create --name nowhere --competition " + nowhere);
  CHECK(told.status == 0);
  CHECK(has(told, "there is no competition " + nowhere));
  told = ctl(node.url(), "tokens list");
  CHECK(has(told, "limited_to"));
  CHECK(has(told, "competition " + competition + ", fixture " + fixture));
  CHECK(has(told, "competition " + nowhere));
}

TEST_CASE("without a token the tool says where it looks for one, and against plain HTTP that no TLS is spoken there") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  ::unsetenv("OMNIUM_TOKEN");
  for (const std::string words : {"health", "restart matches", "releases default football 1 "}) {
    INFO(words);
    const auto told = ctl(node.url(), "--data /omnium-is-not-there " + words);
    CHECK(told.status == 1);
    for (auto part : {"--token", "OMNIUM_TOKEN", "--data", "/omnium-is-not-there"}) CHECK(has(told, part));
    CHECK_FALSE(has(told, "Bearer"));
  }
  auto secret = node.url();
  secret.replace(0, 4, "https");
  CHECK(has(ctl(secret, "health"), "does not speak TLS"));
  ::setenv("OMNIUM_TOKEN", node.token().c_str(), 1);
}

TEST_CASE("where the embedded database lies is said at the start") {
  server_process node({});
  node.start();
  CHECK(node.output().find("the embedded database lies in /") != std::string::npos);
  CHECK(node.stop() == 0);
}

TEST_CASE("a rebase is refused while a server runs on the database") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  const auto rebase = "migrate --rebase --database.url \"" + db.url() + "\"";
  const auto told = omnium_says(rebase);
  CHECK(told.status == 1);
  CHECK(has(told, "a server is running on this database"));
  CHECK(node.stop() == 0);
  CHECK(omnium_says(rebase).status == 0);
}

// As timeout(1) does: once to the program, and at once to all of its group.
constexpr const char* told_twice = R"(sh -c '"$@" & p=$!; sleep 3; kill $p; sleep 0.1; kill $p; wait $p' sh)";

TEST_CASE("a replay that is ended prints how far it came, and goes on with the same call") {
  database db;
  server_process node({.database_url = db.url(), .data_dir = {}, .sports_dir = {}, .more = {}});
  node.start();
  const auto call = fmt::format("replay --url {} --format wyscout '{}/tests/data/football/wyscout/2058017.json'",
                                node.url(), OMNIUM_SOURCE_DIR);
  const auto told = omnium_says(call + " --speed 1", told_twice);
  CAPTURE(told.text);
  CHECK(told.status == 1);
  CHECK(has(told, "\"sent\":"));
  CHECK(has(told, "Stopped after "));
  const auto whole = omnium_says(call);
  CHECK(whole.status == 0);
  CHECK(has(whole, "\"duplicate\":"));
  CHECK(has(whole, "\"home\":4,\"away\":2"));
}
