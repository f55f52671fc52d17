#pragma once
// The commands that every sport shares: the SDK keeps the life of a match, the sport's hooks have a say. Included by
// plugin.hpp; nothing here is for authors.
#include "omnium/sport/plugin.hpp"

namespace omnium::sdk {

template<class Sport>
struct lifecycle {
  static verdict decide(const Sport& s, const match_start&, const event& e) {
    if (auto no = may_live(s.match, status::live, nullptr); !no) return no;
    return s.may_start(e);
  }
  static void evolve(Sport& s, const match_start&, const event& e) {
    s.match.status = status::live;
    s.on_start(e);
  }
  static verdict decide(const Sport& s, const match_end& in, const event& e) {
    if (auto no = may_live(s.match, status::ended, &in); !no) return no;
    return s.may_end(in, e);
  }
  static void evolve(Sport& s, const match_end& in, const event& e) {
    if (s.match.status == status::scheduled) s.match.unplayed = true;
    s.match.status = status::ended;
    s.match.suspended.reset();
    s.match.ended = in;
    s.on_end(in, e);
  }
  static verdict decide(const Sport& s, const match_suspend& in, const event& e) {
    if (!s.match.live()) return default_not_live(s.match);
    if (s.match.suspended) return refuse("already_suspended", "Play is stopped already.");
    return s.may_suspend(in, e);
  }
  static void evolve(Sport& s, const match_suspend& in, const event&) { s.match.suspended = in.reason; }
  static verdict decide(const Sport& s, const match_resume& in, const event& e) {
    if (!s.match.live()) return default_not_live(s.match);
    if (!s.match.suspended) return refuse("not_suspended", "Play is not stopped.");
    return s.may_resume(in, e);
  }
  static void evolve(Sport& s, const match_resume&, const event&) { s.match.suspended.reset(); }
  static verdict decide(const Sport&, const match_note&, const event&) { return accept(); }
  static void evolve(Sport&, const match_note&, const event&) {}
};

template<class Input>
inline constexpr bool shared_input =
    std::is_same_v<Input, match_start> || std::is_same_v<Input, match_end> || std::is_same_v<Input, match_suspend> ||
    std::is_same_v<Input, match_resume> || std::is_same_v<Input, match_note>;

inline constexpr auto shared_commands =
    std::tuple(command_of<match_start>{{"match.start", "Start the match", "", true, when::any_time}},
               command_of<match_end>{{"match.end", "End the match", "", true, when::any_time}},
               command_of<match_suspend>{{"match.suspend", "Stop play", "", true, when::any_time}},
               command_of<match_resume>{{"match.resume", "Resume play", "", true, when::any_time}},
               command_of<match_note>{{"match.note", "Note", "", false, when::any_time}});

} // namespace omnium::sdk
