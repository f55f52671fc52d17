// Format `dvw`: scout files of DataVolley and Click&Scout. A file has sections in square brackets; [3SCOUT] holds one
// line an action: code;…;time of day;set;setters' positions;…;six home players;six away players. Used of it: *pHH:AA
// and apHH:AA (the score after a rally and who won it), the first serve of each set, *c/ac (substitutions), *T/aT
// (time-outs) and the players on court.
#include "sports/corpus/csv.hpp"
#include "sports/corpus/file.hpp"
#include "sports/corpus/recorder.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace omnium::corpus {

namespace {

using fields = std::vector<std::string_view>;

constexpr std::size_t time_field = 7, set_field = 8, home_field = 14, away_field = 20;

std::string_view side_name(char mark) { return mark == '*' ? "home" : "away"; }

// The bytes as UTF-8. Older files are in one of several 8-bit encodings and do not say which: such text is read as
// Latin-1, which keeps every letter distinct.
bool valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const std::size_t more = c < 0x80                ? 0
                             : c >= 0xC2 && c < 0xE0 ? 1
                             : c >= 0xE0 && c < 0xF0 ? 2
                             : c >= 0xF0 && c < 0xF5 ? 3
                                                     : 9;
    if (more == 9 || at + more >= text.size() + (more == 0 ? 1 : 0)) return false;
    for (std::size_t i = 1; i <= more; ++i)
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return false;
    at += more + 1;
  }
  return true;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += c;
    else (out += static_cast<char>(0xC0 | byte >> 6)) += static_cast<char>(0x80 | (byte & 0x3F));
  }
  return out;
}

// Section name -> its lines.
std::map<std::string, std::vector<std::string_view>, std::less<>> sections_of(std::string_view text) {
  std::map<std::string, std::vector<std::string_view>, std::less<>> all;
  std::string now;
  for (std::string_view line : split(text, '\n')) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() > 2 && line.front() == '[' && line.back() == ']')
      now = std::string{line.substr(1, line.size() - 2)};
    else if (!line.empty()) all[now].push_back(line);
  }
  return all;
}

std::optional<double> seconds_of(std::string_view clock) { // 20.36.59
  const auto parts = split(clock, '.');
  if (parts.size() != 3) return std::nullopt;
  const auto h = to_integer(parts[0]), m = to_integer(parts[1]), s = to_integer(parts[2]);
  if (!h || !m || !s) return std::nullopt;
  return static_cast<double>(*h * 3600 + *m * 60 + *s);
}

std::string_view cell(const fields& of, std::size_t at) { return at < of.size() ? of[at] : std::string_view{}; }

struct action {
  std::string_view code;
  fields cells;
  char mark() const { return code.empty() ? ' ' : code[0]; }
  std::string_view what() const { return code.size() > 1 ? code.substr(1) : std::string_view{}; }
  bool team() const { return mark() == '*' || mark() == 'a'; }
  bool is_point() const { return team() && what().size() >= 6 && what()[0] == 'p' && what()[3] == ':'; }
  bool is_substitution() const { return team() && what().size() >= 6 && what()[0] == 'c' && what()[3] == ':'; }
  bool is_timeout() const { return team() && (what() == "T" || what().substr(0, 2) == "T "); }
  // "06SM#": shirt number (or $$ where none was entered), S for serve.
  bool is_serve() const {
    return team() && what().size() >= 4 && what()[2] == 'S' && what()[0] != 'P' && what()[0] != 'z';
  }
  bool ends_set() const { return code.size() >= 6 && code.substr(0, 2) == "**" && code.substr(3, 3) == "set"; }
};

class dvw_walk {
public:
  dvw_walk(recorder& into, const std::vector<std::string_view>& lines) : into_(into) {
    for (const std::string_view line : lines) {
      fields cells = split(line, ';');
      actions_.push_back({cells[0], std::move(cells)});
    }
  }

