#pragma once
// A model of the world around road::subject: one database shared by several nodes, a toy sport, and faults on demand.
// Everything is asynchronous: what a subject asks is an open operation, and the test (or a seed) chooses when it ends
// and how. Several nodes hold subjects of the same match, as several server processes would.
#include "runtime/core/hashing.hpp"
#include "runtime/core/json.hpp"
#include "runtime/road/correction.hpp"
#include "runtime/road/subject.hpp"

#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <utility>
#include <vector>

namespace omnium::model {

// The toy sport: a sum that must never be negative. toy.add {"v":n}; toy.peek is no play; toy.hang never ends;
// toy.overturn {"seq":n} makes an earlier toy.add void. Release 2 allows no sum over 100. What is no row of its own it
// cannot fold: toy.alien, and a state that is no state.
struct toy {
  struct state {
    std::int64_t sum = 0, count = 0;
    std::string text() const { return fmt::format(R"({{"count":{},"sum":{}}})", count, sum); }
    std::string scoreboard() const {
      return fmt::format(R"({{"status":"live","period":"P{}","score":{{"home":{},"away":0}},"line":"{}"}})", count / 20,
                         sum, sum);
    }
  };
  static std::int64_t number(const std::string& text, const char* name) {
    simdjson::dom::parser parser;
    std::int64_t value = 0;
    simdjson::dom::element root;
    if (text.empty() || parser.parse(text).get(root) || root[name].get(value)) return 0;
    return value;
  }
  static state read(const std::string& text) { return {number(text, "sum"), number(text, "count")}; }
  static std::optional<reason> decide(const state& s, const road::sport_event& e, const std::string& release) {
    if (release == "2" && e.code == "toy.add" && s.sum + number(e.input, "v") > 100)
      return reason{"too_much", "The sum cannot be over 100.", "/input/v", "Law 2", {}};
    if (e.code == "toy.add" && s.sum + number(e.input, "v") < 0)
      return reason{"negative", "The sum cannot be negative.", "/input/v", "Law 1", {}};
    return std::nullopt;
  }
  static void evolve(state& s, const road::sport_event& e) {
    if (e.code == "toy.add") s.sum += number(e.input, "v");
    if (e.code != "toy.peek") ++s.count;
  }
  static road::run_reply run(const road::run_request& what, const std::string& release = "1") {
    road::run_reply out;
    auto cannot = [&](std::size_t index) {
      out.what = road::run_reply::kind::cannot_fold;
      out.index = index;
      out.error = "this cannot be read";
      return out;
    };
    if (!what.state.empty() && what.state.find("\"sum\"") == std::string::npos) return cannot(0);
    auto s = read(what.state);
    std::int64_t accepted = 0;
    for (std::size_t i = 0; i < what.events.size(); ++i) {
      auto e = what.events[i];
      bool deciding = what.mode == road::run_mode::decide;
      if (deciding) e.seq = what.events.front().seq + accepted;
      if (e.code == "toy.alien") return cannot(i);
      if (e.code == "toy.hang" && deciding) {
        out.what = road::run_reply::kind::killed;
        out.index = i;
        out.error = "over 500 ms";
        return out;
      }
      road::event_verdict v;
      v.index = i;
      auto why = e.settled || what.mode == road::run_mode::replay ? std::nullopt : decide(s, e, release);
      if (why) {
        v.why = *why;
        out.verdicts.push_back(v);
        if (!what.keep_refused) continue;
      }
      evolve(s, e);
      if (!e.settled && e.fresh && e.code == "toy.overturn" && what.mode == road::run_mode::check) {
        v.accepted = true;
        v.voids = {number(e.input, "seq")};
        out.verdicts.push_back(v);
      }
      if (!deciding) continue;
      ++accepted;
      v.accepted = true;
      v.scoreboard = s.scoreboard();
      if (e.code == "toy.overturn") v.voids = {number(e.input, "seq")};
      out.verdicts.push_back(v);
      if (!v.voids.empty()) break;
    }
    out.state = s.text();
    out.scoreboard = s.scoreboard();
    return out;
  }
  // The truth: a fold from scratch of the corrected log.
  static state fold(const std::vector<road::log_item>& log) {
    state s;
    for (const auto& e : road::corrected_log(log)) evolve(s, e);
    return s;
  }
};

// The sport that a node plays: the toy, or one of the built ones behind a real worker.
struct sport_model {
  std::function<road::run_reply(const road::run_request&, const std::string& release)> run = toy::run;
  std::shared_ptr<const road::rule_book> rules; // null: the toy's
};

class toy_rules final : public road::rule_book {
public:
  std::optional<road::release_facts> find(std::string_view sport, std::string_view version) const override {
    if (sport != "toy" || (version != "1" && version != "2")) return std::nullopt;
    return road::release_facts{std::string(version), version == "1" ? "sha" : "sha2"};
  }
  std::optional<road::release_facts> default_release(std::string_view sport, const uuid&) const override {
    return find(sport, "1");
  }
  std::optional<bool> is_play(std::string_view, std::string_view, std::string_view code) const override {
    if (code == "toy.add" || code == "toy.hang" || code == "toy.overturn") return true;
    if (code == "toy.peek" || code == "match.note") return false;
    return std::nullopt;
  }
};

struct saved_command {
  payload_hash hash{};
  uuid subject;
  std::string answer;
  outcome what{};
};

// The shared truth. `no_fence` and `no_key_check` take a guard out, to show that the invariants notice.
struct database {
  std::vector<road::log_item> log;
  std::map<std::string, saved_command> commands;
  std::string scoreboard;
  std::int64_t last_play = 0;
  std::optional<road::snapshot> snap;
  std::vector<road::competitor_row> rows;
  std::map<std::string, std::string> failures;
  std::string sport = "toy", release = "1", fold_hash = "sha"; // the match's pin
  bool no_fence = false, no_key_check = false, found = true;

