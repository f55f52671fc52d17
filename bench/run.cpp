#include "bench/run.hpp"

#include "bench/actors.hpp"
#include "bench/matches.hpp"
#include "bench/saved.hpp"
#include "bench/troubles.hpp"
#include "runtime/core/json.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace omnium::bench {
namespace {

using namespace std::chrono_literals;
constexpr auto open_wall_clock = 60s;       // for all sockets to be open
constexpr auto last_word_wall_clock = 60s;  // from the last sending to the last answer, tries again included
constexpr auto watchers_wall_clock = 20s;   // from then on, for the newest version to reach every screen
constexpr auto memory_interval_min = 5s;    // between two looks at the server's memory
constexpr int memory_looks_max = 120;       // in a run
constexpr auto settle = 300ms;              // between the last answer and the reading of the tables
constexpr auto slow_drain_wall_clock = 12s; // for a slow reader's way to be read empty
constexpr double find_seconds = 4;          // of the closed loop that finds the full load

// One worker: the desks' work is small, and the machine's cores are for the server too.
class actor_config final : public caf::actor_system_config {
public:
  actor_config() {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", std::size_t{1});
    set("scheduler.max-throughput", std::size_t{50});
  }
};

template<class Condition>
bool wait_until(std::chrono::milliseconds wall_clock, Condition&& condition) {
  for (auto until = steady::now() + wall_clock; !condition(); std::this_thread::sleep_for(10ms))
    if (steady::now() > until) return false;
  return true;
}
steady::duration of_seconds(double s) {
  return std::chrono::duration_cast<steady::duration>(std::chrono::duration<double>(s));
}

struct watching {
  watcher_actor actor;
  std::shared_ptr<std::atomic<std::int64_t>> reached;
  std::size_t match = 0;
};

class running {
public:
  running(const scenario& what, const run_options& options)
      : what_(what), options_(options), http_(options.url), board_(std::make_shared<board>(what_)), system_(config_) {
    if (!options_.token.empty()) http_.always("Authorization", "Bearer " + options_.token);
  }
  run_result go() {
    out_.what = what_;
    out_.bytes_before_matches = server_times_now().resident_bytes;
    made_ = make_matches(http_, what_);
    if (!made_.error.empty()) return failed(made_.error);
    seat_watchers();
    seat_desks();
    auto all = [&] {
      return board_->open_sockets == desks_.size() && watching_open_ == watchers_.size() + slow_.size();
    };
    if (!wait_until(open_wall_clock, all)) return failed("not all sockets could be opened");
    play();
    end();
    if (options_.check) check_history();
    else collect();
    return std::move(out_);
  }

private:
  run_result failed(const std::string& why) {
    out_.error = why;
    sockets_.stop_opening();
    collect();
    return std::move(out_);
  }

  // --- seats ---------------------------------------------------------------------------------------------------------
  // What a socket reports goes to its actor as messages; a connection that ended is opened again at once.
  template<class Handle>
  void connect(const std::shared_ptr<connection>& to, Handle actor, std::function<void()> on_open) {
    auto events = std::make_shared<socket_events>();
    events->opened = [actor, on_open = std::move(on_open)] {
      on_open();
      caf::anon_send(actor, opened_atom_v);
    };
    events->message = [actor](std::string text, steady::time_point at) {
      caf::anon_send(actor, heard_atom_v, std::make_shared<received>(received{std::move(text), at}));
    };
    auto reopen = std::make_shared<std::function<void()>>([this, to, weak = std::weak_ptr<socket_events>(events)] {
      if (auto same = weak.lock()) sockets_.open(to, *same);
    });
    events->gone = [actor, reopen] { caf::anon_send(actor, gone_atom_v, reopen); };
    kept_events_.push_back(events);
    sockets_.open(to, *events);
  }
  void seat_desks() {
    for (std::size_t i = 0; i < what_.matches * what_.desks; ++i) {
      auto match = i % what_.matches;
      seat s;
      s.of = board_;
      s.subject = made_.fixtures[match];
      s.sport = made_.sports[match];
      s.number = i;
      s.http_head = http_head(s);
      s.socket = what_.transport == transport_kind::live ? make_live_connection(options_.url, options_.token)
                                                         : make_http_connection(options_.url);
      connections_.push_back(s.socket);
      auto socket = s.socket;
      desks_.push_back(spawn_desk(system_, std::move(s)));
      connect(socket, desks_.back(), [] {});
    }
  }
  std::string http_head(const seat& s) const {
    auto sign_in = options_.token.empty() ? std::string{} : "Authorization: Bearer " + options_.token + "\r\n";
    return fmt::format("POST /workflows/{}/subjects/fixture/{}/commands HTTP/1.1\r\nHost: 127.0.0.1\r\n{}Content-Type: "
                       "application/json\r\nContent-Length: ",
                       s.sport, s.subject, sign_in);
  }
  void seat_watchers() {
    auto count = static_cast<std::size_t>(what_.watchers * static_cast<double>(what_.matches));
    for (std::size_t i = 0; i < count; ++i) {
      auto match = i % what_.matches;
      auto reached = std::make_shared<std::atomic<std::int64_t>>(0);
      auto socket = make_live_connection(options_.url, options_.token);
      auto actor = spawn_watcher(system_, {made_.fixtures[match], made_.versions[match], socket, reached});
      watchers_.push_back({actor, reached, match});
      connect(socket, actor, [this, first = true]() mutable {
        if (std::exchange(first, false)) ++watching_open_;
      });
    }
    for (std::size_t i = 0; i < what_.slow_readers; ++i) seat_slow_reader();
  }
  // It asks for the first match and never reads what comes.
  void seat_slow_reader() {
    auto socket = make_live_connection(options_.url, options_.token);
    slow_.push_back(socket);
    socket_events events;
    events.opened = [this, socket, subject = made_.fixtures[0]] {
      set_receive_buffer(*socket, 16 * 1024);
      socket->send(fmt::format(R"({{"t":"watch","id":1,"topic":"fixture/{}"}})", subject));
      ++watching_open_;
    };
    events.message = [](std::string, steady::time_point) {};
    events.gone = [] {};
    sockets_.open(socket, events, false);
  }

