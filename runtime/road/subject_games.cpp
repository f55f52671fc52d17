// The runtime's own commands (games.*, results.*, ops.*) on their way from the rules of games.hpp to COMMIT.
#include "runtime/core/json.hpp"
#include "runtime/road/games.hpp"
#include "runtime/road/input_reader.hpp"
#include "runtime/road/subject_parts.hpp"

#include <utility>

namespace omnium::road {

void subject::decide_games(waiting& w) {
  const auto& cmd = w.what->cmd();
  const auto seq = head_->last_seq + 1;
  auto change = road::decide_games(cmd, *head_, seq, ports_.rules());
  auto* made = std::get_if<games_change>(&change);
  if (made != nullptr && made->opens) ask_opening(std::move(*made));
  else finish_games(std::move(change));
}

// A match whose settings its sport cannot read could never be scored: the sport is asked before there is one.
void subject::ask_opening(games_change made) {
  auto request = std::make_shared<run_request>();
  request->mode = run_mode::replay;
  request->settings = made.opens->settings;
  const auto opens = *made.opens;
  correction_ = std::make_shared<correction_run>();
  correction_->at = correction_run::pass::opening;
  correction_->made = std::move(made);
  ports_.run(open_op(phase::correcting), opens.sport, opens.release, std::move(request));
}

namespace {

// `at`: "/settings/ends"; `sentence`: "ends must be …."
reason settings_reason(const std::string& at, const std::string& sentence) {
  const auto name = at.substr(at.rfind('/') + 1);
  const bool begins_with_it = sentence.starts_with(name + ' ');
  return {"bad_input", begins_with_it ? fmt::format("\"{}\"{}", name, sentence.substr(name.size())) : sentence,
          "/input" + at};
}

} // namespace

void subject::finish_opening(run_reply what) {
  const auto run = std::exchange(correction_, {});
  if (what.what == run_reply::kind::ok) {
    auto& data = run->made->effect.data; // an object: how the match looks before its first command goes with it
    data.insert(data.size() - 1, R"(,"scoreboard":)" + json::quoted(what.scoreboard));
    return finish_games(std::move(*run->made));
  }
  if (what.what != run_reply::kind::cannot_fold) {
    what.index = 0; // the one command
    return on_decided(std::move(what));
  }
  // "/settings/ends: must be …": where, and what; or a sentence about all of them.
  auto colon = what.open_error.find(": ");
  reason why{"bad_input", what.open_error, "/input/settings"};
  if (what.open_error.starts_with("/settings") && colon != std::string::npos)
    why = settings_reason(what.open_error.substr(0, colon), what.open_error.substr(colon + 2));
  why.release = run->made->opens->sport + "@" + run->made->opens->release;
  finish_games(std::move(why));
}

void subject::finish_games(std::variant<games_change, reason> change) {
  auto& w = batch_.front();
  const auto& cmd = w.what->cmd();
  auto seq = head_->last_seq + 1;
  auto* why = std::get_if<reason>(&change);
  if (why != nullptr && w.what->preview()) return preview_effect(*why);
  if (why != nullptr) refuse_entry(w, *why);
  else {
    w.effect = std::get<games_change>(change).effect;
    w.scoreboard = head_->scoreboard;
    accept_entry(w, row_of(cmd, seq, false));
  }
  batch_state_ = head_->state;
  batch_scoreboard_ = head_->scoreboard;
  commit_batch(); // of a preview: tried out
}

// Whether an effect can be had is the database's to say: ids that exist, participants that do not.
void subject::preview_effect(std::optional<reason> why) {
  auto& w = batch_.front();
  if (why) fill_release(*why);
  const auto would = why ? outcome::refused : outcome::accepted;
  w.ready = make_preview(would, std::move(why), {}, head_->scoreboard, head_->scoreboard, {});
  put_back(false);
}

} // namespace omnium::road
