// One desk: sends the commands of its match, remembers every attempt and its answer, and sends again with the same key
// until there is a last word (decision C12).
#include "bench/actors.hpp"
#include "bench/answers.hpp"
#include "bench/plays.hpp"
#include "runtime/core/uuid.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <deque>
#include <fmt/format.h>

namespace omnium::bench {
namespace {

constexpr std::size_t targets_kept = 64;  // seqs a correction is drawn from
constexpr std::size_t repeats_kept = 256; // finished commands that wait to be sent once more

// A command between its first sending and its last word.
struct flight {
  std::uint64_t id = 0;
  std::size_t at = 0; // in the history
  std::string body;
  steady::time_point due;
  bool on_way = false, counted = false; // counted: an event a correction may be about
};

struct desk_state {
  static inline const char* name = "desk";
  seat where;
  std::unique_ptr<plays> game;
  std::mt19937_64 lot;
  sent_msg sent = std::make_shared<std::vector<sent_command>>();
  std::deque<flight> flights;                              // in the order they were made
  std::deque<std::uint64_t> order;                         // HTTP: ids on the way, in the order their answers come
  std::deque<std::pair<std::size_t, std::string>> repeats; // finished commands to be sent once more: place, body
  std::deque<steady::time_point> due;                      // set rate: what could not be sent yet
  std::vector<std::int64_t> targets;
  std::uint64_t next_id = 1;
  bool open = false, playing = false, finishing = false, said_done = false;
  desk_actor::pointer self = nullptr;

  const scenario& what() const { return where.of->what; }
  bool live() const { return what().transport == transport_kind::live; }
  bool closed_loop() const { return what().rate <= 0; }
  bool drawn(double percent) { return percent > 0 && std::uniform_real_distribution<double>(0, 100)(lot) < percent; }

