#include "apps/replay/match.hpp"

#include "runtime/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>
#include <vector>

namespace omnium::replay {
namespace {

// Of the ids that are made from recordings' keys; never changed, or a second run would make everything anew.
constexpr uuid id_space{
    {0x6f, 0x6d, 0x6e, 0x69, 0x75, 0x6d, 0x52, 0x65, 0x80, 0x70, 0x6c, 0x61, 0x79, 0x49, 0x64, 0x73}};

uuid id_of(std::string_view kind, std::string_view key) {
  return make_uuid5(id_space, fmt::format("{}:{}", kind, key));
}

command_text games(const corpus::recording& what, std::string_view place, std::string code, std::string input) {
  return {"games",
          "competition",
          to_string(competition_id(what)),
          corpus::make_key("replay", what.competition_key, place),
          std::move(code),
          std::move(input)};
}

// What exists already under another key or another text (an older reader, another tool) is there all the same.
bool is_there(const settled& end) {
  if (end.what == outcome::accepted || (end.what == outcome::duplicate && !end.refused_before)) return true;
  return end.reason == "already_exists" || end.reason == "key_reused";
}

bool send_once(sender& to, const command_text& command, std::set<std::string>& done, const say& tell) {
  if (!done.insert(command.key).second) return true;
  tally uncounted;
  auto end = to.send(command, uncounted);
  if (end.what == outcome::refused && is_there(end))
    tell(fmt::format("{}: {} It is used as it is.", command.code, end.message));
  if (is_there(end)) return true;
  tell(fmt::format("{} was {}: {} ({})", command.code, to_string(end.what), end.message, end.reason));
  return false;
}

std::string side_json(const corpus::recording& what, const std::string& name, const std::string& key) {
  if (key.empty()) return fmt::format(R"({{"name":{}}})", json::quoted(name));
  return fmt::format(R"({{"name":{},"participant":"{}"}})", json::quoted(name), to_string(participant_id(what, key)));
}

command_text create_fixture(const corpus::recording& what) {
  std::string input =
      fmt::format(R"({{"id":"{}","sport":{},"home":{},"away":{},"settings":{})", to_string(fixture_id(what)),
                  json::quoted(what.sport), side_json(what, what.home_name, what.home_key),
                  side_json(what, what.away_name, what.away_key), what.settings.empty() ? "{}" : what.settings);
  if (!what.starts_at.empty()) input += R"(,"starts_at":)" + json::quoted(what.starts_at);
  if (!what.release.empty()) input += R"(,"release":)" + json::quoted(what.release);
  return games(what, "fixture:" + what.match_key, "games.create_fixture", input + '}');
}

std::string with_member(const std::string& object, const std::string& member, std::int64_t value) {
  const auto text = fmt::format("{}:{}", json::quoted(member), value);
  const auto end = object.rfind('}');
  const bool empty = object.find_first_not_of(" \t\r\n", object.find('{') + 1) == end;
  return object.substr(0, end) + (empty ? "" : ",") + text + '}';
}

class pace {
public:
  pace(sender& to, const replay_options& options) : to_(to), options_(options), began_(clock::now()) {}
  void wait_for(std::optional<double> offset_s) {
    const auto& speed = options_.speed;
    if (!speed || !offset_s) return;
    const auto due =
        began_ + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(*offset_s / *speed));
    for (;;) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due - clock::now());
      if (left.count() <= 0 || (options_.stopped && options_.stopped())) return;
      if (!options_.stopped) return to_.sleep(left);
      to_.sleep(std::min(left, look_every));
    }
  }

private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds look_every{100}; // whether the run was ended meanwhile
  sender& to_;
  const replay_options& options_;
  clock::time_point began_;
};

// Sends the commands; stops at what the next one cannot stand on.
class match_run {
public:
  match_run(sender& to, const corpus::recording& what, const replay_options& options, const say& tell,
            match_report& report)
      : to_(to), what_(what), options_(options), tell_(tell), report_(report), seqs_(what.commands.size()) {}

