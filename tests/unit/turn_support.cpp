#include "tests/unit/turn_support.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace omnium::test {
namespace {

constexpr std::size_t window_max = 100;
constexpr int rounds = 9, rounds_max = 36; // a busy machine gets more rounds before it is believed

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all) sum += one;
  return sum / static_cast<double>(all.size());
}

std::vector<double> ends(const std::vector<double>& all, std::size_t window, bool last) {
  const auto size = static_cast<std::ptrdiff_t>(window);
  return last ? std::vector<double>(all.end() - size, all.end()) : std::vector<double>(all.begin(), all.begin() + size);
}

struct round {
  std::vector<double> us, bytes;
};

round play(const turn_plugin& plugin, const std::string& settings, const std::vector<played_event>& match,
           const std::string& only, match_cost& cost) {
  round out;
  std::string state, board;
  std::int64_t seq = 0;
  for (const auto& one : match) {
    const auto began = std::chrono::steady_clock::now();
    plugin.turn(state, board, one, settings, ++seq);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
    cost.state_max = std::max(cost.state_max, state.size());
    cost.board_max = std::max(cost.board_max, board.size());
    if (!only.empty() && one.code != only) continue;
    out.us.push_back(took.count());
    out.bytes.push_back(static_cast<double>(one.input.size() + board.size()));
  }
  return out;
}

} // namespace

turn_plugin::turn_plugin(const std::string& package) : loaded_(sdk::loaded_plugin::load(package + "/plugin.so")) {
  INFO(package);
  REQUIRE(loaded_.api() != nullptr);
}

void turn_plugin::turn(std::string& state, std::string& board, const played_event& what, const std::string& settings,
                       std::int64_t seq) const {
  std::string said;
  auto host = sdk::host_writing_to(said);
  const auto& api = *loaded_.api();
  void* session = api.open(&host, sdk::bytes_of(settings), sdk::bytes_of(state));
  INFO(said);
  REQUIRE(session != nullptr);
  omnium_sport_event e{};
  e.struct_size = sizeof e;
  e.seq = seq;
  e.code = sdk::bytes_of(what.code);
  e.input = sdk::bytes_of(what.input);
  e.at = sdk::bytes_of("2026-01-01T12:00:00.000Z");
  const int is = api.play(session, &host, &e, OMNIUM_SPORT_DECIDE | OMNIUM_SPORT_EVOLVE);
  INFO(said << what.code << what.input);
  REQUIRE(is == OMNIUM_SPORT_ACCEPTED);
  state.clear();
  board.clear();
  auto to_state = sdk::host_writing_to(state), to_board = sdk::host_writing_to(board);
  api.state(session, &to_state);
  api.scoreboard(session, &to_board);
  api.close(session);
}

std::string turn_plugin::fault_of(const std::string& state) const {
  std::string said;
  auto host = sdk::host_writing_to(said);
  void* session = loaded_.api()->open(&host, sdk::bytes_of("{}"), sdk::bytes_of(state));
  if (session == nullptr) return said;
  loaded_.api()->close(session);
  return {};
}

match_cost cost_of(const std::string& package, const std::string& settings, const std::vector<played_event>& match,
                   const std::string& only) {
  const turn_plugin plugin(package);
  match_cost out;
  out.first_us = out.last_us = 1e9;
  for (int i = 0; i < rounds || (i < rounds_max && out.last_us > 1.2 * out.first_us && out.last_us > 50); ++i) {
    const auto one = play(plugin, settings, match, only, out);
    out.events = one.us.size();
    out.window = std::min(window_max, out.events / 3);
    REQUIRE(out.window > 0);
    out.first_us = std::min(out.first_us, median(ends(one.us, out.window, false)));
    out.last_us = std::min(out.last_us, median(ends(one.us, out.window, true)));
    out.first_bytes = mean(ends(one.bytes, out.window, false));
    out.last_bytes = mean(ends(one.bytes, out.window, true));
  }
  return out;
}

void report_cost(const std::string& what, const match_cost& cost) {
  std::printf("cost of %s: %zu events; first %zu %.1f us and %.0f bytes an event, last %.1f us (x %.2f) and %.0f bytes "
              "(x %.2f); state at most %zu bytes, scoreboard %zu\n",
              what.c_str(), cost.events, cost.window, cost.first_us, cost.first_bytes, cost.last_us,
              cost.last_us / cost.first_us, cost.last_bytes, cost.last_bytes / cost.first_bytes, cost.state_max,
              cost.board_max);
  std::fflush(stdout);
}

} // namespace omnium::test
