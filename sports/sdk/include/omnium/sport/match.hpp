#pragma once
// The life cycle every sport shares: scheduled -> live -> ended, stopped and resumed, notes, the baseline after a total
// loss. Source: sports.md (what every sport shares), known-traps M1, M5, S13.
#include "omnium/sport/record.hpp"
#include "omnium/sport/verdict.hpp"

#include <optional>
#include <string>

namespace omnium::sdk {

enum class status : std::uint8_t { scheduled, live, ended };
OMNIUM_ENUM(status, scheduled, live, ended)

enum class end_reason : std::uint8_t { completed, abandoned, no_result, conceded, forfeited, awarded };
OMNIUM_ENUM(end_reason, completed, abandoned, no_result, conceded, forfeited, awarded)

struct match_start {
  static constexpr auto fields = sdk::fields();
};
struct match_end {
  end_reason reason{};
  std::optional<side> winner; // may differ from the higher score (awarded, forfeited)
  static constexpr auto fields =
      sdk::fields(sdk::field("reason", &match_end::reason), sdk::field("winner", &match_end::winner));
};
struct match_suspend {
  std::string reason;
  static constexpr auto fields = sdk::fields(sdk::field("reason", &match_suspend::reason));
};
struct match_resume {
  std::optional<std::string> reason;
  static constexpr auto fields = sdk::fields(sdk::field("reason", &match_resume::reason));
};
struct match_note {
  std::string text;
  static constexpr auto fields = sdk::fields(sdk::field("text", &match_note::text, sdk::length(1, 2000)));
};

// How a match stands in its life; kept by the SDK, read by the sport. In the state JSON as member "match".
struct match_life {
  sdk::status status{};
  std::optional<std::string> suspended; // the reason, while play is stopped
  std::optional<match_end> ended;
  std::optional<bool> unplayed; // true: it ended without having begun
  bool live() const { return status == sdk::status::live; }
  static constexpr auto fields =
      sdk::fields(sdk::field("status", &match_life::status), sdk::field("suspended", &match_life::suspended),
                  sdk::field("ended", &match_life::ended), sdk::field("unplayed", &match_life::unplayed));
};

verdict default_not_live(const match_life& match);

struct no_settings {
  static constexpr auto fields = sdk::fields();
};

// What a sport derives from. State and Settings are structs with `fields`; every setting has a default. For each
// command the sport has `verdict decide(const Input&, const event&) const` (may this happen now?) and `void
// evolve(const Input&, const event&)` (what it does to `state`), and `scoreboard() const`. decide sees the state and
// leaves it alone; evolve is only called with what was accepted, now or in the log.
template<class State, class Settings = no_settings>
class sport {
public:
  using state_type = State;
  using settings_type = Settings;

  State state{};
  Settings settings{};
  match_life match{};

  // Hooks: a sport that declares one of the same name has its own called instead.
  std::optional<std::string> check_settings() const { return {}; } // a sentence: these settings contradict themselves
  void on_open() {}                                                // the initial state from the settings
  verdict may_start(const event&) const { return accept(); }
  void on_start(const event&) {}
  verdict may_end(const match_end&, const event&) const { return accept(); }
  void on_end(const match_end&, const event&) {}
  verdict may_suspend(const match_suspend&, const event&) const { return accept(); }
  verdict may_resume(const match_resume&, const event&) const { return accept(); }
  // Asked for every command that needs a running match when there is none, or play is stopped.
  verdict not_live(const event&) const { return default_not_live(match); }

protected:
  // For a sport whose own rules end the match with the last point: call it in evolve.
  void end_match(end_reason reason, std::optional<side> winner) {
    match.status = sdk::status::ended;
    match.suspended.reset();
    match.ended = match_end{reason, winner};
  }
};

// The scoreboard's beginning, the same in every sport. A sport's scoreboard struct derives from it and adds its own
// members with `fields`. The SDK writes {"status",…} before and the stop or the outcome after it.
struct headline {
  std::string period; // the sport's own name for where the match stands, e.g. H2; empty before it began
  both<std::int64_t> score;
  std::string line; // one short text for a list, e.g. "2–1 (67')"; never empty: see list_line
};

// The line as every sport here tells it: "not started"; else the figures and, in brackets, where the match stands, that
// it is stopped, or how it ended where play did not decide; then who has won. "2–1 (67')", "0–0 (abandoned)",
// "1–0 (awarded), away won"; without figures where nothing was played: "abandoned".
std::string list_line(const match_life& match, std::string figures, std::string_view where,
                      std::optional<side> winner = {});

// How a match was decided, for a scoreboard: `by` is the sport's own word, or the reason that match.end gave.
struct match_result {
  std::optional<side> winner; // none: nobody won
  std::string by;
  static constexpr auto fields =
      sdk::fields(sdk::field("winner", &match_result::winner), sdk::field("by", &match_result::by));
};

// Nothing until the match is decided or over. `own` is what the sport's rules say; a winner whom match.end names goes
// before theirs.
std::optional<match_result> result_of(const match_life& match, std::optional<match_result> own);

} // namespace omnium::sdk
