// Who faces and who bowls next, worked out from the deliveries: the desk's suggestion, never a rule. Pure.
import type { Side } from "@omnium/bridge";

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

export interface Cricket<Row> {
  /** Innings begun so far. */
  innings: number;
  batting: Side | null;
  /** Deliveries of this innings: a person's choice of players holds until the next one. */
  count: number;
  ballsPerOver: number;
  /** Legal balls of the over in play. */
  inOver: number;
  /** Rows of the over in play; of the last one while the next has not begun. */
  over: Row[];
  overDone: boolean;
  striker: string | null;
  nonStriker: string | null;
  bowler: string | null;
  /** Bowled the over before: may not bowl the next. */
  lastBowler: string | null;
  /** The bowler before that: most often the next one. */
  bowlerBefore: string | null;
  out: Set<string>;
  /** Names seen, by the side they play for. */
  squads: Record<Side, Set<string>>;
}

const other = (side: Side): Side => (side === "home" ? "away" : "home");

export function readCricket<Row extends { code: string; input: Json }>(events: readonly Row[], ballsPerOver = 6): Cricket<Row> {
  const now: Cricket<Row> = {
    innings: 0, batting: null, count: 0, ballsPerOver, inOver: 0, over: [], overDone: false, striker: null, nonStriker: null,
    bowler: null, lastBowler: null, bowlerBefore: null, out: new Set(), squads: { home: new Set(), away: new Set() },
  };
  for (const row of events) {
    if (row.code === "cricket.innings") innings(now, row.input, ballsPerOver);
    else if (row.code === "cricket.ball") ball(now, row);
    else if (row.code === "cricket.over_end") endOver(now);
    else if (row.code === "cricket.retire") leaves(now, text(row.input["batter"]), row.input["kind"] === "out");
  }
  return now;
}

function innings<Row>(now: Cricket<Row>, input: Json, ballsPerOver: number): void {
  if (input["action"] === "end") {
    now.batting = null;
    return;
  }
  const { squads, innings: before } = now;
  Object.assign(now, {
    innings: before + 1, batting: input["batting"] === "away" ? "away" : "home", count: 0, inOver: 0, over: [], overDone: false,
    striker: null, nonStriker: null, bowler: null, lastBowler: null, bowlerBefore: null, out: new Set(), squads,
    ballsPerOver: number(input["balls_per_over"]) || ballsPerOver,
  });
}

function ball<Row extends { input: Json }>(now: Cricket<Row>, row: Row): void {
  const { input } = row;
  const runs = record(input["runs"]);
  const extras = record(runs["extras"]);
  const wides = number(extras["wides"]);
  const noballs = number(extras["noballs"]);
  if (now.overDone) {
    now.over = [];
    now.overDone = false;
  }
  now.count += 1;
  now.over.push(row);
  now.striker = text(input["batter"]);
  now.nonStriker = text(input["non_striker"]);
  now.bowler = text(input["bowler"]) ?? now.bowler;
  know(now);
  const ran = number(runs["batter"]) + number(extras["byes"]) + number(extras["legbyes"]) + Math.max(0, wides - 1) + Math.max(0, noballs - 1);
  if (ran % 2 === 1) swap(now);
  for (const wicket of Array.isArray(input["wickets"]) ? input["wickets"].map(record) : []) {
    const kind = text(wicket["kind"]) ?? "";
    leaves(now, text(wicket["player_out"]), !/not.?out|hurt/.test(kind));
  }
  if (wides === 0 && noballs === 0 && input["in_over"] !== false) now.inOver += 1;
  if (now.inOver >= now.ballsPerOver) endOver(now);
}

function know<Row>(now: Cricket<Row>): void {
  if (now.batting === null) return;
  for (const name of [now.striker, now.nonStriker]) if (name !== null) now.squads[now.batting].add(name);
  if (now.bowler !== null) now.squads[other(now.batting)].add(now.bowler);
}

function swap<Row>(now: Cricket<Row>): void {
  [now.striker, now.nonStriker] = [now.nonStriker, now.striker];
}

function leaves<Row>(now: Cricket<Row>, name: string | null, out: boolean): void {
  if (name === null) return;
  if (out) now.out.add(name);
  if (now.striker === name) now.striker = null;
  if (now.nonStriker === name) now.nonStriker = null;
}

function endOver<Row>(now: Cricket<Row>): void {
  now.inOver = 0;
  now.overDone = true;
  now.bowlerBefore = now.lastBowler;
  now.lastBowler = now.bowler;
  now.bowler = null;
  swap(now);
}
