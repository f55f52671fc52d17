#include "bench/matches.hpp"

#include "bench/answers.hpp"
#include "bench/plays.hpp"
#include "runtime/core/uuid.hpp"

#include <fmt/format.h>

namespace omnium::bench {
namespace {

struct maker {
  wire::http_client& http;
  made_matches out;

  // Sends one command; false (and a sentence) unless it was accepted.
  bool send(const std::string& workflow, const std::string& kind, const std::string& ref, const play& what,
            std::int64_t* version = nullptr) {
    auto key = to_string(make_uuid7());
    auto body = fmt::format(R"({{"key":"{}","code":"{}","input":{},"sender":"bench"}})", key, what.code, what.input);
    auto got = http.request("POST", fmt::format("/workflows/{}/subjects/{}/{}/commands", workflow, kind, ref), body);
    if (!got) out.error = got.error.message;
    else if (got->status != 200) out.error = fmt::format("{} was answered {}: {}", what.code, got->status, got->body);
    if (!out.error.empty()) return false;
    auto answer = read_answer(got->body).first;
    if (version == nullptr) return true;
    *version = answer.seq;
    out.sent.push_back({key, ref, {std::move(answer)}});
    return true;
  }
  bool make(const std::string& competition, const std::string& sport) {
    auto id = to_string(make_uuid7());
    auto input =
        fmt::format(R"({{"id":"{}","sport":"{}","home":{{"name":"Home"}},"away":{{"name":"Away"}},"settings":{}}})", id,
                    sport, settings_of(sport));
    if (!send("games", "competition", competition, {"games.create_fixture", input})) return false;
    std::int64_t version = 0;
    for (const auto& step : opening_of(sport))
      if (!send(sport, "fixture", id, step, &version)) return false;
    out.fixtures.push_back(id);
    out.sports.push_back(sport);
    out.versions.push_back(version);
    return true;
  }
};

} // namespace

made_matches make_matches(wire::http_client& http, const scenario& what) {
  maker m{http, {}};
  auto competition = to_string(make_uuid7());
  bool good = m.send("games", "competition", competition,
                     {"games.create_competition", fmt::format(R"({{"name":"Bench {}"}})", competition.substr(0, 8))});
  for (std::size_t i = 0; good && i < what.matches; ++i)
    good = m.make(competition, what.sports[i % what.sports.size()]);
  return std::move(m.out);
}

} // namespace omnium::bench
