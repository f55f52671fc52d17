// The over and its bowler. Law 17; suspensions by Law 41.
#include "sports/cricket/cards.hpp"
#include "sports/cricket/game.hpp"

#include <algorithm>
#include <cctype>

namespace omnium::cricket {

namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool relieves_bowler(const ball& in) {
  if (!in.replacements) return false;
  const auto& all = in.replacements->role;
  return std::any_of(all.begin(), all.end(), [](const role_swap& swap) { return swap.role == player_role::bowler; });
}

verdict consecutive(const std::string& bowler, std::string clause) {
  return sdk::refuse("consecutive_overs",
                     bowler + " may not bowl two overs, or parts of two overs, one after the other.")
      .law(std::move(clause))
      .at("bowler");
}

// Reasons are free text ("deliberate_no_ball", "excluded - high full pitched balls"): words decide.
enum class suspension : std::uint8_t { none, innings, deliberate };
suspension suspension_for(std::string_view reason) {
  std::string plain;
  for (const char c : reason)
    plain += c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto says = [&](std::string_view word) { return plain.find(word) != std::string::npos; };
  if (says("deliberate")) return suspension::deliberate;
  for (const auto* word :
       {"excluded", "suspended", "dangerous", "unfair", "protected area", "time wasting", "too many overs"})
    if (says(word)) return suspension::innings;
  return suspension::none;
}

} // namespace

void game::close_over(innings& now) {
  auto& over = now.over;
  ++now.overs;
  over.open = false;
  over.maiden = over.bowlers.size() == 1 && over.conceded == 0 && over.deliveries > 0;
  if (over.maiden && now.bowler) ++now.bowler->maidens;
}

// The umpire let the same bowler go on after the over was full: the ball belongs to that over (Law 17.5, miscounting).
bool game::joins_last_over(const innings& now, const std::string& bowler, const event& e) const {
  const auto& over = now.over;
  return e.umpired() && !over.open && !over.confirmed && !over.bowlers.empty() && over.bowlers.back() == bowler;
}

std::int64_t game::in_a_row_max(const innings& now) const {
  return settings.overs_in_a_row.value_or(now.balls_per_over == 5 ? 2 : 1);
}

void game::begin_or_go_on(innings& now, const std::string& bowler, const event& e) {
  if (joins_last_over(now, bowler, e)) {
    --now.overs;
    now.over.open = true;
    if (now.over.maiden && now.bowler) --now.bowler->maidens;
    now.over.maiden = false;
  } else if (!now.over.open) {
    over_state next;
    const auto& last = now.over.bowlers;
    if (last.size() == 1 && last.front() == bowler) next.in_a_row = now.over.in_a_row + 1;
    next.before = std::move(now.over.bowlers);
    next.open = true;
    now.over = std::move(next);
  }
  if (now.over.bowlers.empty() || now.over.bowlers.back() != bowler) now.over.bowlers.push_back(bowler);
  now.over.relieved = now.over.broken = false;
  if (now.bowler && now.bowler->bowler == bowler) return;
  if (now.bowler) put_card(state.bowling, *now.bowler);
  now.bowler = take_card<bowling_card>(state.bowling, bowler);
  if (!now.bowler) now.bowler = bowling_card{.bowler = bowler, .number = ++now.used_bowlers};
}

verdict game::may_bowl(const ball& in, const event& e) const {
  const auto& now = *state.now;
  const auto& bowlers = now.over.bowlers;
  if (!in.bowler && (!now.over.open || bowlers.empty()))
    return sdk::refuse("next_bowler", "An over begins: say who bowls it.").law("Law 17.6").at("bowler");
  const auto& bowler = in.bowler ? *in.bowler : bowlers.back();
  if (now.used_bowlers >= cards_max)
    return sdk::refuse("too_many_players", "This innings has as many bowlers as can be recorded.");
  if (e.umpired()) return sdk::accept();
  if (auto no = may_bowl_at_all(now, bowler, in, e); !no) return no.at("bowler");
  return now.over.open ? may_finish_over(now, bowler, in, e) : may_begin_over(now, bowler, e);
}

verdict game::may_bowl_at_all(const innings& now, const std::string& bowler, const ball& in, const event&) const {
  if (bowler == in.batter || bowler == in.non_striker)
    return sdk::refuse("bowler_is_batting", bowler + " is batting and cannot bowl.");
  if (holds(state.replaced, bowler))
    return sdk::refuse("player_replaced", bowler + " was replaced and takes no further part in the match.")
        .law("Law 1.2");
  if (holds(state.barred, bowler))
    return sdk::refuse("bowler_suspended", bowler + " may not bowl again in this match.").law("Law 41.8");
  if (holds(now.suspended, bowler))
    return sdk::refuse("bowler_suspended", bowler + " may not bowl again in this innings.").law("Law 41");
  return sdk::accept();
}

verdict game::may_finish_over(const innings& now, const std::string& bowler, const ball& in, const event&) const {
  const auto& over = now.over;
  if (over.bowlers.empty() || bowler == over.bowlers.back()) return sdk::accept();
  if (!over.relieved && !relieves_bowler(in))
    return sdk::refuse("mid_over_no_reason",
                       over.bowlers.back() + " must finish the over unless incapacitated or suspended; say which.")
        .law("Law 17.7.1")
        .at("bowler");
  if (holds(over.before, bowler) && in_a_row_max(now) == 1) return consecutive(bowler, "Law 17.8");
  return sdk::accept();
}

verdict game::may_begin_over(const innings& now, const std::string& bowler, const event&) const {
  const auto& over = now.over;
  const bool again = holds(over.bowlers, bowler);
  const bool allowed = over.bowlers.size() == 1 && over.in_a_row < in_a_row_max(now);
  if (again && !allowed) return consecutive(bowler, over.bowlers.size() > 1 ? "Law 17.8" : "Law 17.6");
  if (settings.overs_per_bowler && balls_of(now, bowler) >= *settings.overs_per_bowler * now.balls_per_over)
    return sdk::refuse("bowler_overs_used", bowler + " has bowled all overs that one bowler may bowl in an innings.")
        .at("bowler");
  return sdk::accept();
}

std::int64_t game::balls_of(const innings& now, const std::string& bowler) const {
  if (now.bowler && now.bowler->bowler == bowler) return now.bowler->balls;
  const auto card = find_card<bowling_card>(state.bowling, bowler);
  return card ? card->balls : 0;
}

void game::suspend(innings* now, const std::string& bowler, std::string_view reason) {
  const auto how = suspension_for(reason);
  if (how == suspension::none) return;
  if (how == suspension::deliberate && laws_->deliberate_offence_bars_match) state.barred.push_back(bowler);
  else if (now != nullptr) now->suspended.push_back(bowler);
}

verdict game::decide(const over_end&, const event&) const {
  if (!state.now) return sdk::refuse("no_innings", "No innings is in progress.");
  const auto& now = *state.now;
  if (now.ended) return sdk::refuse("innings_closed", "This innings is closed.").law("Law 13.3");
  if (now.over.open && !in_play())
    return sdk::refuse("innings_closed", "The innings ended in this over.").law("Law 13.3");
  if (now.over.open) return sdk::accept();
  if (!now.over.bowlers.empty() && !now.over.confirmed)
    return sdk::accept(); // it closed by itself; now nothing joins it
  return sdk::refuse("no_over", "No over is in progress.").law("Law 17.4");
}

void game::evolve(const over_end&, const event&) {
  if (!state.now) return;
  auto& now = *state.now;
  if (now.over.open) close_over(now);
  now.over.confirmed = true;
  settle();
}

} // namespace omnium::cricket
