#include "sports/corpus/cricsheet.hpp"

#include <algorithm>

namespace omnium::corpus::cricsheet {

namespace {

bool is_retirement(const std::string& kind) { return kind.rfind("retired", 0) == 0; }

const char* retire_kind(const std::string& kind) {
  return kind == "retired out" ? "out" : kind == "retired not out" ? "not_out" : "hurt";
}

// Law 22.9 and 21.18: what a file may show all the same, when the umpires erred.
bool fits(const std::string& kind, bool wide, bool no_ball) {
  if (is_retirement(kind) || kind == "timed out" || kind == "run out" || kind == "obstructing the field") return true;
  if (wide) return kind == "stumped" || kind == "hit wicket";
  if (no_ball) return kind == "hit the ball twice" || kind == "handled the ball";
  return true;
}

class innings_reader {
public:
  innings_reader(match& m, json_view innings, json_view next, std::size_t index,
                 const std::vector<innings_total>& before)
      : m_(m), innings_(innings), next_(next), before_(before), place_(std::to_string(index + 1)) {
    total_.side = m.side(innings["team"].text());
    total_.super = innings["super_over"].flag();
    if (const auto runs = innings["target"]["runs"].integer()) total_.target = static_cast<int>(*runs);
    limit_ = total_.super ? 10 : m.limit_tenths;
  }

  innings_total read();

private:
  void start();
  void penalty(const char* when);
  void read_over(json_view over, bool last);
  void powerplays(int over, std::size_t delivery);
  void replacements(json_view delivery);
  void deliver(json_view delivery, const std::string& place);
  json_object ball_input(json_view delivery, const std::string& umpire);
  std::string departure(json_view delivery);
  std::string bowler_departure(json_view delivery, const std::string& bowler) const;
  void take_wickets(json_view delivery, const std::string& place);
  void check_runs(json_view delivery, const std::string& place);
  void close_over(json_view over, bool last);
  void late_target(bool at_start);
  bool target_is_late() const;
  int bowled_tenths() const { return total_.overs * 10 + total_.over_balls; }
  std::string miscount(json_view over) const;
  std::string end_reason();
  void end();
  int chase_target() const;

