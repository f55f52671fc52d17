#include "omnium/sport_golden.hpp"

#include <simdjson.h>
#include <stdexcept>

namespace omnium::sdk::test {
namespace {

namespace dom = simdjson::dom;

std::string quoted(const std::string& plain) {
  std::string out = "\"";
  for (const char c : plain) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// The same JSON whatever its spaces and however its numbers were written.
std::string normal(const std::string& json) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(json).get(root)) throw std::runtime_error("no JSON: " + json);
  return simdjson::minify(root);
}

std::string text_of(const dom::object& from, std::string_view member) {
  std::string_view text;
  return from[member].get(text) ? std::string() : std::string(text);
}

std::string json_of(const dom::object& from, std::string_view member) {
  dom::element found;
  return from[member].get(found) ? std::string() : simdjson::minify(found);
}

std::string play_fault(match& m, const dom::element& item, std::size_t number) {
  dom::object play;
  if (item.get(play)) return "play " + std::to_string(number) + " is no object";
  const auto code = text_of(play, "code"), input = json_of(play, "input"), wanted = json_of(play, "scoreboard");
  const auto where = "play " + std::to_string(number) + " (" + code + ") ";
  if (code.empty() || input.empty() || wanted.empty()) return where + "lacks code, input or scoreboard";
  const auto verdict = m.play(code, input, text_of(play, "at"));
  if (!verdict.accepted) return where + "is refused: " + verdict.code + ", " + verdict.message;
  const auto shown = normal(m.scoreboard());
  return shown == wanted ? std::string() : where + "shows " + shown + " instead of " + wanted;
}

} // namespace

std::string golden_of(const std::string& package, const std::string& release, const std::string& settings,
                      const std::vector<logged>& log) {
  match m(package, settings);
  std::string out =
      "{\"release\":" + quoted(release) + ",\"settings\":" + (settings.empty() ? "{}" : settings) + ",\"plays\":[\n";
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto verdict = m.play(log[i].code, log[i].input, log[i].at);
    if (!verdict.accepted) throw std::runtime_error(log[i].code + " is refused: " + verdict.message);
    out += "{\"code\":" + quoted(log[i].code) + ",\"input\":" + log[i].input + ",\"at\":" + quoted(log[i].at) +
           ",\"scoreboard\":" + m.scoreboard() + (i + 1 < log.size() ? "},\n" : "}\n");
  }
  return out + "]}\n";
}

std::string golden_fault(const std::string& package, const std::string& golden) {
  dom::parser parser;
  dom::object root;
  dom::array plays;
  if (parser.parse(golden).get(root)) return "the golden is no JSON object";
  if (root["plays"].get(plays) || plays.size() == 0) return "the golden has no plays";
  match m(package, json_of(root, "settings"));
  std::size_t number = 0;
  for (const auto item : plays)
    if (auto fault = play_fault(m, item, ++number); !fault.empty()) return fault;
  return m.check();
}

} // namespace omnium::sdk::test
