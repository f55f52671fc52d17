#include "runtime/core/json.hpp"
#include "runtime/road/corrected_log.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>

using namespace omnium;
using namespace omnium::road;

namespace {

// A log written row by row; each call returns the new row's seq.
class log_writer {
public:
  std::int64_t event(const std::string& code = "s.ball") {
    return add(code, R"({"n":)" + std::to_string(next()) + "}");
  }
  std::int64_t voiding(std::vector<std::int64_t> seqs, const std::string& code = "match.void") {
    add(code, R"({"seq":)" + std::to_string(seqs.front()) + "}");
    log.back().voids = std::move(seqs);
    return log.back().seq;
  }
  std::int64_t amend(std::int64_t target) {
    add("match.amend",
        R"({"input":{"amended":)" + std::to_string(next()) + R"(},"seq":)" + std::to_string(target) + "}");
    log.back().replaces = target;
    return log.back().seq;
  }
  std::int64_t insert(std::int64_t before, const std::string& code = "s.late") {
    return add("match.insert", R"({"before":)" + std::to_string(before) + R"(,"code":")" + code + R"(","input":{"n":)" +
                                   std::to_string(next()) + "}}");
  }
  std::int64_t add(const std::string& code, const std::string& input) {
    log.push_back(
        {next(), code, true, input, "desk", "k" + std::to_string(next()), "2026-10-05T14:03:11.250Z", {}, {}, "t"});
    return log.back().seq;
  }

  std::vector<log_item> log;

private:
  std::int64_t next() const { return static_cast<std::int64_t>(log.size()) + 1; }
};

std::vector<std::int64_t> seqs(const std::vector<sport_event>& events) {
  std::vector<std::int64_t> out;
  for (const auto& each : events) out.push_back(each.seq);
  return out;
}

const sport_event& event_of(const std::vector<sport_event>& events, std::int64_t seq) {
  const auto found = std::find_if(events.begin(), events.end(), [&](const auto& each) { return each.seq == seq; });
  if (found == events.end()) FAIL("no event " << seq);
  return *found;
}

using seq_list = std::vector<std::int64_t>;

// The rules said as plainly as possible, at any cost.
struct obvious_model {
  const std::vector<log_item>& log;

  const log_item* row(std::int64_t seq) const {
    for (const auto& each : log)
      if (each.seq == seq) return &each;
    return nullptr;
  }
  bool is_void(std::int64_t seq) const {
    for (const auto& later : log)
      if (later.seq > seq && std::count(later.voids.begin(), later.voids.end(), seq) > 0 && !is_void(later.seq))
        return true;
    return false;
  }
  std::optional<std::int64_t> amended(const log_item& amend) const {
    const auto* target = amend.replaces ? row(*amend.replaces) : nullptr;
    if (target == nullptr || target->seq >= amend.seq) return std::nullopt;
    return target->code == "match.amend" ? amended(*target) : std::optional{target->seq};
  }
  std::vector<const log_item*> order() const {
    std::vector<const log_item*> out;
    for (const auto& each : log) {
      auto place = out.end();
      if (each.code == "match.insert")
        place = std::find_if(out.begin(), out.end(), [&](const log_item* other) {
          return other->seq == json::integer_member(each.input, "before");
        });
      out.insert(place, &each);
    }
    return out;
  }
  std::vector<sport_event> events() const {
    std::vector<sport_event> out;
    for (const auto* each : order()) {
      sport_event event{each->seq, each->code, each->input, each->at, each->play};
      if (each->code == "match.insert") {
        event.code = *json::string_member(each->input, "code");
        event.input = *json::raw_member(each->input, "input");
      }
      if (is_void(each->seq) || is_runtime_row(event.code)) continue;
      for (const auto& amend : log)
        if (amend.code == "match.amend" && !is_void(amend.seq) && amended(amend) == each->seq)
          event.input = *json::raw_member(amend.input, "input");
      out.push_back(event);
    }
    return out;
  }
};

// Any mix of events and corrections that names earlier rows (and now and then rows that are not there).
std::vector<log_item> any_log() {
  log_writer write;
  const auto length = *rc::gen::inRange<std::size_t>(0, 26);
  for (std::size_t i = 0; i < length; ++i) {
    const auto target = *rc::gen::inRange<std::int64_t>(1, static_cast<std::int64_t>(i) + 2);
    switch (*rc::gen::inRange(0, 9)) {
    case 0:
      write.voiding({target});
      break;
    case 1:
      write.voiding(*rc::gen::nonEmpty(rc::gen::container<seq_list>(rc::gen::inRange<std::int64_t>(1, target + 1))),
                    "match.cancel_range");
      break;
    case 2:
      write.amend(target);
      break;
    case 3:
      write.insert(target, *rc::gen::element<std::string>("s.late", "match.note", "games.edit_competitor"));
      break;
    case 4:
      write.add(
          *rc::gen::element<std::string>("games.edit_competitor", "ops.set_release", "results.claim", "match.baseline"),
          "{}");
      break;
    case 5: { // a sport's own overturn: a play that makes an earlier one void
      write.event("s.review");
      if (target < write.log.back().seq) write.log.back().voids = {target};
      break;
    }
    default:
      write.event();
    }
  }
  return write.log;
}

} // namespace

