#pragma once
// What most readers share: adding commands to a recording under keys made from source, match and place.
#include "sports/corpus/json_out.hpp"
#include "sports/corpus/recording.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::corpus {

class recorder {
public:
  // `source` names the corpus (e.g. "curlr"), `match` the match in it; both go into every key.
  recorder(std::string source, std::string match) : source_(std::move(source)), match_(std::move(match)) {
    out.match_key = source_ + ':' + match_;
  }

  // `place` says where in the match the command stands; it must be the same on every run and unique in the match.
  recorded_command& add(std::string code, std::string_view place, const json_object& input, bool play = true) {
    recorded_command command;
    command.code = std::move(code);
    command.input = input.str();
    command.key = make_key(source_, match_, place);
    command.play = play;
    out.commands.push_back(std::move(command));
    return out.commands.back();
  }

  void note(std::string sentence) { out.notes.push_back(std::move(sentence)); }

  // Both sides as participants of one kind; their keys come from the source's own names.
  void sides(std::string_view home, std::string_view away, recorded_participant::kind kind) {
    out.home_name = std::string{home};
    out.away_name = std::string{away};
    out.home_key = source_ + ":side:" + out.home_name;
    out.away_key = source_ + ":side:" + out.away_name;
    out.participants.push_back({out.home_key, out.home_name, kind});
    out.participants.push_back({out.away_key, out.away_name, kind});
  }

  void competition(std::string_view key, std::string name) {
    out.competition_key = source_ + ':' + std::string{key};
    out.competition_name = std::move(name);
  }

  // Without an end the match stays open: the rest of it may come with the whole file.
  void stops_early() { note("The file stops before the match is decided and names no winner."); }

  recording out;

private:
  std::string source_, match_;
};

// 16 hex digits that name a file by its content, for files that carry no id of their own (FNV-1a: the same on every
// machine).
std::string content_name(std::string_view text);

} // namespace omnium::corpus