  void run() {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const action& one = actions_[i];
      if (one.ends_set()) begun_ = false, ++ended_;
      else if (one.is_point()) take_point(i);
      else if (one.is_substitution()) take_substitution(one);
      else if (one.is_timeout()) take_timeout(one);
      else if (one.is_serve() && !begun_) begin_set(one);
    }
  }

  std::size_t sets_ended() const { return ended_; }

private:
  std::string place(std::string_view what, std::size_t number) const {
    return 's' + std::to_string(set_) + ':' + std::string{what} + std::to_string(number);
  }

  void at_time(recorded_command& command, const action& of) {
    const auto now = seconds_of(cell(of.cells, time_field));
    if (!now) return;
    if (!first_time_) first_time_ = now;
    // After midnight the clock begins again.
    const double since = *now - *first_time_;
    command.offset_s = since < 0 ? since + 24 * 3600 : since;
  }

  void add_lineup(const action& of, bool home) {
    json_array players;
    bool whole = true;
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string_view shirt = trimmed(cell(of.cells, (home ? home_field : away_field) + i));
      whole = whole && !shirt.empty() && shirt != "0" && shirt.find('-') == std::string_view::npos;
      players.text(shirt);
    }
    const char* side = home ? "home" : "away";
    if (!whole) {
      into_.note("Set " + std::to_string(set_) + ": the line-up of the " + side + " side is not in the file.");
      return;
    }
    into_.add("volleyball.lineup", place(std::string{"lineup:"} + side, 0),
              json_object{}.text("side", side).raw("players", players.str()));
  }

  void begin_set(const action& serve) {
    begun_ = true;
    ++set_;
    rallies_ = substitutions_ = timeouts_ = 0;
    score_ = taken_ = {0, 0};
    into_.add("volleyball.serve", place("serve", 0), json_object{}.text("side", side_name(serve.mark())));
    add_lineup(serve, true);
    add_lineup(serve, false);
  }

  void take_point(std::size_t at) {
    const action& one = actions_[at];
    if (!begun_) begin_set(one); // a set without a serve code: its first rally stands for it
    const auto home = to_integer(one.what().substr(1, 2)), away = to_integer(one.what().substr(4, 2));
    const bool by_home = one.mark() == '*';
    ++score_[by_home ? 0 : 1];
    if (!home || !away || *home != score_[0] || *away != score_[1])
      into_.note("Set " + std::to_string(set_) + ", rally " + std::to_string(rallies_ + 1) + ": the file says " +
                 std::string{one.what().substr(1, 5)} + ", the rallies add up to " + std::to_string(score_[0]) + ':' +
                 std::to_string(score_[1]) + '.');
    at_time(
        into_.add("volleyball.rally", place("rally", ++rallies_), json_object{}.text("winner", side_name(one.mark()))),
        one);
  }

  void take_substitution(const action& one) {
    if (!begun_) return; // before the set begins the line-up says it all
    json_object input;
    input.text("side", side_name(one.mark()))
        .text("off", shirt(one.what().substr(1, 2)))
        .text("on", shirt(one.what().substr(4, 2)));
    at_time(into_.add("volleyball.substitution", place("sub", ++substitutions_), input), one);
  }

  // Codes write 03 where the players' columns write 3.
  static std::string shirt(std::string_view code) {
    const auto number = to_integer(code);
    return number ? std::to_string(*number) : std::string{code};
  }

  void take_timeout(const action& one) {
    if (!begun_) return;
    json_object input;
    input.text("side", side_name(one.mark()));
    if (++taken_[one.mark() == '*' ? 0 : 1] > 2) {
      input.text("umpire", "the scout recorded it");
      into_.note("Set " + std::to_string(set_) + ": the " + std::string{side_name(one.mark())} +
                 " side takes more than two time-outs.");
    }
    at_time(into_.add("volleyball.timeout", place("timeout", ++timeouts_), input), one);
  }

  recorder& into_;
  std::vector<action> actions_;
  std::optional<double> first_time_;
  bool begun_ = false;
  std::size_t ended_ = 0; // sets
  std::size_t set_ = 0, rallies_ = 0, substitutions_ = 0, timeouts_ = 0;
  std::array<std::int64_t, 2> score_{}, taken_{}; // points and time-outs of this set
};