  std::int64_t last_seq() const { return static_cast<std::int64_t>(log.size()); }

  road::batch_result commit(const road::subject_batch& b) {
    if (b.dry) {
      auto trial = *this;
      auto real = b;
      real.dry = false;
      return trial.commit(real);
    }
    road::batch_result out;
    out.last_seq = last_seq();
    for (const auto& c : b.commands)
      if (auto it = commands.find(c.source->key); it != commands.end() && !no_key_check)
        out.seen.push_back({c.source->key, it->second.hash, it->second.subject, it->second.answer});
    if (!out.seen.empty()) {
      out.what = road::batch_result::kind::seen;
      return out;
    }
    if (!no_fence && b.expected_seq != last_seq()) {
      out.what = road::batch_result::kind::stale;
      for (const auto& row : log)
        if (row.seq > b.expected_seq) out.newer.push_back(row);
      return out;
    }
    for (const auto& c : b.commands) {
      commands[c.source->key] = {c.source->hash, c.source->subject.ref, c.answer, c.what};
      if (c.item) log.push_back(*c.item);
    }
    for (const auto& e : b.effects)
      if (e.what == road::row_effect::kind::set_release) {
        release = json::string_member(e.data, "release").value_or("");
        fold_hash = json::string_member(e.data, "code_sha").value_or("");
        snap.reset();
      }
    last_play = b.last_play;
    if (!b.scoreboard.empty()) scoreboard = b.scoreboard;
    if (b.snap) snap = b.snap;
    out.what = road::batch_result::kind::committed;
    out.last_seq = last_seq();
    return out;
  }
  road::loaded_subject load(const subject_ref& ref, road::load_depth depth) const {
    road::loaded_subject out;
    out.found = found;
    out.subject = ref;
    out.last_seq = last_seq();
    out.last_play = last_play;
    out.sport = sport;
    out.release = release;
    out.fold_hash = fold_hash;
    out.settings = "{}";
    out.rows = rows;
    out.whole_log = depth == road::load_depth::whole_log || !snap;
    if (!out.whole_log) out.snap = snap;
    for (const auto& row : log)
      if (out.whole_log || row.seq > snap->seq) out.log.push_back(row);
    return out;
  }
};

// One node's subject and its open operations: one, or a commit and a run decided ahead of it.
class node final : public road::subject_ports {
public:
  node(database& db, subject_ref ref, sport_model plays = {}) : db_(db), ref_(ref), plays_(std::move(plays)) {
    if (!plays_.rules) plays_.rules = std::make_shared<toy_rules>();
    restart();
  }

  // A crash: the actor and all it holds is gone, its tickets with it; what the database did stays.
  void restart() {
    open_.clear();
    subject_.reset();
    subject_ = std::make_unique<road::subject>(ref_, *this);
  }
  road::subject& subject() { return *subject_; }
  bool busy() const { return !open_.empty(); }
  bool committing() const { return busy() && open_.front().commit; }
  std::size_t open() const { return open_.size(); }

