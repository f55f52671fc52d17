// Alerts against a real Postgres and real receivers: raised by many at once, folded late, told once.
#include "runtime/upkeep/alerts.hpp"
#include "runtime/upkeep/signals.hpp"
#include "tests/catch.hpp"
#include "tests/pg/road_support.hpp"
#include "tests/support/certificate.hpp"
#include "tests/support/receiver.hpp"
#include "tests/support/within.hpp"

#include <atomic>
#include <fmt/format.h>
#include <random>
#include <thread>

using namespace omnium;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;
using testing::receiver;
using testing::within;

namespace {

pg::target way_to(const testing::database& db) { return pg::with_limits(db.app_url(), upkeep::upkeep_limits, {}); }

upkeep::alerts_options quick(const testing::database& db, std::vector<upkeep::route_ptr> routes = {}) {
  upkeep::alerts_options out;
  out.where = way_to(db);
  out.routes = std::move(routes);
  out.turn = 30ms;
  out.backoff_min = 50ms;
  out.backoff_max = 200ms;
  return out;
}

void raise(const testing::database& db, const std::string& rule, const std::string& key = "", int times = 1) {
  db.run(
      fmt::format("INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('{}', '{}', {}, 'detail', 'test')",
                  rule, key, times));
}

std::string alerts(const testing::database& db) {
  return db.ask("SELECT coalesce(string_agg(rule || ' ' || key || ' ' || state || ' ' || count, ', ' ORDER BY id), '') "
                "FROM alert");
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

} // namespace

TEST_CASE("eight senders raise one key at once: one alert with count eight, and no sender waits for a lock") {
  auto db = testing::migrated_database();
  std::vector<std::unique_ptr<upkeep::signals>> senders;
  for (int i = 0; i < 8; ++i)
    senders.push_back(std::make_unique<upkeep::signals>(way_to(*db), fmt::format("node-{}", i)));
  // Somebody holds what the alert service writes, for the whole time.
  auto holder = db->connect();
  pqxx::work lock(holder);
  lock.exec("LOCK TABLE alert, alert_event, alert_send, alert_rule IN ACCESS EXCLUSIVE MODE");
  upkeep::alert_service service(quick(*db), nullptr);
  std::vector<std::thread> threads;
  std::atomic<std::int64_t> slowest_us{0};
  for (auto& sender : senders)
    threads.emplace_back([&] {
      auto began = clock_type::now();
      sender->raise("disk-low", "db", "full");
      auto took = std::chrono::duration_cast<std::chrono::microseconds>(clock_type::now() - began).count();
      for (auto known = slowest_us.load(); known < took && !slowest_us.compare_exchange_weak(known, took);) {
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(slowest_us < 200'000);
  // Written down although the alerts are locked.
  CHECK(within(5s, [&] { return db->count("SELECT count(*) FROM alert_signal") == 8; }));
  lock.abort();
  CHECK(within(10s, [&] { return alerts(*db) == "disk-low db open 8"; }));
  std::this_thread::sleep_for(200ms);
  CHECK(alerts(*db) == "disk-low db open 8");
}

TEST_CASE("a signal that commits late is folded, though others with higher numbers were committed before") {
  auto db = testing::migrated_database();
  upkeep::alert_service service(quick(*db), nullptr);
  raise(*db, "disk-low", "first");
  REQUIRE(within(5s, [&] { return alerts(*db) == "disk-low first open 1"; }));
  auto slow = db->connect();
  pqxx::work late(slow);
  late.exec("INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('disk-low', 'late', 1, 'd', 'n')");
  raise(*db, "disk-low", "quick");
  // The quick one does not wait for the slow one, which holds the outbox's horizon back.
  REQUIRE(within(5s, [&] { return db->count("SELECT count(*) FROM alert WHERE key = 'quick'") == 1; }));
  late.commit();
  CHECK(within(5s, [&] { return db->count("SELECT count(*) FROM alert WHERE state = 'open'") == 3; }));
  CHECK(db->count("SELECT count(*) FROM alert WHERE key = 'late'") == 1);
}

TEST_CASE("of two services one works, and the other goes on when the first one's session is killed") {
  auto db = testing::migrated_database();
  auto one = std::make_unique<upkeep::alert_service>(quick(*db), nullptr);
  REQUIRE(within(5s, [&] { return one->leads(); }));
  upkeep::alert_service two(quick(*db), nullptr);
  std::this_thread::sleep_for(300ms);
  CHECK(one->leads());
  CHECK_FALSE(two.leads());
  db->run(
      "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE l.locktype "
      "= 'advisory' AND d.datname = current_database()");
  one.reset();
  REQUIRE(within(10s, [&] { return two.leads(); }));
  raise(*db, "disk-low");
  CHECK(within(5s, [&] { return alerts(*db) == "disk-low  open 1"; }));
}

TEST_CASE(
    "the service's session ended at any moment of its work: every signal is counted once, and none is passed over") {
  auto db = testing::migrated_database();
  upkeep::alert_service one(quick(*db), nullptr), two(quick(*db), nullptr);
  REQUIRE(within(5s, [&] { return one.leads() || two.leads(); }));
  std::atomic<bool> over{false};
  std::atomic<int> ended{0};
  std::thread trouble([&] { // whichever of the two works, in the middle of whatever it does
    std::minstd_rand random(5);
    while (!over) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
      ended += static_cast<int>(db->count(
          "SELECT count(pg_terminate_backend(l.pid)) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE "
          "l.locktype = 'advisory' AND d.datname = current_database()"));
    }
  });
  constexpr int signals = 1500, keys = 7;
  for (int i = 0; i < signals; ++i) raise(*db, "disk-low", fmt::format("k{}", i % keys));
  // A signal is marked in the transaction that counts it.
  const std::string folded = "SELECT coalesce(sum(count), 0)::bigint FROM alert";
  over = true;
  trouble.join();
  CHECK(within(20s, [&] { return db->count(folded) == signals; }));
  std::this_thread::sleep_for(200ms);
  CHECK(db->count(folded) == signals);
  CHECK(db->count("SELECT count(*) FROM alert_signal WHERE folded_at IS NULL") == 0);
  CHECK(db->count("SELECT count(*) FROM alert") == keys);
  CHECK(ended > 5);
}

TEST_CASE("a webhook that is down gets its message once when it is back, signed") {
  auto db = testing::migrated_database();
  receiver hook(receiver::kind::http);
  upkeep::alert_service service(quick(*db, {upkeep::webhook_route(hook.url(), "s3cret", 1s)}), nullptr);
  raise(*db, "disk-low", "db", 3);
  REQUIRE(within(5s, [&] { return service.failed() >= 3; }));
  CHECK(hook.got().empty());
  hook.answer_with(500);
  hook.open();
  auto before = service.failed();
  REQUIRE(within(5s, [&] { return service.failed() > before; }));
  hook.answer_with(204);
  REQUIRE(within(5s, [&] { return service.sent() == 1; }));
  std::this_thread::sleep_for(500ms);
  auto got = hook.got();
  REQUIRE(got.size() == 1);
  auto body = got[0].substr(got[0].find("\r\n\r\n") + 4);
  auto header = [&](const std::string& name) {
    auto at = got[0].find(name + ": ");
    REQUIRE(at != std::string::npos);
    at += name.size() + 2;
    return got[0].substr(at, got[0].find("\r\n", at) - at);
  };
  CHECK(got[0].starts_with("POST /hook HTTP/1.1\r\n"));
  CHECK(header("Omnium-Signature") ==
        "sha256=" + upkeep::hmac_sha256_hex("s3cret", header("Omnium-Timestamp") + "." + body));
  CHECK(header("Omnium-Delivery") == db->ask("SELECT id FROM alert_send"));
  CHECK(body.find("\"rule\" : \"disk-low\"") != std::string::npos);
  CHECK(body.find("docs/runbooks/disk-low.md") != std::string::npos);
  CHECK(db->count("SELECT count(*) FROM alert_event WHERE what = 'sent'") == 1);
  CHECK(db->count("SELECT count(*) FROM alert_event WHERE what = 'send_failed'") == 1);
}

TEST_CASE("the signature is HMAC-SHA256 as RFC 4231 has it") {
  CHECK(upkeep::hmac_sha256_hex("Jefe", "what do ya want for nothing?") ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST_CASE("a receiver that accepts and says nothing is given up at the deadline, and holds up no other route") {
  auto db = testing::migrated_database();
  receiver hook(receiver::kind::mute), chat(receiver::kind::http), post(receiver::kind::smtp);
  hook.open();
  chat.open();
  post.open();
  auto began = clock_type::now();
  upkeep::alert_service service(
      quick(*db, {upkeep::webhook_route(hook.url(), "", 400ms), upkeep::slack_route(chat.url(), 2s),
                  upkeep::mail_route({post.address(), "omnium@club.test", "duty@club.test, night@club.test"}, 2s)}),
      nullptr);
  raise(*db, "disk-low", "db");
  REQUIRE(within(5s, [&] { return chat.got().size() == 1 && post.got().size() == 1; }));
  REQUIRE(within(5s, [&] { return service.failed() >= 1; }));
  CHECK(clock_type::now() - began < 5s);
  CHECK(chat.got()[0].find("{\"text\":\"[page] disk-low db opened: A disk is nearly full. (1 times)") !=
        std::string::npos);
  auto mail = post.got()[0];
  CHECK(mail.find("MAIL FROM:<omnium@club.test>\nRCPT TO:<duty@club.test>\nRCPT TO:<night@club.test>\nDATA\n") !=
        std::string::npos);
  CHECK(mail.find("Subject: [page] disk-low db opened") != std::string::npos);
  CHECK(mail.find("\n.\nQUIT\n") != std::string::npos);
}

TEST_CASE("webhook and Slack go under TLS to a receiver whose certificate leads to a trusted one, and to no other") {
  testing::authority ours, others;
  ours.issue("here", "IP:127.0.0.1");
  ours.issue("elsewhere", "DNS:elsewhere.test");
  auto to = [&](const std::string& name) {
    return std::make_unique<receiver>(receiver::kind::http, receiver::tls::at_once, ours.path(name + ".pem"),
                                      ours.path(name + ".key"));
  };
  auto here = to("here"), elsewhere = to("elsewhere");
  here->open();
  elsewhere->open();
  const upkeep::message what{7, R"({"what":"opened","alert":{"rule":"disk-low","severity":"page"}})"};
  CHECK(upkeep::webhook_route(here->url(), "s", 20s, ours.file())->send(what) == "");
  CHECK(upkeep::slack_route(here->url(), 20s, ours.file())->send(what) == "");
  REQUIRE(here->got().size() == 2);
  CHECK(here->got()[0].find("Omnium-Delivery: 7\r\n") != std::string::npos);
  CHECK(here->got()[1].find("[page] disk-low opened") != std::string::npos);
  for (const auto& route : {upkeep::webhook_route(here->url(), "s", 20s),                // nobody told us to trust it
                            upkeep::webhook_route(here->url(), "s", 20s, others.file()), // somebody else's authority
                            upkeep::slack_route(elsewhere->url(), 20s, ours.file())})    // another host's certificate
    CHECK(route->send(what).find("certificate is not trusted") != std::string::npos);
  CHECK(upkeep::slack_route(here->url(), 20s, "/nonexistent.pem")->send(what).find("/nonexistent.pem") !=
        std::string::npos);
  CHECK(here->got().size() == 2);
  CHECK(elsewhere->got().empty());
}

TEST_CASE("mail goes under TLS from the first byte or by STARTTLS, and not at all where that cannot be") {
  testing::authority ours, others;
  ours.issue("here", "IP:127.0.0.1");
  auto open = [&](receiver::tls how) {
    auto out = std::make_unique<receiver>(receiver::kind::smtp, how, ours.path("here.pem"), ours.path("here.key"));
    out->open();
    return out;
  };
  auto secret = open(receiver::tls::at_once), upgraded = open(receiver::tls::starttls),
       plain = open(receiver::tls::none);
  const upkeep::message what{8, R"({"what":"opened","alert":{"rule":"disk-low","severity":"page"}})"};
  auto send = [&](const receiver& to, upkeep::mail_security how, const std::string& trusted) {
    return upkeep::mail_route({to.address(), "a@b.test", "c@d.test", "desk", "open sesame", how}, 20s, trusted)
        ->send(what);
  };
  using how = upkeep::mail_security;
  CHECK(send(*secret, how::tls, ours.file()) == "");
  CHECK(send(*upgraded, how::starttls, ours.file()) == "");
  CHECK(send(*plain, how::none, {}) == "");
  auto mail_of = [](const receiver& from) {
    auto all = from.got();
    REQUIRE(!all.empty());
    return all[0];
  };
  auto quit = [&](const receiver& from) { return mail_of(from).find("\n.\nQUIT\n") != std::string::npos; };
  REQUIRE(within(5s, [&] { return !secret->got().empty() && !upgraded->got().empty() && !plain->got().empty(); }));
  CHECK(quit(*secret));
  CHECK(quit(*upgraded));
  CHECK(mail_of(*upgraded).starts_with("EHLO omnium\nSTARTTLS\nEHLO omnium\nAUTH PLAIN\n"));
  CHECK(mail_of(*upgraded).find("\nAGRlc2sAb3BlbiBzZXNhbWU=\nMAIL FROM:<a@b.test>\n") !=
        std::string::npos); // NUL user NUL password
  // Certificates that lead nowhere known, and a server that offers nothing: not a word of the mail is said.
  CHECK(send(*secret, how::tls, others.file()).find("certificate is not trusted") != std::string::npos);
  CHECK(send(*upgraded, how::starttls, {}).find("certificate is not trusted") != std::string::npos);
  CHECK(send(*plain, how::starttls, ours.file()).find("offers no STARTTLS") != std::string::npos);
  std::this_thread::sleep_for(200ms);
  for (const auto* one : {secret.get(), upgraded.get(), plain.get()})
    for (std::size_t i = 1; i < one->got().size(); ++i) CHECK(one->got()[i].find("MAIL FROM") == std::string::npos);
}

TEST_CASE("grave alerts go by mail, others do not") {
  auto db = testing::migrated_database();
  receiver post(receiver::kind::smtp), chat(receiver::kind::http);
  post.open();
  chat.open();
  db->run("UPDATE alert_rule SET hold_on_s = 0");
  upkeep::alert_service service(quick(*db, {upkeep::mail_route({post.address(), "a@b.test", "c@d.test"}, 2s),
                                            upkeep::slack_route(chat.url(), 2s)}),
                                nullptr);
  raise(*db, "lock-wait-p99", "node");
  REQUIRE(within(5s, [&] { return chat.got().size() == 1; }));
  std::this_thread::sleep_for(200ms);
  CHECK(post.got().empty());
}

TEST_CASE("an alert opens after its hold time, closes when it is quiet, and is told once in its repeat time") {
  auto db = testing::migrated_database();
  receiver chat(receiver::kind::http);
  chat.open();
  db->run("UPDATE alert_rule SET hold_on_s = 1, hold_off_s = 1 WHERE name = 'outbox-lag'");
  upkeep::alert_service service(quick(*db, {upkeep::slack_route(chat.url(), 2s)}), nullptr);
  raise(*db, "outbox-lag", "a");
  REQUIRE(within(5s, [&] { return alerts(*db) == "outbox-lag a pending 1"; }));
  REQUIRE(within(5s, [&] { return alerts(*db).empty(); })); // it did not go on, so it never was one
  CHECK(chat.got().empty());
  for (int i = 0; i < 30; ++i) {
    raise(*db, "outbox-lag", "a");
    std::this_thread::sleep_for(50ms);
  }
  REQUIRE(within(5s, [&] { return alerts(*db) == "outbox-lag a open 30"; }));
  REQUIRE(within(5s, [&] { return chat.got().size() == 1; }));
  REQUIRE(within(5s, [&] { return alerts(*db) == "outbox-lag a closed 30"; }));
  // On again within the repeat time: another alert, no other message. Another key is another matter.
  for (int i = 0; i < 30; ++i) {
    raise(*db, "outbox-lag", "a");
    raise(*db, "outbox-lag", "b");
    std::this_thread::sleep_for(50ms);
  }
  REQUIRE(within(5s, [&] { return chat.got().size() == 2; }));
  std::this_thread::sleep_for(300ms);
  CHECK(chat.got().size() == 2);
  // When the time is over: a message of the one that is open, none of its closed forerunner.
  db->run("UPDATE alert_rule SET hold_off_s = 60");
  raise(*db, "outbox-lag", "a");
  db->run("UPDATE alert SET told_at = told_at - interval '901 s' WHERE key = 'a'");
  REQUIRE(within(5s, [&] { return chat.got().size() == 3; }));
  CHECK(count_of(chat.got()[2], "outbox-lag a opened") == 1);
}

TEST_CASE("what was acknowledged is not told again, what is silenced not at all") {
  auto db = testing::migrated_database();
  receiver chat(receiver::kind::http);
  chat.open();
  db->run("UPDATE alert_rule SET repeat_s = 1");
  db->run("SELECT ops.silence('disk-low', 'quiet', 60, 'me')");
  upkeep::alert_service service(quick(*db, {upkeep::slack_route(chat.url(), 2s)}), nullptr);
  raise(*db, "disk-low", "quiet");
  raise(*db, "disk-low", "loud");
  REQUIRE(within(5s, [&] { return chat.got().size() == 1; }));
  CHECK(count_of(chat.got()[0], "disk-low loud") == 1);
  raise(*db, "disk-low", "loud"); // it goes on: told again when its time is over
  REQUIRE(within(5s, [&] { return chat.got().size() == 2; }));
  CHECK(count_of(chat.got()[1], "disk-low loud again") == 1);
  CHECK(db->ask("SELECT ops.acknowledge(id, 'me') FROM alert WHERE key = 'loud'") == "t");
  raise(*db, "disk-low", "loud");
  std::this_thread::sleep_for(1500ms);
  CHECK(chat.got().size() == 2);
  CHECK(db->count("SELECT count FROM alert WHERE key = 'loud'") == 3);
  db->run("SELECT ops.silence('disk-low', 'quiet', 0, 'me')"); // over: it is open and was never told
  REQUIRE(within(5s, [&] { return chat.got().size() == 3; }));
  CHECK(count_of(chat.got()[2], "disk-low quiet opened") == 1);
}

TEST_CASE("a message is given up after its time, and the alert says so") {
  auto db = testing::migrated_database();
  receiver hook(receiver::kind::http); // never opened
  auto options = quick(*db, {upkeep::webhook_route(hook.url(), "", 1s)});
  options.give_up = 300ms;
  upkeep::alert_service service(options, nullptr);
  raise(*db, "disk-low", "db");
  CHECK(within(5s, [&] { return db->count("SELECT count(*) FROM alert_event WHERE what = 'given_up'") == 1; }));
  auto failed = service.failed();
  std::this_thread::sleep_for(500ms);
  CHECK(service.failed() == failed);
}

TEST_CASE("signals of a database that is away are kept, merged by key, and written when it is back") {
  auto db = testing::migrated_database();
  auto nowhere = way_to(*db);
  upkeep::signals sender(nowhere, "node");
  auto holder = db->connect();
  pqxx::work lock(holder);
  lock.exec("LOCK TABLE alert_signal IN ACCESS EXCLUSIVE MODE"); // for a sender: as good as away
  for (int i = 0; i < 1000; ++i) sender.raise("disk-low", "db", fmt::format("{}", i));
  for (int i = 0; i < 1500; ++i) sender.raise("disk-low", fmt::format("key-{}", i), "x");
  CHECK(sender.waiting() <= limits::signals_waiting_max);
  CHECK(sender.lost() > 0);
  lock.abort();
  const std::string sum = "SELECT coalesce(sum(count), 0)::bigint FROM alert_signal";
  CHECK(within(10s, [&] { return db->count(sum) + static_cast<std::int64_t>(sender.lost()) == 2500; }));
  CHECK(db->count(sum + " WHERE key = 'db'") == 1000);
  CHECK(db->count("SELECT count(*) FROM alert_signal WHERE key = 'db'") <= 3);
}

TEST_CASE("a cursor of another cluster is refused, not followed") {
  auto db = testing::migrated_database();
  db->run("INSERT INTO outbox_cursor (name, follows, xid, id, cluster) VALUES ('alerts', 'alert_signal', '0', 0, "
          "'another')");
  upkeep::alert_service service(quick(*db), nullptr);
  raise(*db, "disk-low");
  std::this_thread::sleep_for(500ms);
  CHECK_FALSE(service.leads());
  CHECK(alerts(*db).empty());
}
