// Recorded speed climbing: every heat folds to its result, and the results add up to the rankings.
#include "tests/catch.hpp"
#include "tests/unit/recorded_match_support.hpp"

#include <algorithm>
#include <map>

namespace {

using omnium::corpus::json_view;
using omnium::corpus::recording;
using namespace omnium::test;

struct folded_lane {
  std::string climber, shown, mark;
  std::int64_t ms = 0;
};
struct folded_heat {
  folded_lane a, b;
  std::string winner; // name; empty: nobody
  bool alone() const { return a.climber.empty() || b.climber.empty(); }
};

folded_heat fold(const recording& one) {
  const auto what = play_recording(one);
  require_sound(what, one.match_key);
  CHECK(what.game.board("/status") == "ended");
  const auto board = what.board();
  folded_heat made;
  for (auto [into, lane] : {std::pair{&made.a, "a"}, std::pair{&made.b, "b"}}) {
    const json_view shown = board.root()["lanes"][lane];
    into->climber = shown["climber"].text();
    into->shown = shown["shown"].text();
    into->mark = shown["mark"].text();
    if (const auto seconds = shown["time"].number()) into->ms = std::llround(*seconds * 1000);
  }
  const std::string side = board.root()["winner"].text();
  if (!side.empty()) made.winner = side == "home" ? made.a.climber : made.b.climber;
  return made;
}

// The seeding of a table: lone climbs by time, a false start last.
bool seeding_agrees(const std::vector<folded_heat>& heats, json_view expected) {
  std::vector<folded_lane> climbs;
  for (const auto& one : heats)
    if (one.alone()) climbs.push_back(one.a.climber.empty() ? one.b : one.a);
  std::stable_sort(climbs.begin(), climbs.end(), [](const folded_lane& a, const folded_lane& b) {
    return std::pair{!a.mark.empty(), a.ms} < std::pair{!b.mark.empty(), b.ms};
  });
  const auto ranks = expected.items();
  bool same = climbs.size() == ranks.size();
  for (std::size_t i = 0; same && i < ranks.size(); ++i) {
    const std::string status = ranks[i]["status"].text();
    same = climbs[i].climber == ranks[i]["name"].text() &&
           climbs[i].shown == (status.empty() ? ranks[i]["time"].text() : status);
  }
  return same;
}

bool heat_agrees(const folded_heat& one, json_view expected) {
  const bool a_wins = one.winner == one.a.climber;
  const folded_lane& winner = a_wins ? one.a : one.b;
  const folded_lane& loser = a_wins ? one.b : one.a;
  std::string status = expected["loser_status"].text();
  for (char& c : status) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return winner.climber == expected["winner"].text() && winner.shown == expected["winner_time"].text() &&
         loser.climber == expected["loser"].text() &&
         loser.shown == (status.empty() ? expected["loser_time"].text() : status);
}

std::vector<folded_heat> fold_all(const std::vector<recording>& recordings) {
  std::vector<folded_heat> out;
  for (const recording& one : recordings) out.push_back(fold(one));
  return out;
}

std::size_t count_agreeing(const std::vector<folded_heat>& heats, json_view expected) {
  std::size_t agreed = 0;
  for (const json_view one : expected["heats"].items())
    agreed += static_cast<std::size_t>(std::count_if(
        heats.begin(), heats.end(), [&](const folded_heat& heat) { return !heat.alone() && heat_agrees(heat, one); }));
  return agreed;
}

// The final ranking of a World Cup: finals, then the losers of each knock-out stage as they were ranked in the
// qualification, then the others by their best time there with false starts last.
struct ranked {
  std::string name;
  std::array<std::int64_t, 4> order; // stage, false start, best and second time
};

std::vector<ranked> ranking_of(json_view file, const std::vector<recording>& recordings,
                               const std::vector<folded_heat>& heats) {
  std::map<std::string, ranked> all;
  const auto best = [&](const folded_lane& lane) -> std::int64_t { return lane.mark.empty() ? lane.ms : 1'000'000; };
  for (std::size_t i = 0; i < heats.size(); ++i) {
    if (!heats[i].alone()) continue;
    const folded_lane& lane = heats[i].a.climber.empty() ? heats[i].b : heats[i].a;
    auto& one = all.try_emplace(lane.climber, ranked{lane.climber, {100, 0, 1'000'000, 1'000'000}}).first->second;
    if (lane.mark == "FS") one.order[1] = 1;
    const std::int64_t ms = best(lane);
    if (ms < one.order[2]) one.order[3] = std::exchange(one.order[2], ms);
    else one.order[3] = std::min(one.order[3], ms);
  }
  std::map<std::string, std::string> stage; // heat key -> stage name
  for (const json_view athlete : file["ranking"].items())
    for (const json_view round : athlete["rounds"].items())
      for (const json_view one : round["speed_elimination_stages"].items())
        stage["ifsc:heat:" + one["heat_id"].text()] = one["name"].text();
  const std::map<std::string, std::array<std::int64_t, 2>> places{
      {"Final", {1, 2}}, {"Small Final", {3, 4}}, {"1/4", {0, 5}}, {"1/8", {0, 9}}};
  for (std::size_t i = 0; i < heats.size(); ++i) {
    const auto place = places.find(stage[recordings[i].match_key]);
    if (heats[i].alone() || place == places.end()) continue;
    for (const folded_lane* lane : {&heats[i].a, &heats[i].b}) {
      const std::int64_t rank = place->second[lane->climber == heats[i].winner ? 0 : 1];
      if (rank == 0) continue;
      all[lane->climber].order[0] = rank;
    }
  }
  std::vector<ranked> sorted;
  for (auto& [name, one] : all) sorted.push_back(one);
  std::sort(sorted.begin(), sorted.end(), [](const ranked& a, const ranked& b) { return a.order < b.order; });
  return sorted;
}

} // namespace