  match& m_;
  json_view innings_, next_;
  const std::vector<innings_total>& before_;
  std::string place_;
  innings_total total_;
  crease crease_;
  int limit_ = 0; // printed tenths, 0: none
  // the over being read
  int over_number_ = 0, legal_ = 0;
  std::vector<std::string> bowlers_, bowlers_before_;
  std::string relieved_; // who may take over the bowling in this over
  std::string miscounted_by_;
  bool called_ = false; // the end of the over before was told by a command
};

void innings_reader::start() {
  json_object in;
  in.text("action", "start").text("batting", total_.side).text("kind", total_.super ? "super_over" : "normal");
  if (total_.super) in.number("overs_limit", 1);
  else if (m_.limited) in.raw("overs_limit", printed(m_.limit_tenths));
  if (m_.balls_per_over != 6) in.number("balls_per_over", m_.balls_per_over);
  m_.add("cricket.innings", place_ + ":start", in);
}

// Penalty runs that belong to no delivery of this innings.
void innings_reader::penalty(const char* when) {
  const auto runs = innings_["penalty_runs"][when].integer();
  if (!runs || *runs <= 0) return;
  total_.runs += static_cast<int>(*runs);
  m_.add("cricket.penalty_runs", place_ + ":penalty:" + when,
         json_object{}.text("to", total_.side).number("runs", *runs).text("when", when));
}

// The file has only the last target. Where play ended exactly with its overs, rain set it then; else it held from the
// start.
bool innings_reader::target_is_late() const {
  const auto overs = printed_tenths(innings_["target"]["overs"]);
  if (!overs || total_.super || *overs >= m_.limit_tenths) return false;
  int balls = 0;
  for (const json_view& over : innings_["overs"].items())
    for (const json_view& one : over["deliveries"].items())
      if (!one["extras"]["wides"] && !one["extras"]["noballs"]) ++balls;
  return *overs / 10 * m_.balls_per_over + *overs % 10 == balls;
}

void innings_reader::late_target(bool at_start) {
  const json_view target = innings_["target"];
  if (!target || !target["runs"].integer() || target_is_late() == at_start) return;
  json_object in;
  in.number("runs", *target["runs"].integer());
  if (const auto overs = printed_tenths(target["overs"])) {
    in.raw("overs", printed(*overs));
    limit_ = *overs;
  }
  // The file's method is the outcome's: not every one of them sets targets.
  if (const auto method = m_.info["outcome"]["method"].text(); method == "D/L" || method == "VJD")
    in.text("method", method);
  m_.add("cricket.target", place_ + ":target", in);
}

void innings_reader::powerplays(int over, std::size_t delivery) {
  for (const json_view& one : innings_["powerplays"].items()) {
    const auto from = printed_tenths(one["from"]), to = printed_tenths(one["to"]);
    if (!from || *from != over * 10 + static_cast<int>(delivery)) continue;
    json_object in;
    in.text_if("type", one["type"].text()).raw("from", printed(*from));
    if (to) in.raw("to", printed(*to));
    m_.add("cricket.powerplay", place_ + ":powerplay:" + printed(*from), in);
  }
}

void innings_reader::replacements(json_view delivery) {
  const std::string place = place_ + '.' + std::to_string(over_number_);
  const json_view all = delivery["replacements"];
  for (const json_view& one : all["match"].items()) {
    const std::string side = m_.side(one["team"].text());
    json_object in;
    in.text("side", side.empty() ? total_.side : side).text("out", one["out"].text()).text("in", one["in"].text());
    m_.add("cricket.replacement", place + ":in:" + one["in"].text(), in.text("reason", one["reason"].text("unknown")));
  }
  for (const json_view& one : all["role"].items()) {
    const bool bowls = one["role"].text() == "bowler";
    const std::string out = one["out"].text(bowls && !bowlers_.empty() ? bowlers_.back() : "");
    if (out.empty()) {
      m_.note("Over " + std::to_string(over_number_ + 1) + ": the file does not say whom " + one["in"].text() +
              " replaced.");
      continue;
    }
    const std::string other = total_.side == "home" ? "away" : "home";
    json_object in;
    in.text("side", bowls ? other : total_.side).text("out", out).text("in", one["in"].text());
    in.text("reason", one["reason"].text("unknown")).text("role", bowls ? "bowler" : "batter");
    m_.add("cricket.replacement", place + ":role:" + one["in"].text(), in);
    if (bowls) relieved_ = one["in"].text();
    else crease_.retire(out, true);
  }
}

std::string innings_reader::bowler_departure(json_view, const std::string& bowler) const {
  if (legal_ >= m_.balls_per_over) return miscounted_by_;
  if (!bowlers_.empty() && bowlers_.back() != bowler && relieved_ != bowler)
    return "The bowler changed during the over; the file does not say why.";
  const bool first = bowlers_.empty() || bowlers_.back() != bowler;
  const bool before = std::find(bowlers_before_.begin(), bowlers_before_.end(), bowler) != bowlers_before_.end();
  // Sets of five: one bowler may bowl two in a row.
  if (first && before && m_.balls_per_over != 5) return bowler + " bowled in the over before too.";
  return {};
}

// Why the umpires must have let this delivery stand; empty: nothing unusual.
std::string innings_reader::departure(json_view delivery) {
  const std::string bowler = delivery["bowler"].text();
  if (auto why = bowler_departure(delivery, bowler); !why.empty()) return why;
  if (auto why = crease_.departure(delivery["batter"].text(), delivery["non_striker"].text()); !why.empty()) return why;
  const json_view extras = delivery["extras"];
  const bool wide = static_cast<bool>(extras["wides"]), no_ball = static_cast<bool>(extras["noballs"]);
  if (wide && (no_ball || delivery["runs"]["batter"].integer_or(0) > 0)) return "The file has a wide with other runs.";
  for (const json_view& one : delivery["wickets"].items())
    if (!fits(one["kind"].text(), wide, no_ball))
      return "Given out " + one["kind"].text() + (wide ? " from a wide." : " from a no-ball.");
  return {};
}

json_object wicket_json(json_view one) {
  json_object out;
  out.text("kind", one["kind"].text()).text("player_out", one["player_out"].text());
  json_array fielders;
  for (const json_view& who : one["fielders"].items()) {
    const std::string name = who["name"].text();
    if (who["substitute"].flag() || name.empty())
      fielders.raw(json_object{}.text_if("name", name).flag("substitute", true).str());
    else fielders.text(name);
  }
  if (fielders.str() != "[]") out.raw("fielders", fielders.str());
  return out;
}

std::string runs_json(json_view delivery) {
  json_object out, extras;
  const auto batter = delivery["runs"]["batter"].integer_or(0);
  out.number("batter", batter);
  bool any = false;
  for (const auto& [name, value] : delivery["extras"].members())
    if (const auto runs = value.integer()) extras.number(name, *runs), any = true;
  if (any) out.raw("extras", extras.str());
  const bool run = delivery["runs"]["non_boundary"].flag();
  if (batter == 4 || batter == 6) out.flag("boundary", !run);
  return out.str();
}

std::string review_json(const match& m, json_view review) {
  json_object out;
  const std::string by = review["by"].text(), side = m.side(by);
  out.text_if("by", side.empty() ? by : side);
  for (const char* member : {"umpire", "batter", "decision", "type"}) out.text_if(member, review[member].text());
  if (review["umpires_call"].flag()) out.flag("umpires_call", true);
  return out.str();
}

json_object innings_reader::ball_input(json_view delivery, const std::string& umpire) {
  json_object in;
  for (const char* member : {"batter", "non_striker", "bowler"}) in.text(member, delivery[member].text());
  in.raw("runs", runs_json(delivery));
  json_array wickets;
  for (const json_view& one : delivery["wickets"].items())
    if (!is_retirement(one["kind"].text())) wickets.raw(wicket_json(one).str());
  if (wickets.str() != "[]") in.raw("wickets", wickets.str());
  if (delivery["review"].is_object()) in.raw("review", review_json(m_, delivery["review"]));
  return in.text_if("umpire", umpire);
}

// Retirements are commands of their own, after the delivery that the file puts them on: they are no part of it.
void innings_reader::take_wickets(json_view delivery, const std::string& place) {
  for (const json_view& one : delivery["wickets"].items()) {
    const std::string kind = one["kind"].text(), player = one["player_out"].text();
    const bool counts = kind != "retired hurt" && kind != "retired not out";
    if (counts) ++total_.wickets, crease_.out(player);
    else crease_.retire(player, kind == "retired hurt");
    if (is_retirement(kind))
      m_.add("cricket.retire", place + ":retire:" + player,
             json_object{}.text("batter", player).text("kind", retire_kind(kind)));
  }
}

void innings_reader::check_runs(json_view delivery, const std::string& place) {
  std::int64_t extras = 0;
  for (const auto& [name, value] : delivery["extras"].members()) extras += value.integer_or(0);
  const json_view runs = delivery["runs"];
  const auto sum = runs["batter"].integer_or(0) + extras;
  if (sum != runs["total"].integer_or(sum))
    m_.note("Delivery " + place + ": batter and extras make " + std::to_string(sum) + ", the file's total is " +
            runs["total"].text() + "; the parts are used.");
  total_.runs += static_cast<int>(sum);
}

void innings_reader::deliver(json_view delivery, const std::string& place) {
  const std::string umpire = departure(delivery);
  // What the umpires let stand in a new over must not read as one more ball of the over before.
  const bool new_over = bowlers_.empty() && !bowlers_before_.empty();
  if (new_over && !umpire.empty() && bowlers_before_.back() == delivery["bowler"].text() && !called_)
    m_.add("cricket.over_end", place + ":called", json_object{}.text("by", "umpire"));
  m_.add("cricket.ball", place, ball_input(delivery, umpire));
  crease_.bat(delivery["batter"].text(), delivery["non_striker"].text());
  const std::string bowler = delivery["bowler"].text();
  if (bowlers_.empty() || bowlers_.back() != bowler) bowlers_.push_back(bowler);
  if (!delivery["extras"]["wides"] && !delivery["extras"]["noballs"]) ++legal_, ++total_.legal;
  total_.over_balls = legal_;
  check_runs(delivery, place);
  take_wickets(delivery, place);
}

std::string innings_reader::miscount(json_view over) const {
  const json_view known = innings_["miscounted_overs"][over["over"].text()];
  std::string out = "The over was miscounted";
  if (known["umpire"]) out += " by " + known["umpire"].text();
  return out + (known ? "." : "; the file does not list it.");
}

void innings_reader::close_over(json_view over, bool last) {
  const bool full = legal_ >= m_.balls_per_over;
  called_ = false;
  // A miscounted over is closed by the umpire's call; the last over of an innings may simply be unfinished.
  if (legal_ != m_.balls_per_over && !(last && !full)) {
    if (!innings_["miscounted_overs"][over["over"].text()])
      m_.note("Over " + std::to_string(over_number_ + 1) + " has " + std::to_string(legal_) +
              " balls; the file does not list it as miscounted.");
    called_ = !last;
    if (called_)
      m_.add("cricket.over_end", place_ + '.' + over["over"].text() + ":end", json_object{}.text("by", "umpire"));
  }
  if (full || !last) ++total_.overs, total_.over_balls = 0;
}

void innings_reader::read_over(json_view over, bool last) {
  over_number_ = static_cast<int>(over["over"].integer_or(over_number_));
  miscounted_by_ = miscount(over);
  legal_ = 0;
  bowlers_before_ = std::move(bowlers_);
  bowlers_.clear();
  relieved_.clear();
  const auto deliveries = over["deliveries"].items();
  for (std::size_t i = 0; i < deliveries.size(); ++i) {
    powerplays(over_number_, i + 1);
    replacements(deliveries[i]);
    deliver(deliveries[i], place_ + '.' + std::to_string(over_number_) + '.' + std::to_string(i + 1));
  }
  close_over(over, last);
}

int innings_reader::chase_target() const {
  if (total_.target) return *total_.target;
  int mine = 0, theirs = 0;
  for (const innings_total& one : before_)
    if (one.super == total_.super) (one.side == total_.side ? mine : theirs) += one.runs;
  return theirs - mine + 1;
}

std::string innings_reader::end_reason() {
  std::size_t same = 0;
  for (const innings_total& one : before_) same += one.super == total_.super;
  const bool chase = total_.super ? same % 2 == 1 : same + 1 == (m_.limited ? 2u : 4u);
  const auto absent = innings_["absent_hurt"].items().size();
  if (chase && total_.runs >= chase_target()) return "target";
  if (innings_["declared"].flag()) return "declared";
  if (innings_["forfeited"].flag()) return "forfeited";
  if (total_.super ? total_.wickets >= 2 : crease_.gone() + absent >= 10) return "all_out";
  if (limit_ > 0 && bowled_tenths() >= limit_) return "overs";
  if (next_) return m_.limited ? "rain" : "declared";
  return m_.info["outcome"]["method"].text() == "D/L" || m_.info["outcome"]["method"].text() == "VJD" ? "rain"
                                                                                                      : "end_of_match";
}

void innings_reader::end() {
  const int next_overs = printed_tenths(next_["target"]["overs"]).value_or(0);
  // The overs of both innings were cut: the file tells it only of the second.
  if (!total_.super && m_.limited && total_.over_balls == 0 && bowled_tenths() < limit_ &&
      bowled_tenths() == next_overs && crease_.gone() < 10) {
    limit_ = bowled_tenths();
    m_.note("The file does not say when the innings were cut to " + printed(limit_) +
            " overs; told at the end of the first.");
    m_.add("cricket.overs_limit", place_ + ":limit", json_object{}.raw("overs", printed(limit_)));
  }
  json_object in;
  in.text("action", "end").text("batting", total_.side).text("reason", end_reason());
  json_array absent;
  for (const json_view& name : innings_["absent_hurt"].items()) absent.text(name.text());
  if (absent.str() != "[]") in.raw("absent", absent.str());
  m_.add("cricket.innings", place_ + ":end", in);
}

innings_total innings_reader::read() {
  const auto overs = innings_["overs"].items();
  const bool forfeited = innings_["forfeited"].flag() && overs.empty();
  if (!forfeited) start();
  penalty("pre");
  late_target(true);
  for (std::size_t i = 0; i < overs.size(); ++i) read_over(overs[i], i + 1 == overs.size());
  late_target(false);
  end();
  penalty("post");
  return total_;
}

} // namespace

innings_total read_innings(match& into, json_view innings, json_view next, std::size_t index,
                           const std::vector<innings_total>& before) {
  return innings_reader(into, innings, next, index, before).read();
}

} // namespace omnium::corpus::cricsheet
