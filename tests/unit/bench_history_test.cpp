// The history checker: a history without fault passes, and each kind of fault put into it is caught and named.
#include "bench/history.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>
#include <functional>

using namespace omnium::bench;

namespace {

constexpr const char* match_one = "01926f3c-0000-7000-8000-000000000001";
constexpr const char* match_two = "01926f3c-0000-7000-8000-000000000002";

std::string body_of(const std::string& key, const char* outcome, std::int64_t seq) {
  return fmt::format(R"({{"outcome":"{}","key":"{}","seq":{},"first":null}})", outcome, key,
                     seq > 0 ? std::to_string(seq) : "null");
}
std::string duplicate_of(const std::string& first) {
  return fmt::format(R"({{"outcome":"duplicate","seq":null,"first":{}}})", first);
}
attempt accepted(const std::string& key, std::int64_t seq) {
  return {word::accepted, seq, {}, body_of(key, "accepted", seq)};
}

// Two matches, some accepted, one sent again, one refused, one conflict, one try_again, one lost answer on each side.
history good() {
  history h;
  h.has_commands = h.has_events = true;
  auto saved = [&](const std::string& key, const char* subject, std::int64_t seq, const std::string& answer) {
    h.commands.push_back({key, subject, seq > 0, seq, answer});
    if (seq == 0) return;
    h.log.push_back({subject, seq, key});
    h.events.push_back({subject, seq});
  };
  for (const char* subject : {match_one, match_two})
    for (std::int64_t seq = 1; seq <= 3; ++seq) {
      auto key = fmt::format("{}-{}", subject == match_one ? "a" : "b", seq);
      h.sent.push_back({key, subject, {accepted(key, seq)}});
      saved(key, subject, seq, h.sent.back().attempts[0].body);
    }
  h.sent[1].attempts.push_back({word::duplicate, 2, {}, duplicate_of(h.sent[1].attempts[0].body)});
  auto refusal = body_of("no", "refused", 0);
  h.sent.push_back({"no", match_one, {{word::refused, 0, "clock_stopped", refusal}}});
  saved("no", match_one, 0, refusal);
  h.sent.push_back({"late", match_one, {{word::conflict, 0, {}, {}}}});
  h.sent.push_back({"shape", match_one, {{word::refused, 0, "unknown_command", body_of("shape", "refused", 0)}}});
  h.sent.push_back({"busy", match_one, {{word::try_again, 0, "worker_killed", {}}}});
  h.sent.push_back({"lost", match_one, {{word::unknown, 0, {}, {}}}});
  auto unheard = body_of("unheard", "accepted", 4);
  h.sent.push_back(
      {"unheard", match_one, {{word::unknown, 0, {}, {}}, {word::duplicate, 4, {}, duplicate_of(unheard)}}});
  saved("unheard", match_one, 4, unheard);
  h.versions = {{match_one, 4}, {match_two, 3}};
  auto hash = [](const char* key) { return std::hash<std::string>{}(key); };
  h.watchers.push_back({match_one, 1, {{2, 1, hash("a-2")}, {3, 2, hash("a-3")}, {4, 3, hash("unheard")}}, {}, true});
  return h;
}

using injection = std::function<void(history&)>;
struct planted {
  fault_kind kind;
  injection put_in;
};

void drop_row(history& h, std::size_t at) { h.log.erase(h.log.begin() + static_cast<std::ptrdiff_t>(at)); }

const std::vector<planted>& faults() {
  static const std::vector<planted> all = {
      {fault_kind::accepted_lost, [](history& h) { drop_row(h, 0); }},
      {fault_kind::accepted_lost, [](history& h) { drop_row(h, 6); }}, // the one whose answer was lost
      {fault_kind::accepted_elsewhere, [](history& h) { h.sent[0].attempts[0].seq = 2; }},
      {fault_kind::accepted_elsewhere, [](history& h) { std::swap(h.log[0].key, h.log[3].key); }},
      {fault_kind::logged_twice,
       [](history& h) {
         h.log.push_back({match_one, 5, "a-1"});
       }},
      {fault_kind::row_without_sender,
       [](history& h) {
         h.log.push_back({match_one, 5, "stranger"});
       }},
      {fault_kind::row_without_sender,
       [](history& h) {
         h.commands.push_back({"stranger", match_one, true, 5, "{}"});
       }},
      {fault_kind::row_without_answer,
       [](history& h) {
         h.log.push_back({match_one, 5, "busy"});
       }},
      {fault_kind::row_of_a_refusal,
       [](history& h) {
         h.log.push_back({match_one, 5, "no"});
       }},
      {fault_kind::row_of_a_refusal,
       [](history& h) {
         h.log.push_back({match_one, 5, "late"});
       }},
      {fault_kind::hole, [](history& h) { h.log[2].seq = 9; }},
      {fault_kind::hole, [](history& h) { h.log[2].seq = 2; }},
      {fault_kind::version_differs, [](history& h) { h.versions[match_two] = 4; }},
      {fault_kind::answered_twice,
       [](history& h) {
         h.sent[0].attempts.push_back({word::accepted, 1, {}, body_of("a-1", "accepted", 9)});
       }},
      {fault_kind::answers_contradict,
       [](history& h) {
         h.sent[0].attempts.push_back({word::refused, 0, "late", body_of("a-1", "refused", 0)});
       }},
      {fault_kind::duplicate_differs,
       [](history& h) { h.sent[1].attempts[1].body = duplicate_of(body_of("a-2", "accepted", 1)); }},
      {fault_kind::duplicate_differs, [](history& h) { h.commands.back().answer += " "; }}, // unheard's
      {fault_kind::duplicate_unfounded,
       [](history& h) {
         h.sent[9].attempts.push_back({word::duplicate, 0, {}, duplicate_of("{}")});
       }},
      {fault_kind::answer_not_saved, [](history& h) { h.commands.erase(h.commands.begin()); }},
      {fault_kind::answer_not_saved, [](history& h) { h.commands.erase(h.commands.begin() + 6); }}, // the refusal's
      {fault_kind::saved_answer_differs, [](history& h) { h.commands[0].answer += " "; }},
      {fault_kind::refusal_wrote, [](history& h) { h.commands[6].seq = 5; }},
      {fault_kind::refusal_wrote, [](history& h) { h.commands[6].accepted = true; }},
      {fault_kind::unfinished_saved,
       [](history& h) {
         h.commands.push_back({"late", match_one, false, 0, "{}"});
       }},
      {fault_kind::unfinished_saved,
       [](history& h) {
         h.commands.push_back({"shape", match_one, false, 0, "{}"});
       }},
      {fault_kind::unfinished_saved,
       [](history& h) {
         h.commands.push_back({"busy", match_one, false, 0, "{}"});
       }},
      {fault_kind::event_missing, [](history& h) { h.events.pop_back(); }},
      {fault_kind::event_twice, [](history& h) { h.events.push_back(h.events[0]); }},
      {fault_kind::event_without_row,
       [](history& h) {
         h.events.push_back({match_two, 7});
       }},
      {fault_kind::watcher_gap, [](history& h) { h.watchers[0].changes.erase(h.watchers[0].changes.begin()); }},
      {fault_kind::watcher_gap, [](history& h) { h.watchers[0].changes[1].prev = 1; }},
      {fault_kind::watcher_disorder, [](history& h) { std::swap(h.watchers[0].changes[1], h.watchers[0].changes[2]); }},
      {fault_kind::watcher_disorder, [](history& h) { h.watchers[0].changes.push_back(h.watchers[0].changes.back()); }},
      {fault_kind::watcher_missed_end, [](history& h) { h.watchers[0].changes.pop_back(); }},
      {fault_kind::watcher_other_item, [](history& h) { h.watchers[0].changes[0].key_hash = 1; }},
  };
  return all;
}

} // namespace

