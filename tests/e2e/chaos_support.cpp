#include "tests/e2e/chaos_support.hpp"

#include "bench/answers.hpp"
#include "bench/plays.hpp"
#include "bench/saved.hpp"
#include "tests/support/swarm.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <stdexcept>

namespace omnium::e2e {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using bench::word;
using std::chrono::milliseconds;

constexpr auto pause_between = 8ms;   // of one scorer
constexpr auto retry_max = 200ms;     // the longest wait before the same key again
constexpr auto back_wall_clock = 30s; // for everybody to be accepted again
constexpr auto last_word_wall_clock = 30s;

milliseconds between(steady::time_point from, steady::time_point to) {
  return std::chrono::duration_cast<milliseconds>(to - from);
}

wire::http_client client_of(const std::string& url, milliseconds patience) {
  wire::http_client out(url, {.request_wall_clock = patience});
  out.always("Authorization", "Bearer " + token_of(url));
  return out;
}

} // namespace

bool told::only(const std::set<std::string>& allowed) const {
  for (const auto& [answer, count] : answers)
    if (answer != "accepted" && answer != "duplicate" && allowed.count(answer) == 0) return false;
  return true;
}

std::string told::text() const {
  std::string out;
  for (const auto& [answer, count] : answers) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, answer);
  return out;
}

// One person at one desk: a command at a time, sent again with its key until there is a last word.
class scoring::scorer {
public:
  struct sending {
    steady::time_point began, ended;
    std::string answer;
  };
  scorer(const scoring& of, std::string subject, std::size_t number)
      : of_(of), subject_(std::move(subject)), number_(number), node_(number % of.how_.urls.size()) {
    for (const auto& url : of.how_.urls) clients_.push_back(client_of(url, of.how_.patience));
    thread_ = std::thread([this] { loop(); });
  }
  ~scorer() { join(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  mutable std::mutex guard;
  std::vector<sending> sendings;
  std::vector<bench::sent_command> sent;

private:
  void loop() {
    auto game = bench::make_plays("football", number_ + 1);
    while (!of_.over_) {
      auto play = game->next();
      auto key = fmt::format("{}-{}", number_, fresh_id());
      {
        std::lock_guard hold(guard);
        sent.push_back({key, subject_, {}});
      }
      auto body = fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"scorer-{}"}})", key, play.code,
                              play.input, number_);
      insist(body);
      std::this_thread::sleep_for(pause_between);
    }
  }
  void insist(const std::string& body) {
    for (steady::time_point give_up{};;) {
      auto [what, wait] = send(body);
      if (what != word::try_again && what != word::unknown) return;
      if (what == word::unknown) node_ = (node_ + 1) % clients_.size();
      std::this_thread::sleep_for(std::min<milliseconds>(milliseconds(std::max(wait, 20)), retry_max));
      if (of_.over_ && give_up == steady::time_point{}) give_up = steady::now() + last_word_wall_clock;
      if (of_.over_ && steady::now() > give_up) return; // the checker counts it as unfinished
    }
  }
  std::pair<word, int> send(const std::string& body) {
    auto began = steady::now();
    auto got = clients_[node_].request("POST",
                                       fmt::format("/workflows/football/subjects/fixture/{}/commands", subject_), body);
    if (!got) clients_[node_].close();
    auto [attempt, wait] = got ? bench::read_answer(got->body) : std::pair<bench::attempt, int>{};
    auto answer = got ? std::string(to_string(attempt.what)) : "no answer";
    if (!attempt.reason.empty()) answer += " " + attempt.reason;
    std::pair<word, int> out{attempt.what, wait};
    std::lock_guard hold(guard);
    sent.back().attempts.push_back(std::move(attempt));
    sendings.push_back({began, steady::now(), std::move(answer)});
    return out;
  }

  const scoring& of_;
  std::string subject_;
  std::size_t number_, node_;
  std::vector<wire::http_client> clients_;
  std::thread thread_;
};

// The screens of one node, one a match, and what each was shown.
class scoring::screens {
public:
  screens(const std::string& url, const bench::made_matches& made)
      : swarm_({.port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))),
                .reconnect = true,
                .token = token_of(url)}) {
    for (std::size_t i = 0; i < made.fixtures.size(); ++i) {
      seen_.push_back({made.fixtures[i], 0, {}, {}, true});
      swarm_.add(1, "fixture/" + made.fixtures[i]);
    }
    swarm_.on_change = [this](std::size_t index, std::string_view frame) {
      if (auto change = bench::read_change(frame)) seen_[index].changes.push_back(*change);
    };
    swarm_.on_other = [this](std::size_t index, std::string_view frame) {
      if (auto version = bench::read_snapshot(frame)) jump(seen_[index], *version);
    };
    if (!swarm_.run(10s, [this] { return swarm_.showing() == swarm_.size(); }))
      throw std::runtime_error("not every screen shows its match");
    thread_ = std::thread([this] { swarm_.run(1h, [this] { return over_.load(); }); });
  }
  ~screens() { end(); }
  // Waits for these versions, in the order of the matches, and hands over what was shown.
  std::vector<bench::watcher_history> finish(const std::vector<std::int64_t>& newest) {
    end();
    swarm_.run(40s, [&] {
      for (std::size_t i = 0; i < newest.size(); ++i)
        if (swarm_.at(i).version < newest[i]) return false;
      return true;
    });
    return std::move(seen_);
  }

