// omnium replay against scripted answers: repeating, stopping, counting.
#include "apps/replay/files.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fmt/format.h>

using namespace omnium;
using namespace std::chrono_literals;

namespace {

wire::http_result reply(int status, std::string body, wire::http_headers headers = {}) {
  return {wire::http_response{status, std::move(headers), std::move(body)}, {}};
}
wire::http_result accepted(int seq) {
  return reply(200, fmt::format(R"({{"outcome":"accepted","seq":{},"reason":null,"retry_after_ms":null}})", seq));
}
wire::http_result refused(const std::string& code) {
  return reply(422,
               fmt::format(R"({{"outcome":"refused","seq":null,"reason":{{"code":"{}","message":"No."}}}})", code));
}
wire::http_result busy(const std::string& wait) {
  return reply(
      503,
      R"({"outcome":"try_again","seq":null,"reason":{"code":"lock_timeout","message":"Later."},"retry_after_ms":)" +
          wait + '}');
}
wire::http_result dead() { return {std::nullopt, {wire::net_error::kind::closed, "The peer closed the connection."}}; }

// Answers each request with the next of the script; the last one again and again.
struct script {
  std::deque<wire::http_result> answers;
  std::vector<std::string> requests; // "POST target body"
  std::vector<std::chrono::milliseconds> waits;

  replay::sender sender() {
    return replay::sender({[this](std::string_view method, std::string_view target, std::string_view body) {
                             requests.push_back(fmt::format("{} {} {}", method, target, body));
                             auto next = answers.front();
                             if (answers.size() > 1) answers.pop_front();
                             return next;
                           },
                           [this](std::chrono::milliseconds time) { waits.push_back(time); }});
  }
};

corpus::recording recorded(std::size_t commands) {
  corpus::recording out;
  out.sport = "football";
  out.match_key = "test:1";
  out.competition_key = "test:cup";
  out.competition_name = "Cup";
  out.home_name = "A";
  out.away_name = "B";
  for (std::size_t i = 0; i < commands; ++i)
    out.commands.push_back({"football.corner", R"({"side":"home"})", fmt::format("test:1:{}", i), true, {}, {}});
  return out;
}

const replay::command_text one{"football", "fixture", "f", "k", "football.goal", "{}"};

struct sending {
  replay::match_report report;
  std::vector<std::string> told;
};
sending send(script& s, const corpus::recording& what, replay::replay_options options = {}) {
  sending out;
  auto to = s.sender();
  out.report =
      replay::send_match(to, what, options, [&](const std::string& sentence) { out.told.push_back(sentence); });
  return out;
}

} // namespace

TEST_CASE("a command that is to be tried again is sent again with the same key, after the wait it was given") {
  script s{{busy("250"), busy("null"), dead(), reply(503, "busy", {{"Retry-After", "2"}}), accepted(7)}, {}, {}};
  replay::tally count;
  const auto end = s.sender().send(one, count);
  CHECK(end.what == outcome::accepted);
  CHECK(end.seq == 7);
  CHECK(s.requests.size() == 5);
  for (const auto& request : s.requests) CHECK(request == s.requests.front());
  CHECK(s.waits == std::vector<std::chrono::milliseconds>{250ms, 200ms, 400ms, 2000ms});
  CHECK(count.sent == 1);
  CHECK(count.accepted == 1);
  CHECK(count.try_again == 4);
}

TEST_CASE("a command that never settles is given up after a bounded number of tries") {
  script s{{dead()}, {}, {}};
  replay::tally count;
  const auto end = s.sender().send(one, count);
  CHECK(end.what == outcome::try_again);
  CHECK(s.requests.size() == replay::tries_max);
  CHECK(std::all_of(s.waits.begin(), s.waits.end(), [](auto wait) { return wait <= replay::longest_wait; }));
  CHECK(count.accepted == 0);
}