TEST_CASE("A history without fault passes the checker") {
  auto got = check(good());
  for (const auto& f : got.faults) UNSCOPED_INFO(to_string(f.kind) << ": " << f.sentence);
  CHECK(got.good());
  CHECK(got.commands == 12);
  CHECK(got.accepted == 6);
  CHECK(got.refused == 2);
  CHECK(got.conflicts == 1);
  CHECK(got.unfinished == 2);
  CHECK(got.rows == 7);
  CHECK(got.changes == 3);
}

TEST_CASE("The checker catches each kind of fault put into a history, and names it") {
  for (const auto& f : faults()) {
    auto h = good();
    f.put_in(h);
    auto got = check(h);
    INFO(to_string(f.kind));
    CHECK_FALSE(got.good());
    CHECK(got.counts[f.kind] > 0);
  }
}

TEST_CASE("There is a planted fault for every kind the checker knows") {
  for (int kind = 0; kind <= static_cast<int>(fault_kind::watcher_other_item); ++kind) {
    INFO(to_string(static_cast<fault_kind>(kind)));
    CHECK(std::any_of(faults().begin(), faults().end(),
                      [&](const planted& f) { return f.kind == static_cast<fault_kind>(kind); }));
  }
}

TEST_CASE(
    "What nobody could know is no fault: lost answers, a server that stopped, a watcher cut off for its slowness") {
  auto h = good();
  h.sent.push_back({"open", match_two, {{word::try_again, 0, "database_unavailable", {}}}});
  h.log.push_back({match_two, 4, "open"});
  h.events.push_back({match_two, 4});
  h.commands.push_back({"open", match_two, true, 4, body_of("open", "accepted", 4)});
  h.versions[match_two] = 4;
  h.watchers.push_back({match_two, 0, {}, {}, false});
  auto got = check(h);
  for (const auto& f : got.faults) UNSCOPED_INFO(to_string(f.kind) << ": " << f.sentence);
  CHECK(got.good());
}

TEST_CASE("Without the command table the log and the answers are still held against each other") {
  auto h = good();
  h.has_commands = h.has_events = false;
  h.commands.clear();
  h.events.clear();
  CHECK(check(h).good());
  drop_row(h, 6); // the row whose answer was lost, and whose duplicate named its seq
  CHECK(check(h).counts[fault_kind::accepted_lost] > 0);
}

TEST_CASE("A snapshot after a cut stands for the versions up to its own, and for no other") {
  auto h = good();
  auto& changes = h.watchers[0].changes;
  changes.erase(changes.begin(), changes.begin() + 2); // 2 and 3, told by a snapshot at 3
  h.watchers[0].skipped = {2, 3};
  CHECK(check(h).good());
  h.watchers[0].skipped = {2};
  CHECK(check(h).counts[fault_kind::watcher_gap] == 1);
}

TEST_CASE("A second accepted is a fault, also in the bytes of the first") {
  auto h = good();
  h.sent[0].attempts.push_back(h.sent[0].attempts[0]);
  CHECK(check(h).counts[fault_kind::answered_twice] == 1);
}