private:
  void end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  // A snapshot stands for all versions up to its own: who is very far behind is given one.
  static void jump(bench::watcher_history& mine, std::int64_t version) {
    if (mine.from == 0) {
      mine.from = version;
      return;
    }
    auto at = mine.changes.empty() ? mine.from : mine.changes.back().version;
    if (!mine.skipped.empty()) at = std::max(at, mine.skipped.back());
    while (at < version) mine.skipped.push_back(++at);
  }
  testing::swarm swarm_;
  std::vector<bench::watcher_history> seen_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

scoring::scoring(options how) : how_(std::move(how)) {
  auto http = client_of(how_.urls.front(), how_.patience);
  bench::scenario what;
  what.matches = how_.matches;
  made_ = bench::make_matches(http, what);
  if (!made_.error.empty()) throw std::runtime_error(made_.error);
  for (const auto& url : how_.urls) screens_.push_back(std::make_unique<screens>(url, made_));
  for (const auto& fixture : made_.fixtures)
    for (std::size_t i = 0; i < how_.urls.size(); ++i)
      scorers_.push_back(std::make_unique<scorer>(*this, fixture, scorers_.size()));
}

scoring::~scoring() {
  over_ = true;
  scorers_.clear(); // they look at what is below
}

bool scoring::all_accepted_since(steady::time_point moment) const {
  return std::all_of(scorers_.begin(), scorers_.end(), [&](const auto& one) {
    std::lock_guard hold(one->guard);
    return std::any_of(one->sendings.rbegin(), one->sendings.rend(),
                       [&](const auto& s) { return s.began > moment && s.answer == "accepted"; });
  });
}

told scoring::tell(steady::time_point from, steady::time_point to) const {
  told out;
  for (const auto& one : scorers_) {
    std::lock_guard hold(one->guard);
    auto accepted = from;
    for (const auto& s : one->sendings) {
      if (s.ended < from || s.ended > to) continue;
      ++out.answers[s.answer];
      out.longest_answer = std::max(out.longest_answer, between(s.began, s.ended));
      if (s.answer != "accepted" && s.answer != "duplicate") continue;
      out.longest_unsettled = std::max(out.longest_unsettled, between(accepted, s.ended));
      accepted = s.ended;
    }
  }
  return out;
}

told scoring::through(const std::string& name, milliseconds length, const std::function<void()>& begin,
                      const std::function<void()>& end) {
  auto from = steady::now();
  begin();
  std::this_thread::sleep_for(length);
  end();
  auto ended = steady::now();
  bool back = false;
  for (auto until = ended + back_wall_clock; !back && steady::now() < until; std::this_thread::sleep_for(5ms))
    back = all_accepted_since(ended);
  auto out = tell(from, steady::now());
  out.all_back = back;
  out.back = between(ended, steady::now());
  rows_.push_back(fmt::format("| {} | {:.1f} s | {} | {} ms | {} ms | {} ms |", name,
                              std::chrono::duration<double>(ended - from).count(), out.text(),
                              out.longest_answer.count(), out.longest_unsettled.count(), out.back.count()));
  return out;
}

bench::verdict scoring::finish(const std::string& database_url) {
  over_ = true;
  bench::history all;
  all.sent = std::move(made_.sent);
  for (auto& one : scorers_) {
    one->join();
    std::move(one->sent.begin(), one->sent.end(), std::back_inserter(all.sent));
  }
  if (auto why = bench::read_database(database_url, made_.fixtures, all); !why.empty()) throw std::runtime_error(why);
  std::vector<std::int64_t> newest;
  for (const auto& fixture : made_.fixtures) newest.push_back(all.versions[fixture]);
  for (auto& node : screens_) {
    auto shown = node->finish(newest);
    std::move(shown.begin(), shown.end(), std::back_inserter(all.watchers));
  }
  auto found = bench::check(all);
  const char* file = std::getenv("OMNIUM_TEST_CHAOS_TABLE");
  if (file != nullptr) {
    std::ofstream out(file, std::ios::app);
    for (const auto& row : rows_) out << row << '\n';
    out << fmt::format("checked: {} commands, {} accepted, {} rows, {} changes, {} faults\n", found.commands,
                       found.accepted, found.rows, found.changes, found.counts.size());
  }
  return found;
}

std::string faults_in(const bench::verdict& found) {
  std::string out;
  for (const auto& fault : found.faults) out += fmt::format("{}: {}\n", to_string(fault.kind), fault.sentence);
  if (found.unfinished > 0) out += fmt::format("{} commands without a last word\n", found.unfinished);
  return out;
}

} // namespace omnium::e2e
