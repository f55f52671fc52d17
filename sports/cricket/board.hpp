#pragma once
// The scoreboard: the closed innings as they were frozen, the one in play, and who is at the wicket.
#include "sports/cricket/state.hpp"

namespace omnium::cricket {

// Written as one list: [closed innings…, the innings in play].
struct innings_list {
  std::string closed; // the text of a list
  std::optional<innings_line> now;
};

// Two views that a baseline gives as well: the bounds are its.
struct batter_view {
  std::string batter;
  std::int64_t runs = 0, balls = 0, fours = 0, sixes = 0;
  static constexpr auto fields = sdk::fields(sdk::field("batter", &batter_view::batter, name_length),
                                             sdk::field("runs", &batter_view::runs, sdk::range(0, runs_max)),
                                             sdk::field("balls", &batter_view::balls, sdk::range(0, balls_max)),
                                             sdk::field("fours", &batter_view::fours, sdk::range(0, runs_max)),
                                             sdk::field("sixes", &batter_view::sixes, sdk::range(0, runs_max)));
};

struct bowler_view {
  std::string bowler;
  std::int64_t balls = 0, maidens = 0, runs = 0, wickets = 0;
  static constexpr auto fields = sdk::fields(sdk::field("bowler", &bowler_view::bowler, name_length),
                                             sdk::field("balls", &bowler_view::balls, sdk::range(0, balls_max)),
                                             sdk::field("maidens", &bowler_view::maidens, sdk::range(0, overs_max)),
                                             sdk::field("runs", &bowler_view::runs, sdk::range(0, runs_max)),
                                             sdk::field("wickets", &bowler_view::wickets, sdk::range(0, wickets_max)));
};

struct board : sdk::headline {
  innings_list innings;
  std::vector<batter_view> batting;
  sdk::nullable<bowler_view> bowling;
  cricket::result result;
  static constexpr auto fields =
      sdk::fields(sdk::field("innings", &board::innings), sdk::field("batting", &board::batting),
                  sdk::field("bowling", &board::bowling), sdk::field("result", &board::result));
};

} // namespace omnium::cricket

namespace omnium::sdk {

template<>
struct codec<cricket::innings_list> {
  static bool read(const value&, cricket::innings_list&, const rules&, reader& in) {
    return in.fail("A scoreboard is written, never read.");
  }
  static void write(const cricket::innings_list& what, std::string& out);
  static void schema(const rules&, std::string& out);
};

} // namespace omnium::sdk
