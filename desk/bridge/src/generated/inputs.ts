// Generated from schema/json/sports.snapshot.json by scripts/generate.mjs. Do not edit.

export interface CricketBallInput {
  batter: string;
  non_striker: string;
  /**
   * Absent in an over: the bowler of its last ball.
   */
  bowler?: string;
  runs: {
    batter: number;
    extras?: {
      wides?: number;
      noballs?: number;
      byes?: number;
      legbyes?: number;
      penalty?: number;
    };
    /**
     * False: a 4 or 6 that was run. Absent: a 4 or 6 reached the boundary.
     */
    boundary?: boolean;
  };
  /**
   * @maxItems 4
   */
  wickets?: {
    kind:
      | "bowled"
      | "caught"
      | "caught and bowled"
      | "lbw"
      | "stumped"
      | "hit wicket"
      | "run out"
      | "obstructing the field"
      | "handled the ball"
      | "hit the ball twice"
      | "timed out"
      | "retired out"
      | "retired hurt"
      | "retired not out"
      | "caught_and_bowled"
      | "hit_wicket"
      | "run_out"
      | "obstructing_the_field"
      | "handled_the_ball"
      | "hit_the_ball_twice"
      | "timed_out"
      | "retired_out"
      | "retired_hurt"
      | "retired_not_out";
    player_out: string;
    /**
     * @maxItems 11
     */
    fielders?: (
      | string
      | {
          name?: string;
          substitute?: boolean;
        }
    )[];
  }[];
  review?: {
    by?: string;
    umpire?: string;
    batter?: string;
    decision?: string;
    type?: string;
    umpires_call?: boolean;
  };
  replacements?: {
    /**
     * @maxItems 11
     */
    match?: {
      in: string;
      out: string;
      team?: string;
      side?: string;
      reason?: string;
    }[];
    /**
     * @maxItems 4
     */
    role?: {
      in: string;
      out?: string;
      reason?: string;
      role: "bowler" | "batter";
    }[];
  };
  /**
   * False: an offence of the fielders keeps the ball out of the over (Law 17.3.2).
   */
  in_over?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketInningsInput {
  action: "start" | "end";
  /**
   * Required to start an innings.
   */
  batting?: "home" | "away";
  kind?: "normal" | "super_over";
  /**
   * Why the innings ended.
   */
  reason?: "all_out" | "declared" | "forfeited" | "overs" | "target" | "rain" | "end_of_match";
  overs_limit?: number;
  balls_per_over?: number;
  /**
   * Batters who cannot bat at all: they count towards all out.
   *
   * @maxItems 11
   */
  absent?: string[];
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketOutcomeInput {
  winner?: "home" | "away";
  result?: "tie" | "draw" | "no result" | "no_result";
  method?: string;
  /**
   * Who won the super over after a tie.
   */
  eliminator?: "home" | "away";
  /**
   * Who won the bowl-out after a tie.
   */
  bowl_out?: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketOverEndInput {
  by?: "umpire";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketOversLimitInput {
  overs: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketPenaltyRunsInput {
  to: "home" | "away";
  runs: number;
  /**
   * pre: before its innings; post: to its last completed innings; during: to the one in play.
   */
  when: "pre" | "post" | "during";
  reason?: string;
  /**
   * After deliberate short running: the batter the fielding captain chose to face next.
   */
  on_strike?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketPowerplayInput {
  type?: string;
  from?: number;
  to?: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketReplacementInput {
  side: "home" | "away";
  out: string;
  in: string;
  reason: string;
  /**
   * bowler or batter: only this part is taken over; absent: the player leaves the match.
   */
  role?: "bowler" | "batter";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketRetireInput {
  batter: string;
  kind: "hurt" | "not_out" | "out";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketTargetInput {
  runs: number;
  overs?: number;
  /**
   * D/L or VJD.
   */
  method?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CricketTossInput {
  winner: "home" | "away";
  decision: "bat" | "field";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingConcedeInput {
  side: "home" | "away";
}

export interface CurlingEndInput {
  action: "start";
}

export interface CurlingEndScoreInput {
  side?: "home" | "away";
  points: number;
}

export interface CurlingExtraEndInput {}

export interface CurlingHammerInput {
  side: "home" | "away";
}

export interface CurlingPowerPlayInput {
  side: "home" | "away";
}

export interface CurlingStoneInput {
  side: "home" | "away";
  player?: string;
  shot?: string;
  turn?: string;
  points?: number;
}

export interface CurlingTimeoutInput {
  side: "home" | "away";
}

export interface FootballAddedTimeInput {
  minutes: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballCardInput {
  side: "home" | "away";
  player: string;
  minute: number | string;
  card: "yellow" | "second_yellow" | "red";
  official?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballCornerInput {
  side: "home" | "away";
  player?: string;
  minute?: number | string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballFoulInput {
  side: "home" | "away";
  player?: string;
  minute?: number | string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballGoalInput {
  /**
   * The side credited, also for an own goal.
   */
  side: "home" | "away";
  minute: number | string;
  scorer?: string;
  assist?: string;
  kind: "open_play" | "penalty" | "free_kick" | "own_goal";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballLineupInput {
  side: "home" | "away";
  /**
   * @minItems 7
   * @maxItems 11
   */
  starting: string[];
  /**
   * @maxItems 20
   */
  bench?: string[];
  goalkeeper?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballOffsideInput {
  side: "home" | "away";
  player?: string;
  minute?: number | string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballPenaltyInput {
  side: "home" | "away";
  taker: string;
  minute: number | string;
  result: "scored" | "saved" | "missed";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballPeriodInput {
  action: "start" | "end";
  period: "H1" | "H2" | "ET1" | "ET2" | "PSO";
  minute?: number | string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballShootoutKickInput {
  side: "home" | "away";
  taker?: string;
  result: "scored" | "saved" | "missed";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballShotInput {
  side: "home" | "away";
  player?: string;
  minute?: number | string;
  on_target?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballSubstitutionInput {
  side: "home" | "away";
  off: string;
  on: string;
  minute: number | string;
  concussion?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface FootballVarInput {
  /**
   * The seq of the event reviewed.
   */
  about: number;
  decision: "check" | "confirmed" | "overturned";
  detail?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchAmendInput {
  seq: number;
  input: {};
  reason?: string;
  /**
   * Void the later events that this makes impossible.
   */
  cascade?: boolean;
  umpire?: string;
}

export interface MatchBaselineInput {
  score?: {
    home: number;
    away: number;
  };
  shootout?: {
    home: number;
    away: number;
  };
  shootout_kicks?: {
    home: number;
    away: number;
  };
  period?: "H1" | "H2" | "ET1" | "ET2" | "PSO";
  in_play?: boolean;
  minute?: number | string;
  cards?: {
    home: {
      yellow: number;
      red: number;
    };
    away: {
      yellow: number;
      red: number;
    };
  };
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchCancelRangeInput {
  from: number;
  to: number;
  side?: "home" | "away";
  reason: string;
  /**
   * Void the later events that this makes impossible.
   */
  cascade?: boolean;
  umpire?: string;
}

export interface MatchEndInput {
  reason: "completed" | "abandoned" | "no_result" | "conceded" | "forfeited" | "awarded";
  winner?: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchInsertInput {
  before: number;
  code: string;
  input: {};
  reason?: string;
  /**
   * Void the later events that this makes impossible.
   */
  cascade?: boolean;
  umpire?: string;
}

export interface MatchNoteInput {
  text: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchResumeInput {
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchStartInput {
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchSuspendInput {
  reason: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface MatchVoidInput {
  seq: number;
  reason?: string;
  /**
   * Void the later events that this makes impossible.
   */
  cascade?: boolean;
  umpire?: string;
}

/** The input of every command, by its code. */
export interface CommandInputs {
  "cricket.ball": CricketBallInput;
  "cricket.innings": CricketInningsInput;
  "cricket.outcome": CricketOutcomeInput;
  "cricket.over_end": CricketOverEndInput;
  "cricket.overs_limit": CricketOversLimitInput;
  "cricket.penalty_runs": CricketPenaltyRunsInput;
  "cricket.powerplay": CricketPowerplayInput;
  "cricket.replacement": CricketReplacementInput;
  "cricket.retire": CricketRetireInput;
  "cricket.target": CricketTargetInput;
  "cricket.toss": CricketTossInput;
  "curling.concede": CurlingConcedeInput;
  "curling.end": CurlingEndInput;
  "curling.end_score": CurlingEndScoreInput;
  "curling.extra_end": CurlingExtraEndInput;
  "curling.hammer": CurlingHammerInput;
  "curling.power_play": CurlingPowerPlayInput;
  "curling.stone": CurlingStoneInput;
  "curling.timeout": CurlingTimeoutInput;
  "football.added_time": FootballAddedTimeInput;
  "football.card": FootballCardInput;
  "football.corner": FootballCornerInput;
  "football.foul": FootballFoulInput;
  "football.goal": FootballGoalInput;
  "football.lineup": FootballLineupInput;
  "football.offside": FootballOffsideInput;
  "football.penalty": FootballPenaltyInput;
  "football.period": FootballPeriodInput;
  "football.shootout_kick": FootballShootoutKickInput;
  "football.shot": FootballShotInput;
  "football.substitution": FootballSubstitutionInput;
  "football.var": FootballVarInput;
  "match.amend": MatchAmendInput;
  "match.baseline": MatchBaselineInput;
  "match.cancel_range": MatchCancelRangeInput;
  "match.end": MatchEndInput;
  "match.insert": MatchInsertInput;
  "match.note": MatchNoteInput;
  "match.resume": MatchResumeInput;
  "match.start": MatchStartInput;
  "match.suspend": MatchSuspendInput;
  "match.void": MatchVoidInput;
}
