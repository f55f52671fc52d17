#pragma once
// Scorers and screens that go on while something around the server is broken: what they were told meanwhile, and the
// history checker's verdict over all that was sent, answered, shown and saved.
#include "bench/history.hpp"
#include "bench/matches.hpp"
#include "tests/e2e/server_support.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>

namespace omnium::e2e {

// What the scorers saw of one trouble, from its begin until all were accepted again.
struct told {
  std::map<std::string, std::uint64_t> answers;  // by outcome and code: "try_again lock_timeout", "no answer"
  std::chrono::milliseconds longest_answer{};    // of one sending
  std::chrono::milliseconds longest_unsettled{}; // of one scorer: from one accepted to the next
  std::chrono::milliseconds back{};              // from the trouble's end until every scorer was accepted again
  bool all_back = false;
  // Were these answers given, beside accepted and duplicate, and no others?
  bool only(const std::set<std::string>& allowed) const;
  std::string text() const;
};

class scoring {
public:
  struct options {
    std::vector<std::string> urls; // of the nodes; a match has one scorer and one screen on each
    std::size_t matches = 6;       // of football
    std::chrono::milliseconds patience =
        std::chrono::seconds(20); // then a scorer asks the next node, with the same key
  };
  explicit scoring(options how);
  ~scoring();
  // Begins a trouble, keeps it for so long, ends it, and waits until everybody is accepted again.
  told through(const std::string& name, std::chrono::milliseconds length, const std::function<void()>& begin,
               const std::function<void()>& end);
  // Every command gets its last word, every screen the newest version; then the checker. Prints the table's rows.
  bench::verdict finish(const std::string& database_url);

private:
  class scorer;
  class screens;
  bool all_accepted_since(std::chrono::steady_clock::time_point moment) const;
  told tell(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) const;

  options how_;
  bench::made_matches made_;
  std::atomic<bool> over_{false};
  std::vector<std::unique_ptr<scorer>> scorers_;
  std::vector<std::unique_ptr<screens>> screens_;
  std::vector<std::string> rows_; // of the table
};

// Is everything there that was accepted, once, and was every screen shown it? A sentence for each fault.
std::string faults_in(const bench::verdict& found);

} // namespace omnium::e2e