TEST_CASE("what is refused for good is not sent again") {
  for (const auto& no :
       {refused("not_in_play"), reply(401, "who are you?"),
        reply(404, R"({"outcome":"refused","seq":null,"reason":{"code":"unknown_subject","message":"x"}})")}) {
    script s{{no}, {}, {}};
    replay::tally count;
    CHECK(s.sender().send(one, count).what == outcome::refused);
    CHECK(s.requests.size() == 1);
    CHECK(count.refused == 1);
  }
}

TEST_CASE("a match stops at a refusal, and goes on where that is asked") {
  const std::deque<wire::http_result> answers{accepted(1), accepted(1), refused("not_in_play"), accepted(2),
                                              reply(200, R"({"scoreboard":{"x":1}})")};
  script stops{answers, {}, {}};
  stops.answers.erase(stops.answers.begin() + 3);
  const auto first = send(stops, recorded(3));
  CHECK(!first.report.good);
  CHECK(first.report.count.sent == 2);
  CHECK(first.report.scoreboard == R"({"x":1})");
  CHECK(first.told.size() == 1);
  script goes_on{answers, {}, {}};
  const auto second = send(goes_on, recorded(3), {std::nullopt, true});
  CHECK(!second.report.good);
  CHECK(second.report.count.sent == 3);
  CHECK(second.report.count.refused == 1);
  CHECK(second.report.count.accepted == 2);
}

TEST_CASE("a run that is ended counts what was sent, shows the scoreboard, and is not good") {
  script s{{accepted(1), accepted(1), accepted(2), reply(200, R"({"scoreboard":{"x":1}})")}, {}, {}};
  replay::replay_options options;
  options.stopped = [&] { return s.requests.size() >= 3; }; // the match, and two of its five commands
  const auto out = send(s, recorded(5), options);
  CHECK_FALSE(out.report.good);
  CHECK(out.report.count.sent == 2);
  CHECK(out.report.count.accepted == 2);
  CHECK(out.report.scoreboard == R"({"x":1})");
  // Also in the middle of a long wait.
  script slow{{accepted(1), accepted(1), accepted(2), reply(200, R"({"scoreboard":{}})")}, {}, {}};
  auto paced = recorded(2);
  paced.commands[0].offset_s = 0;
  paced.commands[1].offset_s = 3600;
  options.speed = 1;
  options.stopped = [&] { return slow.waits.size() >= 3; };
  const auto waited = send(slow, paced, options);
  CHECK(waited.report.count.sent == 1);
  CHECK(slow.waits.size() == 3);
}

TEST_CASE("what became of each command is told row by row") {
  script s{{accepted(1), accepted(1), refused("not_in_play"), reply(200, R"({"scoreboard":{}})")}, {}, {}};
  auto what = recorded(3);
  what.commands[2].seq_of = corpus::seq_reference{"seq", 1}; // of the one that is refused
  std::vector<std::string> rows;
  send(s, what, {std::nullopt, true, [&](const std::string& line) { rows.push_back(line); }});
  const auto row = [&](int n, const std::string& rest) {
    return fmt::format(R"({{"match":"test:1","fixture":"{}","key":"test:1:{}","code":"football.corner",{}}})",
                       to_string(replay::fixture_id(what)), n, rest);
  };
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == row(0, R"("outcome":"accepted","seq":1,"reason":null,"message":null)"));
  CHECK(rows[1] == row(1, R"("outcome":"refused","seq":null,"reason":"not_in_play","message":"No.")"));
  CHECK(
      rows[2] ==
      row(2, R"("outcome":"not_sent","seq":null,"reason":null,"message":"It names an event that was not accepted.")"));
}

TEST_CASE("a match stops at a conflict whatever is asked: somebody else writes it") {
  script s{{accepted(1), reply(409, R"({"outcome":"conflict","seq":null,"reason":null,"conflict":{"play":3}})"),
            reply(200, R"({"scoreboard":{}})")},
           {},
           {}};
  const auto out = send(s, recorded(3), {std::nullopt, true});
  CHECK(!out.report.good);
  CHECK(out.report.count.sent == 1);
  CHECK(out.report.count.conflict == 1);
}

