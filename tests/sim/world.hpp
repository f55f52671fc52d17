#pragma once
// The world around the real actors: a database shared by nodes, sport workers, an outbox and screens, all of them
// models. Whatever the actors ask for is an open operation, and a seed decides when it ends and how. One thread.
#include "actors/context.hpp"
#include "actors/sports.hpp"
#include "bench/answers.hpp"
#include "bench/history.hpp"
#include "runtime/outbox/hub.hpp"
#include "tests/sim/model.hpp"

#include <list>
#include <random>
#include <set>

namespace omnium::simulation {

using model::database;
enum class fate : std::uint8_t { good, fails, unknown_done, unknown_late, unknown_not_done };

// A guard taken out, to show that it is missed.
struct spoiled {
  bool no_fence = false, no_key_check = false, no_order = false;
};

struct event { // a row of domain_event
  std::uint64_t xid = 0, id = 0;
  uuid subject;
  std::int64_t seq = 0;
  std::string payload;
};

struct operation {
  std::string what;
  std::function<void(fate)> end;
};

struct world {
  world(std::uint64_t seed, spoiled taken_out) : lot(seed), spoil(taken_out) {}

  std::uint64_t pick(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(lot); }
  bool chance(std::uint64_t percent) { return pick(100) < percent; }

  void add_match(const uuid& id) {
    matches.push_back(id);
    auto& db = rows[id];
    db.no_fence = spoil.no_fence;
    db.no_key_check = spoil.no_key_check;
  }
  void open(std::string what, std::function<void(fate)> end) { pending.push_back({std::move(what), std::move(end)}); }
  void end_one(fate how) {
    auto it = std::next(pending.begin(), static_cast<std::ptrdiff_t>(pick(pending.size())));
    auto now = std::move(*it);
    pending.erase(it);
    now.end(how);
  }

  // --- transactions
  // ----------------------------------------------------------------------------------------------------
  std::uint64_t begin() {
    running.insert(next_xid);
    return next_xid++;
  }
  std::uint64_t horizon() const { return running.empty() ? next_xid : *running.begin(); }
  // A transaction whose session died, and that commits when it pleases, but before anybody else gets the row.
  void finish_late(const uuid& subject) {
    for (auto work = std::exchange(late[subject], {}); auto& one : work) one();
  }
  road::batch_result apply(const road::subject_batch& batch, std::uint64_t xid) {
    auto& db = rows.at(batch.subject.ref);
    auto out = db.commit(batch);
    if (out.what == road::batch_result::kind::committed)
      for (const auto& c : batch.commands)
        if (c.item) events.push_back({xid, next_event++, batch.subject.ref, c.item->seq, c.event});
    running.erase(xid);
    return out;
  }
  // Another program's writer, which takes its transaction id long before it gets the row (an import does).
  void import(const uuid& subject, std::uint64_t xid) {
    finish_late(subject);
    auto& db = rows.at(subject);
    road::log_item item;
    item.seq = db.last_seq() + 1;
    item.code = "toy.add";
    item.play = true;
    item.input = R"({"v":1})";
    item.key = fmt::format("import-{}", xid);
    item.sender = "import";
    item.at = "2026-01-01T00:00:00.000Z";
    auto answer = fmt::format(R"({{"outcome":"accepted","key":"{}","seq":{},"first":null}})", item.key, item.seq);
    db.commands[item.key] = {sha256(item.key), subject, answer, outcome::accepted};
    db.log.push_back(item);
    db.last_play = item.seq;
    db.scoreboard = model::toy::fold(db.log).scoreboard();
    events.push_back({xid, next_event++, subject, item.seq,
                      fmt::format(R"({{"version":{},"prev":{},"item":{{"key":"{}"}},"scoreboard":{}}})", item.seq,
                                  item.seq - 1, item.key, db.scoreboard)});
    imported.push_back({item.key, to_string(subject), {{bench::word::accepted, item.seq, {}, answer}}});
    running.erase(xid);
  }
  const event* event_of(const uuid& subject, std::int64_t seq) const {
    for (const auto& e : events)
      if (e.subject == subject && e.seq == seq) return &e;
    return nullptr;
  }

  std::mt19937_64 lot;
  spoiled spoil;
  std::vector<uuid> matches;
  std::map<uuid, database> rows;
  std::map<uuid, std::vector<std::function<void()>>> late;
  std::list<operation> pending;
  std::vector<event> events;
  std::set<std::uint64_t> running; // transactions
  std::uint64_t next_xid = 1, next_event = 1;
  std::vector<bench::sent_command> imported;
};

// The store as an actor sees it: every call becomes an open operation.
class model_store final : public road::store {
public:
  explicit model_store(world& w) : w_(w) {}

