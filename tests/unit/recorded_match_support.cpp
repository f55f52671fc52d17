#include "tests/unit/recorded_match_support.hpp"

#include "tests/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace omnium::test {

namespace {

using version = std::vector<int>;

version version_of(const std::string& name) {
  version parts;
  std::size_t at = 0;
  while (at < name.size()) {
    parts.push_back(std::atoi(name.c_str() + at));
    at = name.find('.', at);
    if (at == std::string::npos) break;
    ++at;
  }
  return parts;
}

std::string with_reference(const corpus::recorded_command& command, const std::vector<std::int64_t>& seqs) {
  if (!command.seq_of) return command.input;
  std::string input = command.input;
  const std::string member = '"' + command.seq_of->member + "\":" + std::to_string(seqs.at(command.seq_of->command));
  input.insert(input.size() - 1, input.size() > 2 ? ',' + member : member);
  return input;
}

} // namespace

std::string package_of(const std::string& sport) {
  const std::filesystem::path folder = std::filesystem::path{OMNIUM_BINARY_DIR} / "sports" / sport;
  version newest;
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (!std::filesystem::exists(entry.path() / "plugin.so")) continue;
    if (const version one = version_of(entry.path().filename().string()); found.empty() || one > newest) {
      newest = one;
      found = entry.path().string();
    }
  }
  INFO(folder.string());
  REQUIRE_FALSE(found.empty());
  return found;
}

std::string kept(const std::string& name) { return OMNIUM_SOURCE_DIR "/tests/data/" + name; }

std::string collected(const std::string& name) {
  const char* set = std::getenv("OMNIUM_DATA");
  const std::string folder = std::string{set != nullptr ? set : OMNIUM_SOURCE_DIR "/../shared/data"} + '/' + name;
  if (std::filesystem::is_directory(folder)) return folder;
  std::cout << "SKIPPED: recorded matches: no folder " << folder << " (OMNIUM_DATA names another)\n";
  return {};
}

corpus::json_document played::board() const {
  auto parsed = corpus::json_document::parse(game.scoreboard());
  REQUIRE(std::holds_alternative<corpus::json_document>(parsed));
  return std::move(std::get<corpus::json_document>(parsed));
}

played play_recording(const corpus::recording& what) {
  played result{sdk::test::match{package_of(what.sport), what.settings}, 0, {}};
  std::vector<std::int64_t> seqs;
  for (const corpus::recorded_command& command : what.commands) {
    const std::string input = with_reference(command, seqs);
    const auto answer = result.game.play(command.code, input);
    ++result.sent;
    seqs.push_back(answer.seq);
    if (!answer.accepted)
      result.refused.push_back(command.key + ' ' + command.code + ' ' + input + ": " + answer.code + ", " +
                               answer.message);
  }
  return result;
}

std::vector<corpus::recording> read_recordings(const std::string& format, const std::vector<std::string>& paths) {
  const corpus::format* found = corpus::find_format(format);
  INFO(format);
  REQUIRE(found != nullptr);
  auto read = found->read(paths);
  if (const auto* error = std::get_if<std::string>(&read)) FAIL(*error);
  return std::move(std::get<std::vector<corpus::recording>>(read));
}

void require_sound(const played& what, const std::string& name) {
  INFO(name);
  const std::string first = what.refused.empty() ? "" : what.refused.front();
  CHECK(first == "");
  CHECK(what.game.check() == "");
}

void report_agreed(const std::string& sport, const std::string& source, std::size_t matches, std::size_t agreed) {
  std::cout << "recorded matches: " << sport << ", " << source << ": " << matches << " matches, " << agreed
            << " agreed\n";
}

} // namespace omnium::test
