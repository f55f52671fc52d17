#include "tests/unit/random_commands_support.hpp"

#include "tests/catch.hpp"

#include <map>

namespace omnium::test {

namespace {

using command = std::pair<std::string, std::string>;

std::string number(std::uint32_t value) { return std::to_string(value); }
std::string text(const std::string& member, const std::string& value) { return '"' + member + "\":\"" + value + '"'; }
std::string object(const std::string& members) { return '{' + members + '}'; }
std::string side(const std::string& of) { return object(text("side", of)); }
std::string side(const std::string& of, const std::string& more) { return object(text("side", of) + ',' + more); }

command curling(dice& d) {
  const std::string by = d.side();
  switch (d.roll(12)) {
  case 0:
    return {"curling.hammer", side(by)};
  case 1:
    return {"curling.hammer", side(by, "\"end\":" + number(d.roll(6) + 1))};
  case 2:
  case 3:
    return {"curling.end", object(text("action", "start"))};
  case 4:
  case 5:
    return {"curling.stone", side(by)};
  case 6:
    return {"curling.end_score", R"({"points":0})"};
  case 7:
    return {"curling.end_score", side(by, "\"points\":" + number(d.roll(4) + 1))};
  case 8:
    return {"curling.timeout", side(by)};
  case 9:
    return {"curling.power_play", side(by)};
  case 10:
    return d.chance(10) ? command{"curling.concede", side(by)} : command{"curling.extra_end", "{}"};
  default:
    return {"match.note", object(text("text", "ice"))};
  }
}

command tennis(dice& d) {
  const std::string by = d.side();
  switch (d.roll(20)) {
  case 0:
    return {"tennis.fault", "{}"};
  case 1:
    return {"tennis.let", object(text("kind", "point"))};
  case 2:
    return {"tennis.serve_fix", "{}"};
  case 3:
    return {"tennis.violation", side(by)};
  case 4:
    return {"tennis.lineup", side(by, R"("players":["P","Q"])")};
  case 5:
    return d.chance(3) ? command{"tennis.retire", side(by)} : command{"match.note", object(text("text", "rain"))};
  default:
    return {"tennis.point", object(text("winner", by))};
  }
}

command volleyball(dice& d) {
  const std::string by = d.side();
  switch (d.roll(24)) {
  case 0:
    return {"volleyball.timeout", side(by)};
  case 1:
    return {"volleyball.serve", side(by)};
  case 2:
    return {"volleyball.lineup", side(by, R"("players":["1","2","3","4","5","6"])")};
  case 3: {
    const std::string off = number(d.roll(6) + 1), on = number(d.roll(4) + 11);
    return {"volleyball.substitution", side(by, text("off", off) + ',' + text("on", on))};
  }
  case 4:
    return {"volleyball.sanction", side(by, text("kind", "delay_penalty"))};
  case 5:
    return {"volleyball.rotation_fault", side(by, "\"from_seq\":" + number(d.roll(300) + 1))};
  case 6:
    return {"volleyball.rotation_fault", side(by)};
  case 7:
    return {"match.note", object(text("text", "net"))};
  default:
    return {"volleyball.rally", object(text("winner", by))};
  }
}

command climbing(dice& d) {
  const std::string lane = text("lane", d.roll(2) == 0 ? "a" : "b");
  switch (d.roll(9)) {
  case 0:
    return {"climbing.start", R"({"lane_a":"Ada","lane_b":"Berta"})"};
  case 1:
    return {"climbing.start", R"({"lane_a":"Ada"})"};
  case 2:
    return {"climbing.reaction", object(lane + (d.roll(2) == 0 ? ",\"seconds\":0.15" : ",\"seconds\":0.05"))};
  case 3:
  case 4:
    return {"climbing.finish", object(lane + ",\"seconds\":5." + number(d.roll(900) + 100))};
  case 5:
    return {"climbing.irregular", object(lane + ',' + text("mark", d.roll(2) == 0 ? "FS" : "FALL"))};
  case 6:
    return {"climbing.rerun", object(text("reason", "technical"))};
  case 7:
    return d.chance(20) ? command{"climbing.confirm", "{}"} : command{"climbing.start", R"({"lane_b":"Cleo"})"};
  default:
    return {"match.note", object(text("text", "wind"))};
  }
}

command badminton(dice& d) {
  const std::string by = d.side();
  switch (d.roll(20)) {
  case 0:
    return {"badminton.let", "{}"};
  case 1:
    return {"badminton.service", side(by)};
  case 2:
    return {"badminton.lineup", side(by, R"("players":["P","Q"])")};
  case 3:
    return {"badminton.card", side(by, text("card", "red"))};
  case 4:
    return {"badminton.challenge", side(by, text("result", "unsuccessful"))};
  case 5:
    return {"badminton.service", object(text("server", "P"))};
  default:
    return {"badminton.rally", object(text("winner", by))};
  }
}

command basketball(dice& d) {
  static const std::vector<std::string> periods{"Q1", "Q2", "Q3", "Q4", "OT1", "OT2"};
  const std::string by = d.side();
  const std::string player = text("player", by.substr(0, 1) + number(d.roll(8)));
  switch (d.roll(20)) {
  case 0:
    return {"basketball.period", object(text("action", "start") + ',' + text("period", periods[d.roll(6)]))};
  case 1:
    return {"basketball.period", object(text("action", "end") + ',' + text("period", periods[d.roll(6)]))};
  case 2:
    return {"basketball.timeout", side(by)};
  case 3:
  case 4:
    return {"basketball.foul", side(by, text("kind", d.chance(80) ? "personal" : "technical") + ',' + player)};
  case 5: {
    const std::string off = by.substr(0, 1) + number(d.roll(8)), on = by + number(d.roll(5));
    return {"basketball.substitution", side(by, text("off", off) + ',' + text("on", on))};
  }
  case 6:
    return {"basketball.possession", object(text("to", by))};
  case 7:
    return {"basketball.rebound", side(by)};
  case 8:
  case 9:
    return {"basketball.free_throw", side(by, "\"made\":true," + player)};
  case 10:
    return {"basketball.miss", side(by, "\"points\":3," + player)};
  default:
    return {"basketball.score", side(by, "\"points\":" + number(d.roll(2) + 2) + ',' + player)};
  }
}

const std::map<std::string, command (*)(dice&)> generators{{"curling", &curling},       {"tennis", &tennis},
                                                           {"volleyball", &volleyball}, {"climbing", &climbing},
                                                           {"badminton", &badminton},   {"basketball", &basketball}};

} // namespace

random_command commands_of(const std::string& sport) {
  const auto found = generators.find(sport);
  INFO(sport);
  REQUIRE(found != generators.end());
  return found->second;
}

const std::vector<std::string>& random_sports() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, generator] : generators) all.push_back(name);
    return all;
  }();
  return names;
}

} // namespace omnium::test
