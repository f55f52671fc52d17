#pragma once
// A recorded real match as commands, and the readers that make one from a file. Plain data: no network, no CAF, no
// runtime. A reader never changes what the file says. Where officials departed from a law it sends `"umpire": "reason"`
// in the input; where the file contradicts itself it adds a sentence to `notes` and goes on.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omnium::corpus {

// A member of a command's input that must name the seq of an earlier command of the same recording (a review, a void).
// The sender fills it in from the answer to that command; the input text comes without it.
struct seq_reference {
  std::string member;      // top-level member of the input, e.g. "about"
  std::size_t command = 0; // index into recording::commands, smaller than its own
};

struct recorded_command {
  std::string code;  // e.g. "football.goal", "match.start"
  std::string input; // JSON text of an object
  std::string key;   // 1-200 printable ASCII; from source, match and position, so the same on every run (see make_key)
  bool play = true;
  std::optional<double>
      offset_s; // seconds after the first command as it really happened; paces a replay; nullopt: at once
  std::optional<seq_reference> seq_of;
};

struct recorded_participant {
  enum class kind { team, person };
  std::string key; // stable in its source, e.g. "wyscout:team:4418"; ids are derived from it
  std::string name;
  kind type = kind::team;
};

struct recording {
  std::string sport;           // sport code, e.g. "football"
  std::string match_key;       // stable, from the file's own ids, e.g. "wyscout:2058017"; also what --match names
  std::string competition_key; // stable, e.g. "wyscout:World_Cup"
  std::string competition_name;
  std::string home_name, away_name;
  std::string home_key, away_key; // keys of `participants`; empty: a side without one
  std::string starts_at;          // RFC 3339, or empty when the file does not say
  std::string settings = "{}";    // JSON text of the fixture's settings
  std::string release;            // rule release the match was played under; empty: the default one
  std::vector<recorded_participant> participants;
  std::vector<recorded_command> commands;
  std::vector<std::string> notes; // sentences: gaps and contradictions of the file
  // The final result as the file itself states it apart from its events: a JSON object with members of the sport's
  // scoreboard, e.g. {"score":{"home":4,"away":2}}. Empty: the file does not say. It may differ from what the events
  // fold to (a gap of the source); then a note says so.
  std::string truth;
};

// The recordings of the files, in the order of the files; or one sentence that names the file and what is wrong with
// it.
using read_result = std::variant<std::vector<recording>, std::string>;
using reader = read_result (*)(const std::vector<std::string>& paths);

struct format {
  std::string_view name; // as omnium replay --format takes it
  std::string_view sport;
  std::string_view reads; // one line: what the files are
  reader read = nullptr;
};

// All formats, sorted by name. A sport adds its line to formats.def and its reader's .cpp.
const std::vector<format>& formats();
const format* find_format(std::string_view name);

// "source:match:place" with every byte that is not printable ASCII, and every space, percent-encoded; a result over 200
// characters is cut and ends in a hash of the whole, so that it stays unique.
std::string make_key(std::string_view source, std::string_view match, std::string_view place);

} // namespace omnium::corpus
