#include "sports/corpus/cricsheet.hpp"

#include "sports/corpus/file.hpp"

#include <cmath>

namespace omnium::corpus {

namespace cricsheet {

namespace {

constexpr std::string_view laws_2026_from = "2026-10-01"; // the 4th Edition of the 2017 Code comes into force

std::string release_for(const std::string& date) { return date >= laws_2026_from ? "2026.10.0" : "2017.3.0"; }

std::string settings_of(const match& m, bool one_innings) {
  json_object out;
  out.number("balls_per_over", m.balls_per_over);
  if (m.limited) out.raw("overs_limit", printed(m.limit_tenths));
  out.number("innings_per_side", one_innings ? 1 : 2);
  return out.str();
}

void add_toss(match& m) {
  const json_view toss = m.info["toss"];
  const std::string winner = m.side(toss["winner"].text()), decision = toss["decision"].text();
  if (winner.empty() || (decision != "bat" && decision != "field")) {
    m.note("The file does not tell the toss.");
    return;
  }
  m.add("cricket.toss", "toss", json_object{}.text("winner", winner).text("decision", decision));
}

} // namespace

std::optional<int> printed_tenths(json_view number) {
  const auto value = number.number();
  if (!value || *value < 0 || *value > 1000) return std::nullopt;
  return static_cast<int>(std::lround(*value * 10));
}

std::string printed(int tenths) {
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : '.' + std::to_string(tenths % 10));
}

match::match(std::string id, json_view root) : info(root["info"]), id_(std::move(id)) {
  const std::string home = info["teams"].at(0).text(), away = info["teams"].at(1).text();
  sides_ = {{home, "home"}, {away, "away"}};
  out.sport = "cricket";
  out.match_key = "cricsheet:" + id_;
  const std::string event = info["event"]["name"].text("Cricsheet matches");
  out.competition_key = "cricsheet:" + event;
  out.competition_name = event;
  out.home_name = home;
  out.away_name = away;
  out.home_key = "cricsheet:team:" + home;
  out.away_key = "cricsheet:team:" + away;
  out.participants = {{out.home_key, home, recorded_participant::kind::team},
                      {out.away_key, away, recorded_participant::kind::team}};
  const std::string date = info["dates"].at(0).text();
  if (date.size() == 10) out.starts_at = date + "T00:00:00Z";
  out.release = release_for(date);
  balls_per_over = static_cast<int>(info["balls_per_over"].integer_or(6));
  limit_tenths = static_cast<int>(info["overs"].integer_or(0)) * 10;
  limited = limit_tenths > 0;
  out.settings = settings_of(*this, limited);
}

std::string match::side(const std::string& team) const {
  const auto found = sides_.find(team);
  return found == sides_.end() ? std::string{} : found->second;
}

void match::add(std::string code, const std::string& place, const json_object& input) {
  recorded_command command;
  command.code = std::move(code);
  command.input = input.str();
  command.key = make_key("cricsheet", id_, place);
  out.commands.push_back(std::move(command));
}

} // namespace cricsheet

namespace {

std::variant<recording, std::string> read_match(const std::string& path) {
  auto file = read_json(path);
  if (auto* error = std::get_if<std::string>(&file)) return std::move(*error);
  const json_view root = std::get<json_document>(file).root();
  if (root["info"]["teams"].items().size() != 2 || !root["innings"].is_array())
    return path + " is no Cricsheet match: it has no info.teams or no innings.";
  cricsheet::match m{file_stem(path), root};
  cricsheet::add_toss(m);
  m.add("match.start", "start", json_object{});
  std::vector<cricsheet::innings_total> all;
  const auto innings = root["innings"].items();
  for (std::size_t i = 0; i < innings.size(); ++i) {
    if (m.side(innings[i]["team"].text()).empty())
      return path + ": innings " + std::to_string(i + 1) + " is of a team that does not play in this match.";
    all.push_back(read_innings(m, innings[i], i + 1 < innings.size() ? innings[i + 1] : json_view{}, i, all));
  }
  read_outcome(m, all);
  return std::move(m.out);
}

} // namespace

read_result read_cricsheet(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto one = read_match(path);
    if (auto* error = std::get_if<std::string>(&one)) return std::move(*error);
    out.push_back(std::move(std::get<recording>(one)));
  }
  return out;
}

} // namespace omnium::corpus