  void play() {
    pace time(to_, options_);
    for (std::size_t i = 0; i < what_.commands.size(); ++i) {
      time.wait_for(what_.commands[i].offset_s);
      if (options_.stopped && options_.stopped()) {
        report_.good = false;
        return;
      }
      if (!send(i)) return;
    }
  }

private:
  bool send(std::size_t index) {
    const auto& command = what_.commands[index];
    command_text text{what_.sport, "fixture", report_.fixture, command.key, command.code, command.input};
    if (command.seq_of) {
      const auto seq = seqs_[command.seq_of->command];
      if (!seq) {
        const std::string why = "names an event that was not accepted";
        note(command, "not_sent", std::nullopt, "", "It " + why + ".");
        return fail(command, why);
      }
      text.input = with_member(text.input, command.seq_of->member, *seq);
    }
    const auto end = to_.send(text, report_.count);
    seqs_[index] = end.seq;
    note(command, to_string(end.what), end.seq, end.reason, end.message);
    if (end.what == outcome::accepted || (end.what == outcome::duplicate && !end.refused_before)) return true;
    const bool refusal = end.what == outcome::refused || end.refused_before;
    return fail(command,
                fmt::format("was {}: {} ({})", refusal ? "refused" : to_string(end.what), end.message, end.reason)) &&
           refusal;
  }

  void note(const corpus::recorded_command& command, std::string_view what, std::optional<std::int64_t> seq,
            const std::string& reason, const std::string& message) {
    if (!options_.row) return;
    const auto text = [](const std::string& value) { return value.empty() ? "null" : json::quoted(value); };
    options_.row(fmt::format(
        R"({{"match":{},"fixture":"{}","key":{},"code":{},"outcome":"{}","seq":{},"reason":{},"message":{}}})",
        json::quoted(what_.match_key), report_.fixture, json::quoted(command.key), json::quoted(command.code), what,
        seq ? std::to_string(*seq) : "null", text(reason), text(message)));
  }

  // True: the match goes on all the same.
  bool fail(const corpus::recorded_command& command, std::string_view how) {
    report_.good = false;
    tell_(fmt::format("{}: {} {}: {}", what_.match_key, command.code, command.input, how));
    return options_.keep_going;
  }

  sender& to_;
  const corpus::recording& what_;
  const replay_options& options_;
  const say& tell_;
  match_report& report_;
  std::vector<std::optional<std::int64_t>> seqs_;
};

std::string scoreboard_of(sender& to, const std::string& fixture, const say& tell) {
  std::string why;
  const auto body = to.read("/fixtures/" + fixture, why);
  simdjson::dom::parser parser;
  simdjson::dom::element root, board;
  if (body && !parser.parse(*body).get(root) && !root["scoreboard"].get(board)) return simdjson::minify(board);
  tell(fmt::format("The scoreboard of {} could not be read. {}", fixture, why));
  return "null";
}

} // namespace

uuid competition_id(const corpus::recording& what) { return id_of("competition", what.competition_key); }
uuid participant_id(const corpus::recording& what, std::string_view key) {
  return make_uuid5(competition_id(what), key);
}
uuid fixture_id(const corpus::recording& what) { return id_of("fixture", what.match_key); }

bool prepare(sender& to, const corpus::recording& what, std::set<std::string>& done, const say& tell) {
  const auto name =
      fmt::format(R"({{"name":{},"sport":{}}})", json::quoted(what.competition_name), json::quoted(what.sport));
  if (!send_once(to, games(what, "competition", "games.create_competition", name), done, tell)) return false;
  for (const auto& one : what.participants) {
    const bool team = one.type == corpus::recorded_participant::kind::team;
    const auto input = fmt::format(R"({{"id":"{}","name":{},"type":"{}"}})", to_string(participant_id(what, one.key)),
                                   json::quoted(one.name), team ? "team" : "person");
    if (!send_once(to, games(what, "participant:" + one.key, "games.add_participant", input), done, tell)) return false;
  }
  return true;
}

match_report send_match(sender& to, const corpus::recording& what, const replay_options& options, const say& tell) {
  match_report report;
  report.fixture = to_string(fixture_id(what));
  report.scoreboard = "null";
  std::set<std::string> done;
  if (!send_once(to, create_fixture(what), done, tell)) {
    report.good = false;
    return report;
  }
  match_run(to, what, options, tell, report).play();
  report.scoreboard = scoreboard_of(to, report.fixture, tell);
  return report;
}

std::string to_json(const match_report& report, std::optional<std::size_t> fixtures) {
  const auto& n = report.count;
  return fmt::format(R"({{"fixture":"{}","sent":{},"accepted":{},"duplicate":{},"refused":{},"conflict":{},)"
                     R"("try_again":{},{}"scoreboard":{}}})",
                     report.fixture, n.sent, n.accepted, n.duplicate, n.refused, n.conflict, n.try_again,
                     fixtures ? fmt::format("\"fixtures\":{},", *fixtures) : "", report.scoreboard);
}

} // namespace omnium::replay