TEST_CASE("climbing: the heats of Paris 2024 kept here fold to their results") {
  const auto recordings = read_recordings("ifsc", {kept("climbing/paris2024_speed_men.csv")});
  const auto heats = fold_all(recordings);
  CHECK(heats.size() == 29);
  const auto final = std::find_if(recordings.begin(), recordings.end(), [](const recording& one) {
    return one.match_key.find("FNL-000100") != std::string::npos && one.match_key.find("SFNL") == std::string::npos &&
           one.match_key.find("QFNL") == std::string::npos;
  });
  REQUIRE(final != recordings.end());
  CHECK(heats[static_cast<std::size_t>(final - recordings.begin())].winner == "LEONARDO Veddriq");
  const bool split = std::any_of(heats.begin(), heats.end(), [](const folded_heat& one) {
    return one.winner == "WU Peng" && one.a.shown == "4.997" && one.b.shown == "4.995";
  });
  CHECK(split);
  report_agreed("climbing", "kept heats of Paris 2024", heats.size(), heats.size());
}

TEST_CASE("climbing: the whole collection folds to its results") {
  const std::string folder = collected("climbing/");
  if (folder.empty()) return;
  auto read = omnium::corpus::read_json(folder + "expected.json");
  const json_view expected = std::get<omnium::corpus::json_document>(read).root();
  const json_view paris = expected["paris2024_speed_men.csv"];
  const auto heats = fold_all(read_recordings("ifsc", {folder + "paris2024_speed_men.csv"}));
  CHECK(seeding_agrees(heats, paris["seeding"]));
  const std::size_t agreed = count_agreeing(heats, paris);
  CHECK(agreed == paris["heats"].items().size());
  report_agreed("climbing", "Paris 2024 (seeding and heats)", heats.size(), agreed + paris["seeding"].items().size());

  const std::string path = folder + "ifsc_chamonix2025_speed_men.json";
  auto file = omnium::corpus::read_json(path);
  const auto recordings = read_recordings("ifsc", {path});
  const auto climbs = fold_all(recordings);
  const auto ranking = ranking_of(std::get<omnium::corpus::json_document>(file).root(), recordings, climbs);
  const auto truth = expected["ifsc_chamonix2025_speed_men.json"]["final_ranking"].items();
  REQUIRE(ranking.size() == truth.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    INFO(i << ' ' << ranking[i].name << ' ' << truth[i]["name"].text());
    CHECK(ranking[i].name == truth[i]["name"].text());
    same += ranking[i].name == truth[i]["name"].text();
  }
  report_agreed("climbing", "Chamonix 2025, " + std::to_string(recordings.size()) + " heats, places of the ranking",
                truth.size(), same);
}