  bool commit(std::shared_ptr<const road::subject_batch> batch, std::function<void(road::batch_result)> done) override {
    if (w_.chance(1)) return false; // the queue is full
    auto xid = w_.begin();
    w_.open("commit", [this, batch, done, xid](fate how) {
      road::batch_result out; // unknown
      const auto& subject = batch->subject.ref;
      if (how == fate::good || how == fate::unknown_done) {
        w_.finish_late(subject);
        auto result = w_.apply(*batch, xid);
        if (how == fate::good) out = std::move(result);
      } else if (how == fate::unknown_late) {
        w_.late[subject].push_back([this, batch, xid] { w_.apply(*batch, xid); });
      } else {
        w_.running.erase(xid);
        if (how == fate::fails) {
          out.what = road::batch_result::kind::failed;
          out.why = {w_.chance(50) ? "lock_timeout" : "statement_timeout", "No.", {}, {}, {}};
        }
      }
      done(std::move(out));
    });
    return true;
  }
  bool load(subject_ref subject, road::load_depth depth,
            std::function<void(std::optional<road::loaded_subject>, reason)> done) override {
    w_.open("load", [this, subject, depth, done](fate how) {
      if (how != fate::good) return done(std::nullopt, away());
      done(w_.rows.at(subject.ref).load(subject, depth), {});
    });
    return true;
  }
  bool find_keys(subject_ref subject, std::vector<std::string> keys, bool under_lock,
                 std::function<void(std::optional<std::vector<road::seen_command>>, reason)> done) override {
    w_.open("find_keys", [this, subject, keys, under_lock, done](fate how) {
      if (how != fate::good) return done(std::nullopt, away());
      if (under_lock) w_.finish_late(subject.ref);
      std::vector<road::seen_command> out;
      const auto& db = w_.rows.at(subject.ref);
      for (const auto& key : keys)
        if (auto it = db.commands.find(key); it != db.commands.end())
          out.push_back({key, it->second.hash, it->second.subject, it->second.answer});
      done(std::move(out), {});
    });
    return true;
  }
  void note_failure(std::string key, std::string error) override { failures[std::move(key)] = std::move(error); }
  void save_snapshot(subject_ref subject, road::snapshot snap) override {
    w_.open("snapshot", [this, subject, snap](fate how) {
      if (how == fate::good) w_.rows.at(subject.ref).snap = snap;
    });
  }
  std::map<std::string, std::string> failures;

private:
  static reason away() { return {"database_unavailable", "The database is away.", {}, {}, {}}; }
  world& w_;
};

// A sport worker: the toy sport, some time later, or its death; and at times a slow ball, behind which all is given
// back.
class model_worker final : public actors::worker_door {
public:
  explicit model_worker(world& w) : w_(w) {}
  void run(std::vector<std::shared_ptr<const road::run_request>> requests, sport::worker::heard_fn heard) override {
    w_.open("run", [&w = w_, requests = std::move(requests), heard = std::move(heard)](fate how) {
      const auto count = requests.size();
      const auto last = how == fate::fails || w.chance(70) ? count : 1 + w.pick(count); // played, or died in the last
      std::vector<sport::heard_run> out;
      for (std::size_t i = 0; i < count; ++i) {
        if (i >= last) out.push_back({i, std::nullopt});
        else if (how == fate::fails) out.push_back({i, gone(road::run_reply::kind::unavailable)});
        else if (how != fate::good && i + 1 == last) out.push_back({i, gone(road::run_reply::kind::broken)});
        else out.push_back({i, model::toy::run(*requests[i])});
      }
      std::vector<sport::heard_run> rest; // heard a little later
      while (!out.empty() && w.chance(20)) rest.insert(rest.begin(), std::move(out.back())), out.pop_back();
      heard(std::move(out), rest.empty());
      if (!rest.empty()) heard(std::move(rest), true);
    });
  }
  sport::worker_status status() const override { return {}; }

private:
  static road::run_reply gone(road::run_reply::kind how) {
    road::run_reply reply;
    reply.what = how;
    reply.error = "the worker is gone";
    return reply;
  }
  world& w_;
};

// What the hub asks the database for, answered some time later from what stands there then.
class model_topics final : public outbox::topic_source {
public:
  explicit model_topics(world& w) : w_(w) {}
  void ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
           std::function<void(outbox::topic_answer)> done) override {
    w_.open("topic", [&w = w_, id = topic.id, have, done](fate how) { // outlives the node that asked
      outbox::topic_answer out;
      if (how == fate::good) {
        out.version = w.rows.at(id).last_seq();
        out.what =
            have && *have <= out.version ? outbox::topic_answer::kind::changes : outbox::topic_answer::kind::snapshot;
        out.data = "{}";
        for (auto seq = have.value_or(0) + 1; out.what == outbox::topic_answer::kind::changes && seq <= out.version;
             ++seq)
          if (const auto* e = w.event_of(id, seq)) out.changes.emplace_back(seq, e->payload);
      }
      done(std::move(out));
    });
  }

private:
  world& w_;
};

// A screen's socket. What it was sent is its history; one that was told an error asks again.
class model_screen final : public wire::live_sink {
public:
  explicit model_screen(const uuid& of) : match(of) { seen.subject = to_string(of); }
  void send(wire::bytes_ptr frame) override {
    if (auto change = bench::read_change(*frame)) {
      seen.changes.push_back(*change);
      have = std::max(have, change->version);
    } else if (auto version = bench::read_snapshot(*frame)) {
      if (seen.changes.empty() && seen.skipped.empty()) seen.from = *version;
      else
        for (auto v = have + 1; v <= *version; ++v) seen.skipped.push_back(v);
      have = std::max(have, *version);
    } else {
      refused = true;
    }
  }
  uuid match;
  bench::watcher_history seen;
  std::int64_t have = 0;
  bool refused = false;
};

} // namespace omnium::simulation