  static void set_receive_buffer(const connection& of, int bytes) {
    ::setsockopt(of.native(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  }

  // --- the play ------------------------------------------------------------------------------------------------------
  void play() {
    auto now = steady::now();
    begin_ = now + of_seconds(what_.warm_up_seconds);
    end_ = begin_ + of_seconds(what_.seconds);
    board_->set_times(begin_, end_);
    troubles makers(what_, options_, connections_, begin_);
    for (auto& d : desks_) caf::anon_send(d, begin_atom_v);
    std::thread pacemaker;
    if (what_.rate > 0) pacemaker = std::thread([this, now] { pace(now); });
    std::this_thread::sleep_until(begin_);
    auto before = server_times_now();
    note_memory(before);
    const auto memory_every = std::max<steady::duration>(memory_interval_min, (end_ - begin_) / memory_looks_max);
    auto look = begin_ + memory_every;
    for (auto next = steady::now() + 1s; steady::now() < end_; std::this_thread::sleep_for(20ms)) {
      makers.tick();
      if (steady::now() >= look) {
        note_memory(server_times_now());
        look += memory_every;
      }
      if (steady::now() < next) continue;
      next += 1s;
      progress();
    }
    if (pacemaker.joinable()) pacemaker.join();
    out_.backlog = board_->backlog;
    auto after = server_times_now();
    note_memory(after);
    if (!makers.restarts_server()) out_.stages = between(before, after);
    makers.finish();
    out_.troubles = makers.done();
    out_.error = makers.error();
  }
  // Every command has its time, whatever became of those before it: that is what its latency counts from.
  void pace(steady::time_point from) {
    for (std::uint64_t n = 0;; ++n) {
      auto at = from + of_seconds(static_cast<double>(n) / what_.rate);
      if (at >= end_) return;
      std::this_thread::sleep_until(at);
      auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count();
      caf::anon_send(desks_[n % desks_.size()], due_atom_v, static_cast<std::int64_t>(ns));
    }
  }
  server_times server_times_now() {
    auto page = http_.request("GET", "/metrics");
    return page && page->status == 200 ? read_server_times(page->body) : server_times{};
  }
  void note_memory(const server_times& said) {
    if (said.resident_bytes > 0)
      out_.memory.push_back({std::chrono::duration<double>(steady::now() - begin_).count(), said.resident_bytes});
  }
  void progress() {
    if (!options_.progress) return;
    auto elapsed = std::chrono::duration<double>(steady::now() - begin_).count();
    auto accepted = board_->words[0].load();
    auto line = fmt::format("{} {:.0f}/{:.0f} s  accepted {}  now {}/s  other {}  tries again {}  sockets {}",
                            what_.name, elapsed, what_.seconds, accepted, accepted - last_accepted_,
                            board_->words[1] + board_->words[2] + board_->words[3], board_->tries_again.load(),
                            board_->open_sockets.load());
    last_accepted_ = accepted;
    bool terminal = ::isatty(2) != 0;
    if (terminal) fmt::print(stderr, "\r{:<110}", line);
    else if (++lines_ % 5 == 1) fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
  }

  // --- the end -------------------------------------------------------------------------------------------------------
  void end() {
    for (auto& d : desks_) caf::anon_send(d, finish_atom_v);
    if (!wait_until(last_word_wall_clock, [&] { return board_->desks_done == desks_.size(); }) && out_.error.empty())
      out_.error = fmt::format("{} desks had no last word after {} s", desks_.size() - board_->desks_done,
                               last_word_wall_clock.count());
    std::this_thread::sleep_for(settle);
    std::vector<std::int64_t> newest(made_.fixtures.size(), 0);
    for (const auto& w : watchers_)
      if (newest[w.match] == 0) newest[w.match] = version_of(made_.fixtures[w.match]);
    wait_until(watchers_wall_clock, [&] {
      return std::all_of(watchers_.begin(), watchers_.end(),
                         [&](const auto& w) { return *w.reached >= newest[w.match]; });
    });
    sockets_.stop_opening();
    out_.slow_readers_cut = count_cut_readers();
    if (options_.progress && ::isatty(2) != 0) fmt::print(stderr, "\r{:<110}\r", "");
    out_.seconds = what_.seconds;
    out_.words = board_->measured_words();
    out_.tries_again = board_->tries_again;
    out_.cut = board_->cut;
    out_.latency = board_->latency();
    out_.intervals = board_->intervals();
    out_.interval_seconds = board_->interval_seconds();
  }
  // What lay in their way is read now; at the end of it a connection that was cut ends.
  std::size_t count_cut_readers() {
    std::size_t closed = 0;
    for (const auto& socket : slow_)
      set_receive_buffer(*socket, 1024 * 1024); // a full small one is emptied by a few kilobytes a persist timer
    wait_until(slow_drain_wall_clock, [&] {
      auto ended = [](const std::shared_ptr<connection>& socket) {
        std::vector<std::string> frames;
        return !socket->take(frames);
      };
      auto left = std::remove_if(slow_.begin(), slow_.end(), ended);
      closed += static_cast<std::size_t>(slow_.end() - left);
      slow_.erase(left, slow_.end());
      return slow_.empty();
    });
    return closed;
  }
  std::int64_t version_of(const std::string& fixture) {
    auto page = http_.request("GET", "/fixtures/" + fixture);
    return page ? json::integer_member(page->body, "version").value_or(0) : 0;
  }
  // Takes every actor's history; the actors end.
  history collect() {
    history all;
    all.sent = std::move(made_.sent);
    caf::scoped_actor self(system_);
    for (auto& d : desks_)
      self->request(d, caf::infinite, report_atom_v)
          .receive([&](sent_msg& sent) { std::move(sent->begin(), sent->end(), std::back_inserter(all.sent)); },
                   [](const caf::error&) {});
    for (auto& w : watchers_)
      self->request(w.actor, caf::infinite, report_atom_v)
          .receive([&](watched_msg& seen) { all.watchers.push_back(std::move(*seen)); }, [](const caf::error&) {});
    return all;
  }
  void check_history() {
    auto all = collect();
    auto why = options_.database.empty() ? read_http(http_, made_.fixtures, all)
                                         : read_database(options_.database, made_.fixtures, all);
    if (!why.empty()) {
      if (out_.error.empty()) out_.error = "the history could not be checked: " + why;
      return;
    }
    out_.checked = true;
    out_.from_database = !options_.database.empty();
    out_.found = check(all);
  }

  scenario what_;
  const run_options& options_;
  run_result out_;
  wire::http_client http_;
  std::shared_ptr<board> board_;
  made_matches made_;
  std::vector<std::shared_ptr<connection>> connections_, slow_;
  std::vector<std::shared_ptr<socket_events>> kept_events_;
  std::atomic<std::size_t> watching_open_{0};
  steady::time_point begin_, end_;
  std::uint64_t last_accepted_ = 0, lines_ = 0;
  actor_config config_;
  caf::actor_system system_;
  std::vector<desk_actor> desks_;
  std::vector<watching> watchers_;
  sockets sockets_; // the last: its threads end first
};

} // namespace

run_result run_scenario(const scenario& what, const run_options& options) {
  if (what.load <= 0) return running(what, options).go();
  scenario full = what;
  full.name += " (finding the full load)";
  full.load = 0;
  full.seconds = find_seconds;
  full.faults.clear();
  run_options plain = options;
  plain.check = false;
  auto most = running(full, plain).go();
  if (!most.error.empty()) return most;
  scenario paced = what;
  paced.load = 0;
  paced.rate = std::max(1.0, what.load * most.accepted_per_s());
  return running(paced, options).go();
}

} // namespace omnium::bench
