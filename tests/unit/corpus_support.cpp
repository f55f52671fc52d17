#include "tests/unit/corpus_support.hpp"

#include "sports/corpus/json_in.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>

namespace omnium::corpus_test {

namespace {

// The recorded time of a command, on the day the recording says (any day does where it says none).
std::string time_of(const corpus::recording& what, double offset_s) {
  const std::string day = what.starts_at.size() >= 10 ? what.starts_at.substr(0, 10) : "2026-01-01";
  const auto seconds = static_cast<long>(offset_s);
  char clock[64];
  std::snprintf(clock, sizeof clock, "T%02ld:%02ld:%02ld.%03dZ", (seconds / 3600) % 24, seconds / 60 % 60, seconds % 60,
                static_cast<int>((offset_s - static_cast<double>(seconds)) * 1000));
  return day + clock;
}

std::string with_member(const std::string& object, const std::string& member, std::int64_t value) {
  const std::string text = '"' + member + "\":" + std::to_string(value);
  return object == "{}" ? '{' + text + '}' : object.substr(0, object.size() - 1) + ',' + text + '}';
}

void compare(const std::string& at, corpus::json_view says, corpus::json_view shows, std::string& out) {
  if (says.is_object() && shows.is_object()) {
    for (const auto& [name, member] : says.members()) compare(at + '/' + name, member, shows[name], out);
    return;
  }
  if (says.is_array() && shows.is_array() && says.items().size() == shows.items().size()) {
    for (std::size_t i = 0; i < says.items().size(); ++i)
      compare(at + '/' + std::to_string(i), says.items()[i], shows.items()[i], out);
    return;
  }
  const auto scalar = [](corpus::json_view v) {
    return v.is_array() || v.is_object() ? "a container" : v ? v.scalar() : "null";
  };
  if (scalar(says) != scalar(shows)) out += at + ": " + scalar(says) + " is shown as " + scalar(shows) + "; ";
}

} // namespace

std::string own_data(const std::string& name) { return OMNIUM_SOURCE_DIR "/tests/data/" + name; }

std::optional<std::string> shared_data(const std::string& what) {
  const char* set = std::getenv("OMNIUM_DATA");
  const std::string folder = set != nullptr ? set : OMNIUM_SOURCE_DIR "/../shared/data";
  if (std::filesystem::is_directory(folder + '/' + what)) return folder + '/' + what;
  std::cout << "SKIPPED: recorded matches of " << what << ": no folder " << folder << '/' << what
            << " (OMNIUM_DATA names another)\n";
  return std::nullopt;
}

std::vector<corpus::recording> read(const std::string& format, const std::vector<std::string>& paths) {
  const corpus::format* found = corpus::find_format(format);
  REQUIRE(found != nullptr);
  auto result = found->read(paths);
  if (const auto* error = std::get_if<std::string>(&result)) FAIL(*error);
  return std::move(std::get<std::vector<corpus::recording>>(result));
}

played play(const corpus::recording& what, const std::string& package, const after_each& after) {
  played out{sdk::test::match{package, what.settings}, {}};
  std::map<std::size_t, std::int64_t> seqs;
  double offset_s = 0;
  for (std::size_t i = 0; i < what.commands.size(); ++i) {
    const corpus::recorded_command& command = what.commands[i];
    offset_s = std::max(offset_s, command.offset_s.value_or(offset_s));
    std::string input = command.input;
    if (command.seq_of) input = with_member(input, command.seq_of->member, seqs[command.seq_of->command]);
    const auto answer = out.match.play(command.code, input, time_of(what, offset_s));
    seqs[i] = answer.seq;
    if (!answer.accepted)
      out.refusals.push_back(command.code + ' ' + input + ": " + answer.code + ": " + answer.message);
    if (after) after(command, answer, out.match);
  }
  return out;
}

std::string disagreement(const std::string& truth, const std::string& scoreboard) {
  auto says = corpus::json_document::parse(truth), shows = corpus::json_document::parse(scoreboard);
  REQUIRE(std::holds_alternative<corpus::json_document>(says));
  REQUIRE(std::holds_alternative<corpus::json_document>(shows));
  std::string out;
  compare("", std::get<corpus::json_document>(says).root(), std::get<corpus::json_document>(shows).root(), out);
  return out;
}

} // namespace omnium::corpus_test
