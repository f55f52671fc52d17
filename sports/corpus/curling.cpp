// Format `curling`: the JSON form {"format","teams":{"home","away"},"ends":[[home,away]|null,…],"hammer_first",
// "conceded"?,"winner"?}; null is an end that was not played.
#include "sports/corpus/curling_game.hpp"
#include "sports/corpus/file.hpp"

#include <simdjson.h>

namespace omnium::corpus {

namespace {

namespace dom = simdjson::dom;
using curling::end;
using curling::game;
using curling::side;

std::optional<side> side_of(const dom::object& object, const char* member) {
  std::string_view text;
  if (object[member].get(text) != simdjson::SUCCESS) return std::nullopt;
  if (text == "home") return side::home;
  if (text == "away") return side::away;
  return std::nullopt;
}

// nullopt: neither null nor a pair of points.
std::optional<end> end_of(const dom::element& element) {
  end one;
  if (element.is_null()) return one;
  dom::array pair;
  if (element.get(pair) != simdjson::SUCCESS || pair.size() != 2) return std::nullopt;
  std::array<int, 2> score{};
  for (std::size_t i = 0; i < 2; ++i) {
    std::int64_t points = 0;
    if (pair.at(i).get(points) != simdjson::SUCCESS || points < 0 || points > 99) return std::nullopt;
    score[i] = static_cast<int>(points);
  }
  one.score = score;
  return one;
}

std::optional<std::string> fill(game& what, const dom::object& object) {
  std::string_view format;
  if (object["format"].get(format) == simdjson::SUCCESS) what.format = std::string{format};
  if (what.format != "team" && what.format != "mixed_doubles" && what.format != "wheelchair")
    return "its \"format\" is none of team, mixed_doubles, wheelchair";
  dom::array ends;
  if (object["ends"].get(ends) != simdjson::SUCCESS) return "it has no array \"ends\"";
  for (const dom::element element : ends) {
    auto one = end_of(element);
    if (!one) return "end " + std::to_string(what.ends.size() + 1) + " is neither null nor [home, away]";
    what.ends.push_back(std::move(*one));
  }
  what.scheduled_ends = curling::scheduled(what.format, what.ends);
  what.hammer_first = side_of(object, "hammer_first");
  what.conceded = side_of(object, "conceded");
  what.winner = side_of(object, "winner");
  return std::nullopt;
}

std::string team(const dom::object& object, const char* which) {
  std::string_view name;
  return object["teams"][which].get(name) == simdjson::SUCCESS ? std::string{name} : std::string{which};
}

std::variant<recording, std::string> read_game(const std::string& path) {
  auto text = read_file(path);
  if (const auto* error = std::get_if<file_error>(&text)) return error->message;
  dom::parser parser;
  dom::object object;
  if (parser.parse(std::get<std::string>(text)).get(object) != simdjson::SUCCESS) return path + " is no JSON object.";
  game what;
  if (const auto wrong = fill(what, object)) return path + ": " + *wrong + '.';
  // The form has no id, event or date: a game is known by its sides and by all that the file says of it, however the
  // file is called and its text is spaced.
  const auto home = team(object, "home"), away = team(object, "away");
  recorder into{"curling", home + '-' + away + '-' + content_name(simdjson::minify(object))};
  into.competition("files", "Curling");
  into.sides(home, away, recorded_participant::kind::team);
  curling::record(into, what);
  return std::move(into.out);
}

} // namespace

read_result read_curling(const std::vector<std::string>& paths) {
  std::vector<recording> all;
  for (const std::string& path : paths) {
    auto one = read_game(path);
    if (auto* error = std::get_if<std::string>(&one)) return std::move(*error);
    all.push_back(std::move(std::get<recording>(one)));
  }
  return all;
}

} // namespace omnium::corpus