TEST_CASE("a log without corrections reads as it is", "[corrected_log]") {
  log_writer write;
  write.event();
  write.add("games.edit_competitor", "{}");
  write.add("match.baseline", R"({"score":1})");
  write.event();
  const auto events = corrected_log(write.log);
  REQUIRE(seqs(events) == seq_list{1, 3, 4});
  REQUIRE(events[1] == sport_event{3, "match.baseline", R"({"score":1})", "2026-10-05T14:03:11.250Z", true});
  REQUIRE(corrected_log({}).empty());
}

TEST_CASE("a void takes an event away, and a void of the void brings it back", "[corrected_log]") {
  log_writer write;
  const auto first = write.event(), second = write.event();
  const auto undo = write.voiding({second});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{first});
  const auto redo = write.voiding({undo});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{first, second});
  write.voiding({redo});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{first});
}

TEST_CASE("an event amended twice reads as the newest amend, and as the older when that is void", "[corrected_log]") {
  log_writer write;
  const auto ball = write.event();
  const auto one = write.amend(ball), two = write.amend(ball);
  REQUIRE(event_of(corrected_log(write.log), ball).input == R"({"amended":3})");
  write.voiding({two});
  REQUIRE(event_of(corrected_log(write.log), ball).input == R"({"amended":2})");
  write.voiding({one});
  REQUIRE(event_of(corrected_log(write.log), ball).input == R"({"n":1})");
}

TEST_CASE("an amend of an amend speaks of the event itself", "[corrected_log]") {
  log_writer write;
  const auto ball = write.event();
  const auto one = write.amend(ball);
  write.amend(one);
  REQUIRE(event_of(corrected_log(write.log), ball).input == R"({"amended":3})");
}

TEST_CASE("inserts stand before their target in the order they were written", "[corrected_log]") {
  log_writer write;
  const auto first = write.event(), second = write.event();
  const auto a = write.insert(second), b = write.insert(second), c = write.insert(b), d = write.insert(first);
  const auto events = corrected_log(write.log);
  REQUIRE(seqs(events) == seq_list{d, first, a, c, b, second});
  REQUIRE(event_of(events, a) == sport_event{a, "s.late", R"({"n":3})", "2026-10-05T14:03:11.250Z", true});
}

TEST_CASE("an inserted event can be amended and voided by its own seq", "[corrected_log]") {
  log_writer write;
  const auto ball = write.event();
  const auto late = write.insert(ball);
  write.amend(late);
  REQUIRE(event_of(corrected_log(write.log), late).input == R"({"amended":3})");
  REQUIRE(event_of(corrected_log(write.log), late).code == "s.late");
  write.voiding({late});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{ball});
}

TEST_CASE("an insert keeps its place when the event it stands before is void", "[corrected_log]") {
  log_writer write;
  const auto first = write.event(), second = write.event(), third = write.event();
  const auto late = write.insert(second);
  write.voiding({second});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{first, late, third});
}

TEST_CASE("a cancelled range and a cascade take every listed row away, and one void brings all back",
          "[corrected_log]") {
  log_writer write;
  for (int i = 0; i < 6; ++i) write.event();
  const auto range = write.voiding({2, 3, 5}, "match.cancel_range");
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{1, 4, 6});
  write.voiding({range});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a sport's own overturn makes void until it is void itself", "[corrected_log]") {
  log_writer write;
  const auto goal = write.event();
  const auto review = write.event("football.var");
  write.log.back().voids = {goal};
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{review});
  write.voiding({review});
  REQUIRE(seqs(corrected_log(write.log)) == seq_list{goal});
}

TEST_CASE("any mix of events and corrections reads as the obvious model says", "[corrected_log]") {
  OMNIUM_PROPERTY("model", [] {
    const auto log = any_log();
    RC_ASSERT(corrected_log(log) == obvious_model{log}.events());
  });
}

TEST_CASE("a void written and made void again changes nothing", "[corrected_log]") {
  OMNIUM_PROPERTY("void of void", [] {
    log_writer write;
    write.log = any_log();
    RC_PRE(!write.log.empty());
    const auto before = corrected_log(write.log);
    const auto target = *rc::gen::inRange<std::int64_t>(1, static_cast<std::int64_t>(write.log.size()) + 1);
    const auto undo = write.voiding({target});
    write.voiding({undo});
    RC_ASSERT(corrected_log(write.log) == before);
  });
}

TEST_CASE("a long chain of inserts before inserts is read in one pass", "[corrected_log]") {
  log_writer write;
  auto before = write.event();
  for (int i = 0; i < 50'000; ++i) before = write.insert(before);
  const auto events = corrected_log(write.log);
  REQUIRE(events.size() == 50'001);
  REQUIRE(events.front().seq == 50'001);
  REQUIRE(events.back().seq == 1);
}

TEST_CASE("rows that a sport never sees are known by their code", "[corrected_log]") {
  for (const std::string code : {"match.void", "match.amend", "match.insert", "match.cancel_range"}) {
    REQUIRE(is_correction(code));
    REQUIRE(is_runtime_row(code));
  }
  for (const std::string code : {"games.create_fixture", "results.claim", "ops.set_release"}) {
    REQUIRE_FALSE(is_correction(code));
    REQUIRE(is_runtime_row(code));
  }
  for (const std::string code : {"match.start", "match.note", "match.baseline", "football.goal", "gamesome.x"}) {
    REQUIRE_FALSE(is_correction(code));
    REQUIRE_FALSE(is_runtime_row(code));
  }
}
