#pragma once
// The Laws of Cricket as releases: what differs between the code before and from 1 October 2026, and nothing else.
//
// Sources: MCC, The Laws of Cricket (2017 Code, 3rd Edition 2022); MCC, "MCC announces new edition of Laws from
// 1 October 2026" (lords.org, 3 February 2026) with its lists of changes (2017 Code, 4th Edition 2026). Of the 73
// changes only those that a scorer's record can show are here:
//  - Law 21 has lost its clause on balls over head height (now a Wide, Law 22.1.3): later clauses move up by one;
//  - Laws 41.7.6 and 41.8: a bowler suspended for a deliberate front-foot No ball or a deliberate non-landing delivery
//    is suspended for the match, no longer for the innings;
//  - Laws 18.5.2 and 18.13: after deliberate short running the fielding captain says who faces the next delivery;
//  - Law 12.5.2: the last over of a day is completed although a wicket falls in it.
#include <string_view>

namespace omnium::cricket {

struct edition {
  std::string_view name;
  std::string_view out_from_no_ball;       // clause: who may be out from a No ball
  std::string_view no_ball_overrides_wide; // clause
  bool deliberate_offence_bars_match;      // 41.7.6, 41.8
  bool captain_chooses_striker;            // 18.5.2
  bool last_over_is_completed;             // 12.5.2
};

inline constexpr edition code_2017_3{"2017 Code, 3rd Edition (2022)", "Law 21.18", "Law 21.13", false, false, false};
inline constexpr edition code_2017_4{"2017 Code, 4th Edition (2026)", "Law 21.17", "Law 21.12", true, true, true};

} // namespace omnium::cricket