  void start_play() { // a member `begin` would make CAF take the state for a range
    playing = true;
    fill();
  }
  void fall_due(steady::time_point at) {
    due.push_back(at);
    ++where.of->backlog;
    fill();
  }
  void fill() {
    while (playing && !finishing && open && flights.size() < what().in_flight &&
           where.of->sent.load(std::memory_order_relaxed) < what().commands_max) {
      if (closed_loop()) {
        make(steady::now());
        continue;
      }
      if (due.empty()) return;
      auto at = due.front();
      due.pop_front();
      --where.of->backlog;
      make(at);
    }
  }
  // A new command, or once more one that is finished.
  void make(steady::time_point at) {
    flight f;
    f.id = next_id++;
    f.due = at;
    if (!repeats.empty()) {
      f.at = repeats.front().first;
      f.body = std::move(repeats.front().second);
      repeats.pop_front();
    } else {
      auto key = to_string(make_uuid7());
      auto p = draw(f.counted);
      f.at = sent->size();
      f.body = fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"bench-{}"{}}})", key, p.code, p.input,
                           where.number, saw);
      sent->push_back({key, where.subject, {}});
    }
    ++where.of->sent;
    flights.push_back(std::move(f));
    send(flights.back());
  }
  std::string saw; // of the command being made
  play draw(bool& counted) {
    saw.clear();
    if (drawn(what().conflicts_percent)) {
      saw = R"(,"saw":{"play":1})"; // the opening has moved on since
      return {"match.start", "{}"};
    }
    if (drawn(what().refused_percent)) return {"match.start", "{}"}; // it has started
    if (targets.size() >= 8 && drawn(what().corrections_percent)) return make_correction(targets, lot);
    auto p = game->next();
    counted = p.code.starts_with("football.") && p.code != "football.goal";
    return p;
  }

  void send(flight& f) {
    f.on_way = true;
    if (live()) {
      where.socket->send(
          fmt::format(R"({{"t":"command","id":{},"workflow":"{}","kind":"fixture","ref":"{}","body":{}}})", f.id,
                      where.sport, where.subject, f.body));
    } else {
      order.push_back(f.id);
      where.socket->send(fmt::format("{}{}\r\n\r\n{}", where.http_head, f.body.size(), f.body));
    }
  }
  void opened() {
    open = true;
    ++where.of->open_sockets;
    for (auto& f : flights) send(f);
    fill();
  }
  void gone() {
    open = false;
    --where.of->open_sockets;
    order.clear();
    for (auto& f : flights) {
      if (!f.on_way) continue;
      ++where.of->cut;
      (*sent)[f.at].attempts.push_back({});
      f.on_way = false;
    }
  }
  void heard(received& what_came) {
    std::uint64_t id = 0;
    std::string body;
    if (live()) {
      if (!take_live_answer(what_came.text, id, body)) return; // a beat, or a bye before the end
    } else {
      if (order.empty()) return;
      id = order.front();
      order.pop_front();
      body = std::move(what_came.text);
    }
    auto it = std::find_if(flights.begin(), flights.end(), [id](const flight& f) { return f.id == id; });
    if (it == flights.end() || !it->on_way) return;
    it->on_way = false;
    auto given = read_answer(std::move(body));
    auto& story = (*sent)[it->at];
    if (given.first.what == word::try_again) {
      ++where.of->tries_again;
      story.attempts.push_back(std::move(given.first));
      self->delayed_send(self, std::chrono::milliseconds(std::clamp(given.second, 1, 30'000)), again_atom_v, id);
      return;
    }
    settle(*it, story, std::move(given.first), what_came.at);
    flights.erase(it);
    fill();
    done();
  }
  void settle(flight& f, sent_command& story, attempt given, steady::time_point at) {
    where.of->answered(given.what, f.due, at);
    if (given.what == word::accepted) {
      if (f.counted && targets.size() < targets_kept) targets.push_back(given.seq);
      if (drawn(what().duplicates_percent) && repeats.size() < repeats_kept)
        repeats.emplace_back(f.at, std::move(f.body));
    }
    if (given.what == word::conflict) given.body.clear();
    story.attempts.push_back(std::move(given));
  }
  void again(std::uint64_t id) {
    auto it = std::find_if(flights.begin(), flights.end(), [id](const flight& f) { return f.id == id; });
    if (it != flights.end() && !it->on_way && open) send(*it);
  }
  void finish() {
    finishing = true;
    where.of->backlog -= due.size();
    due.clear();
    done();
  }
  // What is still on the way has no last word; nobody will know what became of it.
  sent_msg report() {
    for (auto& f : flights)
      if (f.on_way) (*sent)[f.at].attempts.push_back({});
    self->quit();
    return sent;
  }
  void done() {
    if (!finishing || said_done || !flights.empty()) return;
    said_done = true;
    ++where.of->desks_done;
  }
};

desk_actor::behavior_type desk_behavior(desk_actor::stateful_pointer<desk_state> self, seat where) {
  auto& s = self->state;
  s.self = self;
  s.where = std::move(where);
  s.lot.seed(s.what().seed * 1'000'003 + s.where.number);
  s.game = make_plays(s.where.sport, s.lot());
  return {
      [&s](opened_atom) { s.opened(); },
      [&s](gone_atom, const reopen_msg& reopen) {
        s.gone();
        (*reopen)();
      },
      [&s](heard_atom, received_msg& what) { s.heard(*what); },
      [&s](begin_atom) { s.start_play(); },
      [&s](due_atom, std::int64_t at) { s.fall_due(steady::time_point(std::chrono::nanoseconds(at))); },
      [&s](again_atom, std::uint64_t id) { s.again(id); },
      [&s](finish_atom) { s.finish(); },
      [&s](report_atom) { return s.report(); },
  };
}

} // namespace

desk_actor spawn_desk(caf::actor_system& system, seat where) { return system.spawn(desk_behavior, std::move(where)); }

} // namespace omnium::bench
