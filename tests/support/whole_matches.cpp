#include "tests/support/whole_matches.hpp"

#include "sports/corpus/recording.hpp"

#include <algorithm>
#include <stdexcept>

namespace omnium::test {
namespace {

using corpus::recording;

std::string kept(const std::string& name) { return OMNIUM_SOURCE_DIR "/tests/data/" + name; }

std::string number_after(std::string input, const std::string& member, std::size_t seq) {
  const auto text = '"' + member + "\":" + std::to_string(seq);
  input.insert(input.size() - 1, input.size() > 2 ? ',' + text : text);
  return input;
}

// The longest of the recordings of some files; every one of its commands is accepted, so row i + 1 is command i.
whole_match longest(const std::string& sport, const std::string& format, const std::vector<std::string>& files) {
  auto read = corpus::find_format(format)->read(files);
  if (const auto* fault = std::get_if<std::string>(&read)) throw std::runtime_error(*fault);
  const auto& all = std::get<std::vector<recording>>(read);
  const auto& one = *std::max_element(all.begin(), all.end(), [](const recording& a, const recording& b) {
    return a.commands.size() < b.commands.size();
  });
  whole_match out{sport, one.settings.empty() ? "{}" : one.settings, {}};
  for (const auto& c : one.commands)
    out.events.push_back({c.code, c.seq_of ? number_after(c.input, c.seq_of->member, c.seq_of->command + 1) : c.input});
  return out;
}

// Five sets in which both hold serve to 30 up to a tie-break: about 400 points.
whole_match long_tennis() {
  whole_match out{"tennis", R"({"best_of":5})", {{"match.start", "{}"}}};
  const auto point = [&](bool home) {
    out.events.push_back({"tennis.point", home ? R"({"winner":"home"})" : R"({"winner":"away"})"});
  };
  for (int set = 0; set < 5; ++set) {
    for (int game = 0; game < 12; ++game) {
      const bool home = game % 2 == 0;
      for (int i = 0; i < 2; ++i) point(!home), point(home);
      point(home), point(home);
    }
    const bool home = set % 2 == 0;   // the tie-break of each set, 7-5; the fifth is decided by home as well
    const int to = set == 4 ? 10 : 7; // a longer final tie-break takes what it needs
    for (int i = 0; i < to - 2; ++i) point(!home), point(home);
    point(home), point(home);
  }
  return out;
}

// Fifty overs a side, ones and noughts, a wicket every fifty balls; the second side falls short of its target.
whole_match one_day_cricket() {
  whole_match out{"cricket", "{}", {{"match.start", "{}"}}};
  for (const std::string batting : {"home", "away"}) {
    const bool chasing = batting == "away";
    out.events.push_back({"cricket.innings", R"({"action":"start","batting":")" + batting + R"(","overs_limit":50})"});
    std::string striker = batting + " 1", other = batting + " 2";
    int came = 2;
    for (int i = 0; i < 300; ++i) {
      const int runs = i % (chasing ? 4 : 3) == 0 ? 1 : 0;
      const bool out_now = i % 50 == 49;
      std::string input = R"({"batter":")" + striker + R"(","non_striker":")" + other + R"(","bowler":"Bowler )" +
                          std::to_string(i / 6 % 6) + R"(","runs":{"batter":)" + std::to_string(out_now ? 0 : runs) +
                          '}';
      if (out_now) input += R"(,"wickets":[{"kind":"bowled","player_out":")" + striker + R"("}])";
      out.events.push_back({"cricket.ball", input + '}'});
      if (out_now) striker = batting + ' ' + std::to_string(++came);
      else if (runs == 1) std::swap(striker, other);
      if (i % 6 == 5) std::swap(striker, other);
    }
  }
  return out;
}

// A heat that is climbed again and again.
whole_match rerun_climbing() {
  whole_match out{"climbing", "{}", {{"match.start", "{}"}}};
  for (int i = 0; i < 60; ++i) {
    out.events.push_back({"climbing.start", R"({"lane_a":"LEONARDO Veddriq","lane_b":"WU Peng"})"});
    out.events.push_back({"climbing.finish", R"({"lane":"a","seconds":4.995})"});
    out.events.push_back({"climbing.finish", R"({"lane":"b","seconds":4.997})"});
    out.events.push_back({"climbing.rerun", R"({"reason":"technical incident"})"});
  }
  return out;
}

whole_match named(std::string form, whole_match what) {
  what.form = std::move(form);
  return what;
}

} // namespace

std::vector<whole_match> whole_matches() {
  return {
      named("T20", longest("cricket", "cricsheet", {kept("cricket/1208093.json.gz")})),
      named("one day", one_day_cricket()),
      longest("football", "wyscout", {kept("football/wyscout/1694436.json")}),
      longest("basketball", "fiba", {kept("basketball/fiba_illapel_boston_pbp.csv.gz")}),
      longest("volleyball", "dvw", {kept("volleyball/2020_click_scout.dvw.gz")}),
      longest("badminton", "shuttleset", {kept("badminton/Busanan_ONGBAMRUNGPHAN_Aakarshi_KASHYAP/set1.csv.gz")}),
      long_tennis(),
      longest("curling", "curling-csv",
              {kept("curling/mixed_doubles_games.csv"), kept("curling/mixed_doubles_shots.csv.gz")}),
      rerun_climbing(),
  };
}

} // namespace omnium::test