TEST_CASE("a second run is all duplicates and good; a duplicate of a refusal is not good") {
  const auto again =
      reply(200, R"({"outcome":"duplicate","seq":4,"reason":null,"first":{"outcome":"accepted","seq":4}})");
  script s{{again, again, again, reply(200, R"({"scoreboard":{}})")}, {}, {}};
  const auto out = send(s, recorded(2));
  CHECK(out.report.good);
  CHECK(out.report.count.duplicate == 2);
  CHECK(
      to_json(out.report) ==
      fmt::format(
          R"({{"fixture":"{}","sent":2,"accepted":0,"duplicate":2,"refused":0,"conflict":0,"try_again":0,"scoreboard":{{}}}})",
          out.report.fixture));
  CHECK(to_json(out.report, 5).find(R"("fixtures":5,"scoreboard")") != std::string::npos);
  const auto no = reply(
      200,
      R"({"outcome":"duplicate","seq":null,"reason":null,"first":{"outcome":"refused","reason":{"code":"no_return","message":"No."}}})");
  script t{{again, no, reply(200, R"({"scoreboard":{}})")}, {}, {}};
  CHECK(!send(t, recorded(1)).report.good);
}

TEST_CASE("a seq that a command names is filled in from the answer to the earlier one") {
  auto what = recorded(2);
  what.commands[1].seq_of = corpus::seq_reference{"about", 0};
  script s{{accepted(1), accepted(9), accepted(10), reply(200, R"({"scoreboard":{}})")}, {}, {}};
  const auto out = send(s, what);
  CHECK(out.report.good);
  CHECK(s.requests[2].find(R"("input":{"side":"home","about":9})") != std::string::npos);
}

TEST_CASE("ids come from the recording's keys alone, and differ from match to match") {
  auto a = recorded(0), b = recorded(0);
  b.match_key = "test:2";
  CHECK(replay::fixture_id(a) == replay::fixture_id(recorded(0)));
  CHECK(replay::fixture_id(a) != replay::fixture_id(b));
  CHECK(replay::competition_id(a) == replay::competition_id(b));
  // Never another one: a replay of last year must find its matches.
  CHECK(to_string(replay::fixture_id(a)) == "63ba9246-52c2-5b28-bf31-ea4bae3220c9");
}

TEST_CASE("what creates the match is sent once a run, and an older creation is used as it is") {
  auto what = recorded(1);
  what.participants = {{"test:team:1", "A", corpus::recorded_participant::kind::team}};
  script s{{accepted(1), refused("already_exists")}, {}, {}};
  auto to = s.sender();
  std::set<std::string> done;
  std::vector<std::string> told;
  const auto tell = [&](const std::string& sentence) { told.push_back(sentence); };
  CHECK(replay::prepare(to, what, done, tell));
  CHECK(replay::prepare(to, what, done, tell));
  CHECK(s.requests.size() == 2);
  CHECK(told.size() == 1);
  script bad{{refused("not_allowed")}, {}, {}};
  auto other = bad.sender();
  std::set<std::string> none;
  CHECK(!replay::prepare(other, what, none, tell));
}

TEST_CASE("a slam's points without the table of matches beside them are refused before anything is sent, and say what "
          "is missing") {
  char name[] = "/tmp/omnium_replay_XXXXXX";
  const std::string folder = ::mkdtemp(name);
  std::filesystem::copy(std::string(OMNIUM_SOURCE_DIR) + "/tests/data/tennis/points.csv", folder);
  replay::files_request what;
  what.format = "tennis";
  what.files = {folder + "/points.csv"};
  what.url = "http://127.0.0.1:1"; // nobody is asked
  std::vector<std::string> told, printed;
  const auto status = replay::replay_files(
      what, [&](const std::string& sentence) { told.push_back(sentence); },
      [&](const std::string& line) { printed.push_back(line); });
  std::filesystem::remove_all(folder);
  CHECK(status == 2);
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("No matches.csv beside the file") != std::string::npos);
  CHECK(printed.empty());
}
