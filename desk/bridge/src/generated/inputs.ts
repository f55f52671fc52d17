// Generated from schema/json/sports.snapshot.json by scripts/generate.mjs. Do not edit.

export interface CricketBallInput {
  batter: string;
  non_striker: string;
  bowler: string;
  runs: {
    batter: number;
    extras?: {
      wides?: number;
      noballs?: number;
      byes?: number;
      legbyes?: number;
      penalty?: number;
    };
    boundary?: boolean;
  };
  wickets?: {
    kind: string;
    player_out: string;
    fielders?: string[];
  }[];
  review?: {
    [k: string]: unknown;
  };
  replacements?: {
    [k: string]: unknown;
  };
  umpire?: string;
}

export interface CricketInningsInput {
  action: "start" | "end";
  batting: "home" | "away";
  kind: "normal" | "super_over";
  reason?: "all_out" | "declared" | "forfeited" | "overs" | "target" | "rain" | "end_of_match";
  overs_limit?: number;
  balls_per_over?: number;
}

export interface CricketOutcomeInput {
  winner?: "home" | "away";
  result?: "tie" | "draw" | "no result";
  method?: string;
  eliminator?: "home" | "away";
  bowl_out?: "home" | "away";
}

export interface CricketOverEndInput {
  by: "umpire";
}

export interface CricketOversLimitInput {
  overs: number;
}

export interface CricketPenaltyRunsInput {
  to: "home" | "away";
  runs: number;
  when: "pre" | "post" | "during";
}

export interface CricketRetireInput {
  batter: string;
  kind: "hurt" | "not_out" | "out";
}

export interface CricketTargetInput {
  runs: number;
  overs?: number;
  method?: "D/L" | "VJD";
}

export interface CricketTossInput {
  winner: "home" | "away";
  decision: "bat" | "field";
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
}

export interface FootballCardInput {
  side: "home" | "away";
  player: string;
  minute: number;
  card: "yellow" | "second_yellow" | "red";
}

export interface FootballCornerInput {
  side: "home" | "away";
  minute?: number;
}

export interface FootballFoulInput {
  side: "home" | "away";
  minute?: number;
}

export interface FootballGoalInput {
  side: "home" | "away";
  minute: number;
  scorer?: string;
  assist?: string;
  kind: "open_play" | "penalty" | "free_kick" | "own_goal";
}

export interface FootballLineupInput {
  side: "home" | "away";
  starting: string[];
  bench: string[];
  goalkeeper: string;
}

export interface FootballOffsideInput {
  side: "home" | "away";
  minute?: number;
}

export interface FootballPenaltyInput {
  side: "home" | "away";
  taker: string;
  minute: number;
  result: "scored" | "saved" | "missed";
}

export interface FootballPeriodInput {
  action: "start" | "end";
  period: "H1" | "H2" | "ET1" | "ET2" | "PSO";
  minute?: number;
}

export interface FootballShootoutKickInput {
  side: "home" | "away";
  taker?: string;
  result: "scored" | "saved" | "missed";
}

export interface FootballShotInput {
  side: "home" | "away";
  minute?: number;
}

export interface FootballSubstitutionInput {
  side: "home" | "away";
  off: string;
  on: string;
  minute: number;
  concussion?: boolean;
}

export interface FootballVarInput {
  about: number;
  decision: "check" | "confirmed" | "overturned";
  detail?: string;
}

export interface MatchAmendInput {
  seq: number;
  input: {
    [k: string]: unknown;
  };
  reason?: string;
  cascade?: boolean;
}

export interface MatchCancelRangeInput {
  from: number;
  to: number;
  side?: "home" | "away";
  reason: string;
}

export interface MatchEndInput {
  reason: "completed" | "abandoned" | "no_result" | "conceded" | "forfeited" | "awarded";
  winner?: "home" | "away";
}

export interface MatchInsertInput {
  before: number;
  code: string;
  input: {
    [k: string]: unknown;
  };
  reason?: string;
  cascade?: boolean;
}

export interface MatchNoteInput {
  text: string;
}

export interface MatchResumeInput {
  reason?: string;
}

export interface MatchStartInput {}

export interface MatchSuspendInput {
  reason: string;
}

export interface MatchVoidInput {
  seq: number;
  reason?: string;
  cascade?: boolean;
}

/** The input of every command, by its code. */
export interface CommandInputs {
  "cricket.ball": CricketBallInput;
  "cricket.innings": CricketInningsInput;
  "cricket.outcome": CricketOutcomeInput;
  "cricket.over_end": CricketOverEndInput;
  "cricket.overs_limit": CricketOversLimitInput;
  "cricket.penalty_runs": CricketPenaltyRunsInput;
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
  "match.cancel_range": MatchCancelRangeInput;
  "match.end": MatchEndInput;
  "match.insert": MatchInsertInput;
  "match.note": MatchNoteInput;
  "match.resume": MatchResumeInput;
  "match.start": MatchStartInput;
  "match.suspend": MatchSuspendInput;
  "match.void": MatchVoidInput;
}
