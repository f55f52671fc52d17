#include "apps/omnium/demo.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/uuid.hpp"
#include "runtime/wire/http_client.hpp"

#include <fmt/format.h>
#include <optional>
#include <vector>

namespace omnium::apps {
namespace {

struct demo_match {
  std::string sport, home, away, settings;
  std::vector<std::pair<std::string, std::string>> events; // code, input
};

// Made-up teams. One football match is under way, so that a first look shows something.
std::vector<demo_match> matches() {
  return {
      {"football",
       "Harbour Town",
       "Hill Rovers",
       "{}",
       {{"match.start", "{}"},
        {"football.period", R"({"action":"start","period":"H1"})"},
        {"football.goal", R"({"kind":"open_play","minute":11,"scorer":"Ada Okafor","side":"home"})"},
        {"football.card", R"({"card":"yellow","minute":19,"player":"Jon Berg","side":"away"})"},
        {"football.goal", R"({"kind":"penalty","minute":33,"scorer":"Mia Lund","side":"away"})"}}},
      {"cricket", "Northfield", "Southport", "{}", {}},
      {"curling", "Glen", "Lakeside", "{}", {}},
      {"tennis", "R. Amara", "L. Novak", "{}", {}},
      {"volleyball", "Port VC", "Valley VC", "{}", {}},
  };
}

class sender {
public:
  sender(const std::string& url, const std::string& token)
      : http_(url, {.trust = {.verify = false, .ca_file = {}}}) { // our own process
    if (!token.empty()) http_.always("Authorization", "Bearer " + token);
  }

  // Empty when accepted, a duplicate, or refused for a sport that is not installed here.
  void send(std::string_view workflow, std::string_view kind, const uuid& ref, std::string_view key,
            std::string_view code, std::string_view input) {
    if (!why_.empty()) return;
    auto target = fmt::format("/workflows/{}/subjects/{}/{}/commands", workflow, kind, to_string(ref));
    auto body = fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"demo"}})", key, code, input);
    auto answer = http_.request("POST", target, body);
    if (!answer) why_ = answer.error.message;
    else if (answer->status != 200) why_ = fmt::format("{} was answered {}", code, answer->body);
  }
  bool has_sport(const std::string& sport) {
    auto answer = http_.request("GET", "/sports");
    return answer && answer->body.find(fmt::format(R"("sport":"{}")", sport)) != std::string::npos;
  }
  const std::string& why() const { return why_; }

private:
  wire::http_client http_;
  std::string why_;
};

} // namespace

std::string load_demo(const std::string& url, const std::string& token) {
  sender to(url, token);
  auto competition = make_uuid5({}, "omnium demo competition");
  to.send("games", "competition", competition, "demo:competition", "games.create_competition",
          R"({"name":"Demo Cup"})");
  for (const auto& match : matches()) {
    if (!to.has_sport(match.sport)) continue;
    auto id = make_uuid5(competition, match.sport);
    auto input =
        fmt::format(R"({{"id":"{}","sport":"{}","home":{{"name":{}}},"away":{{"name":{}}},"settings":{}}})",
                    to_string(id), match.sport, json::quoted(match.home), json::quoted(match.away), match.settings);
    to.send("games", "competition", competition, "demo:" + match.sport, "games.create_fixture", input);
    for (std::size_t i = 0; i < match.events.size(); ++i)
      to.send(match.sport, "fixture", id, fmt::format("demo:{}:{}", match.sport, i), match.events[i].first,
              match.events[i].second);
  }
  return to.why();
}

} // namespace omnium::apps
