// Generated from schema/json/sports.snapshot.json by scripts/generate.mjs. Do not edit.

export interface BadmintonCardInput {
  side: "home" | "away";
  /**
   * yellow: warning; red: a fault; black: disqualified.
   */
  card: "yellow" | "red" | "black";
  player?: string;
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonChallengeInput {
  side: "home" | "away";
  result: "successful" | "unsuccessful" | "no_decision";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonLetInput {
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonLineupInput {
  side: "home" | "away";
  /**
   * Doubles: first who stands in the right service court.
   *
   * @minItems 1
   * @maxItems 2
   */
  players: string[];
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonRallyInput {
  winner: "home" | "away";
  /**
   * e.g. smash, net, out, service_fault.
   */
  how?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonRetireInput {
  /**
   * The side that retires.
   */
  side: "home" | "away";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonServiceInput {
  /**
   * Who serves: first in the game, or from now on.
   */
  side?: "home" | "away";
  /**
   * Doubles: which of the two.
   */
  server?: string;
  receiver?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BadmintonWalkoverInput {
  /**
   * The side that does not play.
   */
  side: "home" | "away";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballAssistInput {
  side: "home" | "away";
  /**
   * Absent: the team's.
   */
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballBlockInput {
  side: "home" | "away";
  /**
   * Absent: the team's.
   */
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballFoulInput {
  side: "home" | "away";
  /**
   * bench_technical: charged to the coach, no player's and no team foul.
   */
  kind: "personal" | "shooting" | "offensive" | "technical" | "bench_technical" | "unsportsmanlike" | "disqualifying";
  player?: string;
  drawn_by?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballFreeThrowInput {
  side: "home" | "away";
  made: boolean;
  /**
   * What it is worth: 1, more where one throw stands for two or three.
   */
  points?: number;
  player?: string;
  clock?: string;
  /**
   * Whose points they are, where that is not the period in progress or the next one.
   */
  period?: string;
  number?: number;
  of?: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballLineupInput {
  side: "home" | "away";
  /**
   * @minItems 1
   * @maxItems 5
   */
  starters: string[];
  /**
   * @maxItems 20
   */
  bench?: string[];
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballMissInput {
  side: "home" | "away";
  points: number;
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballPeriodInput {
  action: "start" | "end";
  period: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballPossessionInput {
  /**
   * Whom the alternating possession arrow favours from now on.
   */
  to: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballReboundInput {
  side: "home" | "away";
  /**
   * Absent: the team's.
   */
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballScoreInput {
  side: "home" | "away";
  points: number;
  player?: string;
  assist?: string;
  /**
   * e.g. layup, dunk, jump shot.
   */
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballStealInput {
  side: "home" | "away";
  /**
   * Absent: the team's.
   */
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballSubstitutionInput {
  side: "home" | "away";
  off: string;
  on: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballTimeoutInput {
  side: "home" | "away";
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface BasketballTurnoverInput {
  side: "home" | "away";
  /**
   * Absent: the team's.
   */
  player?: string;
  kind?: string;
  clock?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingConfirmInput {
  /**
   * Only where the times and marks do not decide: who ranked higher before.
   */
  winner?: "a" | "b" | "A" | "B";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingFinishInput {
  lane: "a" | "b" | "A" | "B";
  seconds: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingIrregularInput {
  lane: "a" | "b" | "A" | "B";
  /**
   * FS false start, FALL, DNS did not start, DSQ disqualified.
   */
  mark: "FS" | "FALL" | "DNS" | "DSQ";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingReactionInput {
  lane: "a" | "b" | "A" | "B";
  seconds: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingRerunInput {
  reason: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface ClimbingStartInput {
  /**
   * Who climbs; absent: nobody.
   */
  lane_a?: string;
  lane_b?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

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
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingEndInput {
  action: "start";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingEndScoreInput {
  /**
   * Absent with points 0: a blank end.
   */
  side?: "home" | "away";
  points: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingExtraEndInput {
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingHammerInput {
  side: "home" | "away";
  end?: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingPowerPlayInput {
  side: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingStoneInput {
  side: "home" | "away";
  player?: string;
  /**
   * The kind of shot, e.g. Draw.
   */
  shot?: string;
  /**
   * The rotation, e.g. clockwise.
   */
  turn?: string;
  /**
   * The statistician's grade, 0 to 4.
   */
  points?: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface CurlingTimeoutInput {
  side: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
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
  /**
   * Sets won.
   */
  score?: {
    home: number;
    away: number;
  };
  /**
   * The set in progress, e.g. S2.
   */
  period?: string;
  /**
   * The last one may be in progress.
   *
   * @maxItems 7
   */
  sets?: {
    home: number;
    away: number;
  }[];
  server?: "home" | "away";
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

export interface TennisFaultInput {
  /**
   * The server, where the desk wants it checked.
   */
  side?: "home" | "away";
  /**
   * e.g. net, long, foot.
   */
  kind?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisLetInput {
  kind?: "service" | "point";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisLineupInput {
  side: "home" | "away";
  /**
   * In doubles in the order in which they serve in this set.
   *
   * @minItems 1
   * @maxItems 2
   */
  players: string[];
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisPointInput {
  winner: "home" | "away";
  /**
   * e.g. ace, winner, double_fault, unforced_error.
   */
  how?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisRetireInput {
  /**
   * The side that retires.
   */
  side?: "home" | "away";
  /**
   * Or the side that wins.
   */
  winner?: "home" | "away";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisServeFixInput {
  /**
   * Who serves from now on; absent: the other side.
   */
  server?: "home" | "away";
  /**
   * The same as server.
   */
  side?: "home" | "away";
  /**
   * Doubles: which of the two serves.
   */
  player?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisViolationInput {
  side: "home" | "away";
  kind?: "code" | "time";
  /**
   * Absent: the next step of the side's penalty schedule.
   */
  penalty?: "warning" | "fault" | "point" | "game" | "default";
  player?: string;
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface TennisWalkoverInput {
  /**
   * The side that does not play.
   */
  side?: "home" | "away";
  /**
   * Or the side that wins.
   */
  winner?: "home" | "away";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballForfeitInput {
  /**
   * The side that loses by it.
   */
  side: "home" | "away";
  /**
   * default: refused to play, every set to nil; incomplete: what was won stands.
   */
  kind?: "default" | "incomplete";
  scope?: "match" | "set";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballLineupInput {
  side: "home" | "away";
  /**
   * Positions I to VI, the server first; beach: the serving order.
   *
   * @minItems 2
   * @maxItems 6
   */
  players: string[];
  /**
   * @maxItems 2
   */
  liberos?: string[];
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballRallyInput {
  winner: "home" | "away";
  /**
   * e.g. ace, attack, block, error.
   */
  how?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballRetireInput {
  /**
   * The side that retires; the points stay as played.
   */
  side: "home" | "away";
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballRotationFaultInput {
  /**
   * The side at fault.
   */
  side: "home" | "away";
  /**
   * The rally in which it began: the side's points from there on are cancelled. Absent: not known.
   */
  from_seq?: number;
  /**
   * Also give the opponent the point and the service of this rally. Absent: only without from_seq; else the rally that was stopped is entered as any other.
   */
  point?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballSanctionInput {
  side: "home" | "away";
  /**
   * penalty and delay_penalty give the opponent a point and the service.
   */
  kind: "warning" | "penalty" | "expulsion" | "disqualification" | "delay_warning" | "delay_penalty";
  player?: string;
  reason?: string;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballServeInput {
  /**
   * Who has the first service of the set, or the service from now on.
   */
  side: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballSetScoreInput {
  /**
   * Where the points of the set are not known.
   */
  winner?: "home" | "away";
  home?: number;
  away?: number;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballSubstitutionInput {
  side: "home" | "away";
  off: string;
  on: string;
  /**
   * For an injured player; not counted (15.7).
   */
  exceptional?: boolean;
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

export interface VolleyballTimeoutInput {
  side: "home" | "away";
  /**
   * Why the officials let stand what the rules would refuse.
   */
  umpire?: string;
}

/** The input of every command, by its code. */
export interface CommandInputs {
  "badminton.card": BadmintonCardInput;
  "badminton.challenge": BadmintonChallengeInput;
  "badminton.let": BadmintonLetInput;
  "badminton.lineup": BadmintonLineupInput;
  "badminton.rally": BadmintonRallyInput;
  "badminton.retire": BadmintonRetireInput;
  "badminton.service": BadmintonServiceInput;
  "badminton.walkover": BadmintonWalkoverInput;
  "basketball.assist": BasketballAssistInput;
  "basketball.block": BasketballBlockInput;
  "basketball.foul": BasketballFoulInput;
  "basketball.free_throw": BasketballFreeThrowInput;
  "basketball.lineup": BasketballLineupInput;
  "basketball.miss": BasketballMissInput;
  "basketball.period": BasketballPeriodInput;
  "basketball.possession": BasketballPossessionInput;
  "basketball.rebound": BasketballReboundInput;
  "basketball.score": BasketballScoreInput;
  "basketball.steal": BasketballStealInput;
  "basketball.substitution": BasketballSubstitutionInput;
  "basketball.timeout": BasketballTimeoutInput;
  "basketball.turnover": BasketballTurnoverInput;
  "climbing.confirm": ClimbingConfirmInput;
  "climbing.finish": ClimbingFinishInput;
  "climbing.irregular": ClimbingIrregularInput;
  "climbing.reaction": ClimbingReactionInput;
  "climbing.rerun": ClimbingRerunInput;
  "climbing.start": ClimbingStartInput;
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
  "tennis.fault": TennisFaultInput;
  "tennis.let": TennisLetInput;
  "tennis.lineup": TennisLineupInput;
  "tennis.point": TennisPointInput;
  "tennis.retire": TennisRetireInput;
  "tennis.serve_fix": TennisServeFixInput;
  "tennis.violation": TennisViolationInput;
  "tennis.walkover": TennisWalkoverInput;
  "volleyball.forfeit": VolleyballForfeitInput;
  "volleyball.lineup": VolleyballLineupInput;
  "volleyball.rally": VolleyballRallyInput;
  "volleyball.retire": VolleyballRetireInput;
  "volleyball.rotation_fault": VolleyballRotationFaultInput;
  "volleyball.sanction": VolleyballSanctionInput;
  "volleyball.serve": VolleyballServeInput;
  "volleyball.set_score": VolleyballSetScoreInput;
  "volleyball.substitution": VolleyballSubstitutionInput;
  "volleyball.timeout": VolleyballTimeoutInput;
}