  enum class fate { good, fails, unknown_done, unknown_not_done };
  // Ends an open operation, the oldest or another. For a commit `how` says what becomes of it; a failed load or key
  // look-up is a database away.
  void end(fate how = fate::good, std::size_t which = 0) {
    auto at = open_.begin() + static_cast<std::ptrdiff_t>(which);
    auto what = std::move(at->end);
    open_.erase(at);
    what(how);
  }
  void settle() {
    while (busy()) end();
  }

  // --- ports
  // -----------------------------------------------------------------------------------------------------------
  void run(std::uint64_t op, const std::string&, const std::string& release,
           std::shared_ptr<const road::run_request> request) override {
    ran_on.push_back(release);
    if (committing()) ++ahead;
    open([this, op, request, release](fate how) {
      road::run_reply reply;
      if (how == fate::good) reply = plays_.run(*request, release);
      else {
        reply.what = how == fate::fails ? road::run_reply::kind::unavailable : road::run_reply::kind::broken;
        reply.error = "the worker is gone";
      }
      subject_->on_run(op, reply);
    });
  }
  void commit(std::uint64_t op, std::shared_ptr<const road::subject_batch> batch) override {
    ++commits;
    auto end = [this, op, batch](fate how) {
      road::batch_result out;
      if (how == fate::good || how == fate::unknown_done) out = db_.commit(*batch);
      if (how == fate::unknown_done || how == fate::unknown_not_done) out = {};
      if (how == fate::fails) {
        out.what = road::batch_result::kind::failed;
        out.why = fail_with;
        out.person_error = fail_is_the_persons;
      }
      subject_->on_committed(op, out);
    };
    open(std::move(end), true);
  }
  void load(std::uint64_t op, road::load_depth depth) override {
    open([this, op, depth](fate how) {
      if (how == fate::good) subject_->on_loaded(op, db_.load(ref_, depth), {});
      else subject_->on_loaded(op, std::nullopt, {"database_unavailable", "The database is away.", {}, {}, {}});
    });
  }
  void find_keys(std::uint64_t op, std::vector<std::string> keys) override {
    open([this, op, keys](fate how) {
      if (how != fate::good)
        return subject_->on_keys(op, std::nullopt, {"database_unavailable", "The database is away.", {}, {}, {}});
      std::vector<road::seen_command> out;
      for (const auto& key : keys)
        if (auto it = db_.commands.find(key); it != db_.commands.end())
          out.push_back({key, it->second.hash, it->second.subject, it->second.answer});
      subject_->on_keys(op, out, {});
    });
  }
  void note_failure(const road::command_trouble& what) override {
    db_.failures[what.cmd.key] = fmt::format("{}: {}", what.code, what.message);
  }
  void save_snapshot(road::snapshot snap) override { db_.snap = snap; }
  void ring() override { ++rings; }
  const road::rule_book& rules() const override { return *plays_.rules; }
  std::chrono::steady_clock::time_point now() const override { return time; }
  void observe(road::stage, std::chrono::nanoseconds) override {}
  void observe_batch(std::size_t) override {}
  void quarantined(const road::fold_trouble& what) override { quarantine = fmt::format("row {}", what.seq); }

  reason fail_with{"lock_timeout", "The row stayed locked.", {}, {}, {}};
  bool fail_is_the_persons = false;
  std::string quarantine;
  int commits = 0, rings = 0, ahead = 0; // ahead: runs asked for while a commit was open
  std::vector<std::string> ran_on;       // the release of every run
  std::chrono::steady_clock::time_point time{};

private:
  database& db_;
  subject_ref ref_;
  sport_model plays_;
  struct operation {
    std::function<void(fate)> end;
    bool commit = false;
  };
  void open(std::function<void(fate)> end, bool commit = false) { open_.push_back({std::move(end), commit}); }
  std::vector<operation> open_; // oldest first
  std::unique_ptr<road::subject> subject_;
};

// `sending`: each sending of a key has a trace of its own.
inline command_ptr make_command(const subject_ref& ref, std::string key, std::string code, std::string input,
                                std::optional<std::int64_t> saw = {}, std::uint64_t sending = 0) {
  auto out = std::make_shared<command>();
  out->subject = ref;
  out->key = std::move(key);
  out->code = std::move(code);
  out->input = std::move(input);
  out->sender = "test";
  out->saw.play = saw;
  out->received_at = "2026-01-01T00:00:00.000Z";
  out->trace = fmt::format("{:032x}", sending);
  out->hash = sha256(out->code + out->input + to_string(ref.ref));
  return out;
}

} // namespace omnium::model