struct set_result {
  std::int64_t home = 0, away = 0;
};

// "True;8 -7;16-13;21-19;25-20;26;": the last score is the set's.
std::vector<set_result> results_of(const std::vector<std::string_view>& lines) {
  std::vector<set_result> all;
  for (const std::string_view line : lines) {
    const fields cells = split(line, ';');
    const auto points = split(cell(cells, 4), '-');
    if (points.size() != 2) continue;
    const auto home = to_integer(trimmed(points[0])), away = to_integer(trimmed(points[1]));
    if (home && away) all.push_back({*home, *away});
  }
  return all;
}

// The file does not say how many points a set has: 25, unless the sets were won with fewer.
std::int64_t points_of_a_set(const std::vector<set_result>& sets) {
  std::int64_t low = 25;
  for (std::size_t i = 0; i < sets.size() && i < 4; ++i) low = std::min(low, std::max(sets[i].home, sets[i].away));
  return std::max<std::int64_t>(low, 3);
}

void state_truth(recorder& into, const std::vector<set_result>& sets) {
  std::int64_t home = 0, away = 0;
  json_array all;
  for (const set_result& one : sets) {
    ++(one.home > one.away ? home : away);
    all.raw(json_object{}.number("home", one.home).number("away", one.away).str());
  }
  json_object truth;
  truth.raw("score", json_object{}.number("home", home).number("away", away).str()).raw("sets", all.str());
  into.out.truth = truth.str();
}

std::variant<recording, std::string> read_scout_file(const std::string& path) {
  auto read = read_file(path);
  if (const auto* error = std::get_if<file_error>(&read)) return error->message;
  const std::string& bytes = std::get<std::string>(read);
  const bool utf8 = valid_utf8(bytes);
  const std::string text = utf8 ? bytes : from_latin1(bytes);
  const auto sections = sections_of(text);
  const auto lines = [&](const char* name) {
    const auto found = sections.find(name);
    return found == sections.end() ? std::vector<std::string_view>{} : found->second;
  };
  const auto teams = lines("3TEAMS"), match = lines("3MATCH");
  auto scout = lines("3SCOUT");
  if (teams.size() < 2 || scout.empty()) return path + " is no DataVolley scout file: it has no teams or no actions.";
  const auto team_name = [&](std::size_t which) { return std::string{trimmed(cell(split(teams[which], ';'), 1))}; };
  // Named by what its head says of the match: the same whether the file goes on to the end or was cut off.
  recorder into{"dvw", team_name(0) + '-' + team_name(1) + '-' +
                           (match.empty() ? content_name(bytes) : content_name(std::string{match[0]}))};
  if (text.back() != '\n' && !scout.back().starts_with("**")) scout.pop_back(); // half a line
  if (!utf8) into.note("The file does not say its 8-bit encoding; its names are read as Latin-1.");
  into.out.sport = "volleyball";
  const fields header = match.empty() ? fields{} : split(match[0], ';');
  std::string league{trimmed(cell(header, 3))};
  if (league.empty()) league = "Volleyball";
  into.competition(league + '/' + std::string{cell(header, 2)}, league);
  into.sides(team_name(0), team_name(1), recorded_participant::kind::team);
  const auto sets = results_of(lines("3SET"));
  into.out.settings = json_object{}.text("discipline", "indoor").number("points", points_of_a_set(sets)).str();
  state_truth(into, sets);
  into.add("match.start", "start", json_object{});
  dvw_walk walk{into, scout};
  walk.run();
  if (walk.sets_ended() < sets.size()) into.stops_early();
  else into.add("match.end", "end", json_object{}.text("reason", "completed"));
  return std::move(into.out);
}

} // namespace

read_result read_dvw(const std::vector<std::string>& paths) {
  std::vector<recording> out;
  for (const std::string& path : paths) {
    auto one = read_scout_file(path);
    if (auto* error = std::get_if<std::string>(&one)) return std::move(*error);
    out.push_back(std::move(std::get<recording>(one)));
  }
  return out;
}

} // namespace omnium::corpus
