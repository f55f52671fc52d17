#include "runtime/upkeep/verifier.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/stored_match.hpp"
#include "runtime/road/rebuild.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <optional>

namespace omnium::upkeep {
namespace {

using clock = std::chrono::steady_clock;
using pg::statements::statement;

constexpr const char* sender = "omnium/verifier";

// Matches with a log, by id: those that are played first, because somebody looks at their scoreboards.
const statement matches_of{"verifier_matches", R"(
  SELECT id FROM fixture
   WHERE id > $1::uuid AND last_seq > 0 AND (status IN ('live', 'suspended')) = $2::boolean
   ORDER BY id LIMIT $3::int)"};

std::string about(const uuid& fixture) { return "fixture/" + to_string(fixture); }

// Its key names the version: however many nodes find the same damage, one row is written.
command_ptr rebuild_command(const road::match_check& what) {
  const auto& match = what.of().match;
  auto key = fmt::format("verifier:{}:{}", to_string(match.subject.ref), match.last_seq);
  auto ref = to_string(match.subject.ref);
  command_envelope where;
  where.workflow = match.sport;
  where.kind = to_string(match.subject.kind);
  where.ref = ref;
  auto body =
      fmt::format(R"({{"key":{},"code":"{}","input":{{"seq":{},"reason":{}}},"sender":"{}"}})", json::quoted(key),
                  road::rebuild_code, match.last_seq, json::quoted(what.damage().substr(0, 200)), sender);
  auto parsed = parse_command(where, body);
  auto* command = std::get_if<omnium::command>(&parsed);
  return command == nullptr ? nullptr : std::make_shared<const omnium::command>(std::move(*command));
}

} // namespace

// What other threads bring is laid down under this guard; it outlives the verifier while an answer is under way.
struct verifier::post {
  std::mutex guard;
  std::condition_variable wake;
  bool stopping = false;
};

// Asks, and waits for the one answer; nullopt: it did not come in time, or the verifier ends.
template<class Answer, class Ask>
std::optional<Answer> verifier::answer_to(Ask&& ask) {
  auto got = std::make_shared<std::optional<Answer>>();
  ask([post = post_, got](Answer what) {
    {
      std::lock_guard lock(post->guard);
      *got = std::move(what);
    }
    post->wake.notify_all();
  });
  std::unique_lock lock(post_->guard);
  post_->wake.wait_for(lock, limits::verify_answer_wall_clock, [&] { return post_->stopping || got->has_value(); });
  return post_->stopping ? std::nullopt : std::move(*got);
}

verifier::verifier(verifier_options options, verifier_doors doors, ops::metrics& metrics)
    : options_(std::move(options)), doors_(std::move(doors)), metrics_(metrics),
      beat_(metrics.beats.add("verifier", ops::beat_board::kind::turning, limits::verify_silent_after)),
      pass_seconds_(metrics.registry.make_gauge("omnium_verifier_pass_seconds",
                                                "What this node's last look at all matches took.")),
      pass_matches_(metrics.registry.make_gauge("omnium_verifier_pass_matches",
                                                "Matches of the look that is under way, or was the last.")),
      post_(std::make_shared<post>()) {
  thread_ = std::thread([this] { loop(); });
}

verifier::~verifier() {
  {
    std::lock_guard lock(post_->guard);
    post_->stopping = true;
  }
  post_->wake.notify_all();
  thread_.join();
}

bool verifier::pause(std::chrono::nanoseconds length) {
  std::unique_lock lock(post_->guard);
  return !post_->wake.wait_for(lock, length, [this] { return post_->stopping; });
}

bool verifier::lead(pg::session& mine) {
  bool leads = false;
  mine.run([&](pg::session::door& door) { leads = leader_.holds(door); });
  return leads;
}

void verifier::loop() {
  name_thread("verifier");
  pg::session mine(options_.where);
  bool led = false;
  clock::time_point next{};
  do {
    beat_.turn();
    bool leads = lead(mine);
    if (leads && !led) {
      ops::log_info("this node does the verifier's work");
      next = clock::now() + std::min(options_.first_after, options_.pass_every);
    }
    led = leads;
    if (!leads || clock::now() < next) continue;
    auto began = clock::now();
    pass(mine);
    next = began + options_.pass_every;
  } while (pause(options_.look_every));
}

void verifier::pass(pg::session& mine) {
  auto began = clock::now();
  matches_ = 0;
  pass_matches_.set(0);
  if (!walk(mine, true) || !walk(mine, false)) return;
  pass_seconds_.set(std::chrono::duration<double>(clock::now() - began).count());
}

// False: the pass is over (another node leads, the database is away, or the end).
bool verifier::walk(pg::session& mine, bool live) {
  std::vector<uuid> ids;
  uuid after{};
  do {
    if (!page(mine, live, after, ids)) return false;
    for (const auto& id : ids) {
      auto began = clock::now();
      if (!check(mine, id)) return false;
      auto rest = std::min<std::chrono::nanoseconds>((clock::now() - began) * limits::verify_rest_share,
                                                     limits::verify_rest_max);
      if (!pause(std::max<std::chrono::nanoseconds>(options_.pause, rest))) return false;
      after = id;
    }
  } while (ids.size() == static_cast<std::size_t>(limits::verify_page_matches));
  return true;
}

bool verifier::page(pg::session& mine, bool live, const uuid& after, std::vector<uuid>& out) {
  out.clear();
  bool leads = false;
  auto error = mine.run([&](pg::session::door& door) {
    leads = leader_.holds(door);
    if (!leads) return;
    for (const auto& row : door.run(matches_of, to_string(after), live, limits::verify_page_matches))
      if (auto id = parse_uuid(row[0].c_str())) out.push_back(*id);
  });
  return !error && leads;
}

// A match that moves on under the rebuild is looked at again: what was damaged may have been written anew.
bool verifier::check(pg::session& mine, const uuid& fixture) {
  auto found = outcome_of_look::moved;
  for (int looks = 0; looks < limits::verify_looks_max && found == outcome_of_look::moved; ++looks)
    found = look(mine, fixture);
  if (found == outcome_of_look::over) return false;
  count(found);
  pass_matches_.set(static_cast<double>(++matches_));
  beat_.progress();
  return true;
}

verifier::outcome_of_look verifier::look(pg::session& mine, const uuid& fixture) {
  std::optional<road::stored_match> stored;
  bool leads = false;
  auto error = mine.run([&](pg::session::door& door) {
    leads = leader_.holds(door);
    if (leads) stored = pg::read_stored(door, fixture);
  });
  if (error || !leads) return outcome_of_look::over;
  if (!stored) return outcome_of_look::skipped;
  // Another package than the installed one folds to what it likes; that is raised elsewhere.
  auto here = doors_.rules->find(stored->match.sport, stored->match.release);
  if (!here || here->code_sha != stored->match.fold_hash) return outcome_of_look::skipped;
  road::match_check what(std::move(*stored), limits::verify_chunk_events);
  if (!fold(what)) return pause(std::chrono::nanoseconds(0)) ? outcome_of_look::skipped : outcome_of_look::over;
  return judge(what);
}

// False: a run was not answered.
bool verifier::fold(road::match_check& what) {
  while (auto piece = what.next()) {
    auto reply = answer_to<road::run_reply>([&](auto done) { doors_.fold(what.of().match, piece, std::move(done)); });
    if (!reply) return false;
    what.take(std::move(*reply));
    beat_.turn();
  }
  return true;
}

verifier::outcome_of_look verifier::judge(const road::match_check& what) {
  const auto& match = what.of().match;
  auto name = about(match.subject.ref);
  if (what.worker_failed()) {
    ops::log_warn("the check of a match was put off: " + what.fault(), {.match = name});
    return outcome_of_look::skipped;
  }
  if (!what.fault().empty()) {
    ops::log_error("the log of a match cannot be folded: " + what.fault(), {.match = name});
    if (doors_.raise) doors_.raise("match-quarantined", name, "It cannot be folded: " + what.fault());
    if (doors_.wake) doors_.wake(match.subject.ref);
    return outcome_of_look::unfoldable;
  }
  if (what.damage().empty()) return outcome_of_look::right;
  auto sentence = fmt::format("At version {}: {}.", match.last_seq, what.damage());
  ops::log_error("what is stored of a match is damaged. " + sentence, {.match = name});
  if (doors_.raise) doors_.raise("scoreboard-damaged", name, sentence);
  if (what.rebuilt_in_vain() < limits::verify_rebuilds_max) return rebuild(what);
  ops::log_error("it was rebuilt again and again, and is left as it is", {.match = name});
  return outcome_of_look::damaged;
}

verifier::outcome_of_look verifier::rebuild(const road::match_check& what) {
  auto command = rebuild_command(what);
  if (!command) return outcome_of_look::damaged;
  auto reply = answer_to<road::reply>(
      [&](auto done) { doors_.send(std::make_shared<road::ticket>(command, false, std::move(done))); });
  if (!reply) return outcome_of_look::damaged;
  if (reply->what == outcome::conflict || reply->what == outcome::duplicate) return outcome_of_look::moved;
  auto name = about(command->subject.ref);
  if (reply->what == outcome::accepted) {
    ops::log_info("the match was rebuilt from its log", {.match = name});
    return outcome_of_look::rebuilt;
  }
  ops::log_warn("the match could not be rebuilt: " + reply->body, {.match = name});
  return outcome_of_look::damaged;
}

void verifier::count(outcome_of_look what) {
  constexpr std::array<const char*, 6> words = {"right", "rebuilt", "damaged", "unfoldable", "skipped", "skipped"};
  metrics_.registry
      .make_counter("omnium_verifier_matches_total",
                    "Matches whose stored scoreboard was looked at, by what was found.",
                    {{"result", words.at(static_cast<std::size_t>(what))}})
      .add();
}

} // namespace omnium::upkeep
