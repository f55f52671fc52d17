// Format `ifsc`: results of speed climbing, one recording a heat. Two kinds of file:
//  - the answer of the IFSC results service (JSON, "ranking" of athletes with their rounds): knock-out heats are joined
//    by their heat_id, each climb of the qualification is a heat of one climber;
//  - a table (CSV, columns stage_code, result, result_IRM, start_order): two rows a heat, or the rows of a seeding
//  round.
#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/json_in.hpp"
#include "sports/corpus/recorder.hpp"

#include <map>

namespace omnium::corpus {

namespace {

struct climb {
  std::string climber;
  std::string seconds;     // "4.995"; empty: none
  std::string mark;        // FS, FALL, DNS, DSQ; empty: none
  std::optional<bool> won; // as the file says
};

struct heat {
  std::string key, name;
  std::optional<climb> a, b;
};

constexpr std::string_view free_lane = "(free lane)";

void add_lane(recorder& into, const char* lane, const std::optional<climb>& one) {
  if (!one) return;
  json_object input;
  input.text("lane", lane);
  if (!one->mark.empty()) into.add("climbing.irregular", std::string{lane} + ":mark", input.text("mark", one->mark));
  else if (!one->seconds.empty())
    into.add("climbing.finish", std::string{lane} + ":finish", input.raw("seconds", one->seconds));
}

bool decided_by_times(const heat& one) {
  const auto rank = [](const climb& of) { return of.mark.empty() ? 0 : of.mark == "FALL" ? 1 : 2; };
  const int a = rank(*one.a), b = rank(*one.b);
  return a != b || (a == 0 && one.a->seconds != one.b->seconds);
}

recording record(const std::string& source, const std::string& competition, const heat& one) {
  recorder into{source, one.key};
  into.out.sport = "climbing";
  into.competition(competition, competition);
  into.sides(one.a ? one.a->climber : free_lane, one.b ? one.b->climber : free_lane,
             recorded_participant::kind::person);
  into.add("match.start", "match", json_object{});
  json_object start;
  if (one.a) start.text("lane_a", one.a->climber);
  if (one.b) start.text("lane_b", one.b->climber);
  into.add("climbing.start", "start", start);
  add_lane(into, "a", one.a);
  add_lane(into, "b", one.b);
  json_object confirm;
  if (one.a && one.b && !decided_by_times(one)) {
    const bool a_won = one.a->won.value_or(false), b_won = one.b->won.value_or(false);
    if (a_won != b_won) confirm.text("winner", a_won ? "a" : "b");
    else into.note("The file does not say who won this level heat.");
  }
  into.add("climbing.confirm", "confirm", confirm);
  into.add("match.end", "end", json_object{}.text("reason", "completed"));
  return std::move(into.out);
}

// --- the results service ---------------------------------------------------------------------------------------------

std::string thousandths(std::int64_t ms) {
  std::string rest = std::to_string(ms % 1000);
  return std::to_string(ms / 1000) + '.' + std::string(3 - rest.size(), '0') + rest;
}

// A false start is told only by the score's text; the ascent itself says "did not start".
climb climb_of(json_view athlete, json_view ascent, const std::string& score) {
  climb made;
  made.climber = athlete["name"].text();
  const std::int64_t ms = ascent["time_ms"].integer_or(0);
  if (ascent["dns"].flag()) made.mark = score.find("FALSE START") != std::string::npos ? "FS" : "DNS";
  else if (ascent["dnf"].flag() || ms <= 0) made.mark = "FALL";
  else made.seconds = thousandths(ms);
  return made;
}

void place_in(heat& into, const std::string& route, climb one) { (route == "B" ? into.b : into.a) = std::move(one); }

void read_athlete(json_view athlete, std::vector<heat>& heats, std::map<std::string, std::size_t>& by_key) {
  for (const json_view round : athlete["rounds"].items()) {
    for (const json_view ascent : round["ascents"].items()) {
      heat alone;
      alone.name = round["round_name"].text() + ' ' + ascent["route_name"].text();
      alone.key = "round:" + round["category_round_id"].text() + ":" + ascent["route_name"].text() + ":" +
                  athlete["athlete_id"].text();
      place_in(alone, ascent["route_name"].text(), climb_of(athlete, ascent, round["score"].text()));
      heats.push_back(std::move(alone));
    }
    for (const json_view stage : round["speed_elimination_stages"].items()) {
      const std::string key = "heat:" + stage["heat_id"].text();
      const auto found = by_key.emplace(key, heats.size());
      if (found.second) heats.push_back({key, stage["name"].text(), {}, {}});
      climb one = climb_of(athlete, stage["ascents"].at(0), stage["score"].text());
      one.won = stage["winner"].integer_or(0) == 1;
      place_in(heats[found.first->second], stage["ascents"].at(0)["route_name"].text(), std::move(one));
    }
  }
}

std::variant<std::vector<recording>, std::string> read_service(const std::string& path) {
  auto read = read_json(path);
  if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
  const json_view root = std::get<json_document>(read).root();
  if (!root["ranking"].is_array()) return path + " is no answer of the results service: it has no ranking.";
  const std::string competition = root["event"].text() + ", " + root["dcat"].text();
  std::vector<heat> heats;
  std::map<std::string, std::size_t> by_key;
  for (const json_view athlete : root["ranking"].items()) read_athlete(athlete, heats, by_key);
  std::vector<recording> out;
  for (const heat& one : heats) out.push_back(record("ifsc", competition, one));
  return out;
}

// --- tables ----------------------------------------------------------------------------------------------------------

climb climb_of(const csv_table& table, const csv_table::row& of) {
  climb made;
  made.climber = table.cell(of, "participant_name");
  made.seconds = table.cell(of, "result");
  const std::string& irm = table.cell(of, "result_IRM");
  if (!irm.empty()) made.mark = irm == "Fall" || irm == "FALL" ? "FALL" : irm;
  if (const std::string& result = table.cell(of, "result_WLT"); !result.empty()) made.won = result == "W";
  return made;
}

void add_stage(std::vector<heat>& into, const csv_table& table, const std::vector<const csv_table::row*>& rows) {
  const std::string stage = table.cell(*rows[0], "stage_code"), name = table.cell(*rows[0], "stage");
  if (rows.size() == 2) {
    heat pair{stage, name, climb_of(table, *rows[0]), climb_of(table, *rows[1])};
    if (to_integer(table.cell(*rows[0], "start_order")).value_or(1) >
        to_integer(table.cell(*rows[1], "start_order")).value_or(2))
      std::swap(pair.a, pair.b);
    into.push_back(std::move(pair));
    return;
  }
  // A seeding round: its pairs are not in the table, so each climb stands alone.
  for (const auto* row : rows)
    into.push_back({stage + ':' + table.cell(*row, "participant_code"), name, climb_of(table, *row), {}});
}

std::variant<std::vector<recording>, std::string> read_table(const std::string& path) {
  auto read = csv_table::read(path);
  if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
  const csv_table& table = std::get<csv_table>(read);
  if (!table.has("stage_code") || !table.has("result_IRM")) return path + " is no table of speed climbing results.";
  std::map<std::string, std::size_t> place; // stage -> index, in the order of the table
  std::vector<std::vector<const csv_table::row*>> stages;
  for (const auto& row : table.rows()) {
    const auto found = place.emplace(table.cell(row, "stage_code"), stages.size());
    if (found.second) stages.emplace_back();
    stages[found.first->second].push_back(&row);
  }
  std::vector<heat> heats;
  for (const auto& rows : stages) add_stage(heats, table, rows);
  std::vector<recording> out;
  const std::string competition = table.rows().empty() ? "" : table.cell(table.rows()[0], "event_name");
  for (const heat& one : heats) {
    out.push_back(record("speed-table", competition, one));
    out.back().notes.push_back("Times are in the table as shown: hundredths, not rounded.");
  }
  return out;
}

} // namespace

read_result read_ifsc(const std::vector<std::string>& paths) {
  std::vector<recording> all;
  for (const std::string& path : paths) {
    const bool json = path.find(".json") != std::string::npos;
    auto read = json ? read_service(path) : read_table(path);
    if (auto* error = std::get_if<std::string>(&read)) return std::move(*error);
    for (recording& one : std::get<std::vector<recording>>(read)) all.push_back(std::move(one));
  }
  return all;
}

} // namespace omnium::corpus
