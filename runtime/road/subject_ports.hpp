#pragma once
// What a subject asks of the world around it. The match actor implements it with CAF and the store; tests with a model.
#include "runtime/road/fold.hpp"
#include "runtime/road/store.hpp"
#include "runtime/road/ticket.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::road {

// A release of a sport as the rules of the road need to know it.
struct release_facts {
  std::string version, code_sha;
};

// Which sports exist here. Read from any thread. Releases may be added while it is in use; none changes or goes.
class rule_book {
public:
  virtual ~rule_book() = default;
  // nullopt: this release is not on this node.
  virtual std::optional<release_facts> find(std::string_view sport, std::string_view version) const = 0;
  // What is wrong with the release's package on this node's disk, as a sentence that goes on from its name ("its files
  // …"); empty: nothing is known. A release may be found all the same: its matches go on with what was read.
  virtual std::string trouble(std::string_view, std::string_view) const { return {}; }
  // The default release of a sport in a competition; nullopt: no such sport.
  virtual std::optional<release_facts> default_release(std::string_view sport, const uuid& competition) const = 0;
  // Names of the settings that the release knows.
  virtual std::vector<std::string> setting_names(std::string_view, std::string_view) const { return {}; }
  // Does the release know this command, and is it a play? nullopt: unknown command.
  virtual std::optional<bool> is_play(std::string_view sport, std::string_view version,
                                      std::string_view code) const = 0;
};

enum class stage : std::uint8_t { queue, worker, database };

// A match whose log cannot be folded. What the sport said of the row may hold names, so it goes to who asks for the
// match.
struct fold_trouble {
  std::string_view sport, release;
  std::int64_t seq = 0; // the row
};

// A command that failed with an error, not by a rule's no: its sender was told to try again.
struct command_trouble {
  const command& cmd;
  std::string_view sport, release; // empty: not known (yet)
  std::string_view code, message;  // the reason in the answer
};

// Every call returns at once. A subject has at most one operation open (run, commit, load or keys), and beside a commit
// one run; the outcome comes back through the subject's on_… member with the same `op`. An outcome with an old `op` is
// ignored.
class subject_ports {
public:
  virtual ~subject_ports() = default;
  virtual void run(std::uint64_t op, const std::string& sport, const std::string& release,
                   std::shared_ptr<const run_request> request) = 0;
  virtual void commit(std::uint64_t op, std::shared_ptr<const subject_batch> batch) = 0;
  virtual void load(std::uint64_t op, load_depth depth) = 0;
  virtual void find_keys(std::uint64_t op, std::vector<std::string> keys) = 0; // under the row lock
  virtual void note_failure(const command_trouble& what) = 0;
  virtual void save_snapshot(snapshot snap) = 0;
  virtual void ring() = 0; // something was committed
  virtual const rule_book& rules() const = 0;
  virtual std::chrono::steady_clock::time_point now() const = 0;
  virtual void observe(stage what, std::chrono::nanoseconds took) = 0;
  virtual void observe_batch(std::size_t commands) = 0;
  virtual void quarantined(const fold_trouble& what) = 0; // for the operator
};

} // namespace omnium::road
