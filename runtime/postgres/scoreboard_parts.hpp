#pragma once
// A scoreboard as its row holds it: three parts, of which the middle one seldom changes and is then not written again
// (schema/migrations/0022_scoreboard_parts.sql). Pure; any thread.
#include <string>
#include <string_view>

namespace omnium::pg {

// front + still + back is the text; views into it.
struct scoreboard_parts {
  std::string_view front, still, back;
};

// `still` is all but the last entry of the list that is longest so, of the lists that are the scoreboard's own members:
// a list (sets, innings, goals) grows at its end, and what comes before that is settled but for a correction. Empty
// where no list has two entries. A text that is no JSON object is cut anywhere, or not at all, and is whole all the
// same.
scoreboard_parts parts_of(std::string_view scoreboard);

// What road.commit takes of a match: its scoreboard and its events with U+001E before and behind `still`. JSON has no
// such character; in a text that is none it becomes a space. Views into the scoreboard.
class parts_marker {
public:
  explicit parts_marker(std::string_view scoreboard) : parts_(parts_of(scoreboard)), whole_(scoreboard) {}
  std::string scoreboard() const;
  // An event, whose last member is a scoreboard: this one as a rule, so that it is cut already.
  std::string event(std::string_view text) const;

private:
  scoreboard_parts parts_;
  std::string_view whole_;
};

} // namespace omnium::pg
