// Just enough of three sports to give the mock server scoreboards. The real rules live in the server's plugins.
import type { Scoreboard } from "../../src/index.js";

export interface Event {
  seq: number;
  code: string;
  input: Record<string, any>;
}
export type Fold = (events: Event[]) => Scoreboard;

const status = (events: Event[]): string => {
  if (events.some((e) => e.code === "match.end")) return "ended";
  return events.some((e) => e.code === "match.start") ? "live" : "scheduled";
};

const football: Fold = (events) => {
  const score = { home: 0, away: 0 };
  const goals: unknown[] = [];
  let period: string | null = null;
  const cards = { home: { yellow: 0, red: 0 }, away: { yellow: 0, red: 0 } };
  for (const { code, input } of events) {
    if (code === "football.period") period = input["action"] === "start" ? input["period"] : `${input["period"]}-end`;
    if (code === "football.card") cards[input["side"] as "home"][input["card"] === "yellow" ? "yellow" : "red"] += 1;
    if (code !== "football.goal") continue;
    score[input["side"] as "home"] += 1;
    goals.push({ side: input["side"], minute: input["minute"], scorer: input["scorer"] ?? null, kind: input["kind"] });
  }
  return { status: status(events), period, score, line: `${score.home}–${score.away}`, shootout: null, minute: null, cards, goals };
};

const curling: Fold = (events) => {
  const ends: any[] = [];
  let hammer: string | null = null;
  let stones = 0;
  for (const { code, input } of events) {
    if (code === "curling.hammer") hammer = input["side"];
    if (code === "curling.end") ends.push({ home: 0, away: 0, hammer, blank: false, played: false });
    if (code === "curling.stone") stones += 1;
    if (code !== "curling.end_score" || ends.length === 0) continue;
    const end = ends[ends.length - 1];
    end.played = true;
    stones = 0;
    if (input["side"] === undefined) end.blank = true;
    else {
      end[input["side"]] = input["points"];
      hammer = input["side"] === "home" ? "away" : "home";
    }
  }
  const score = { home: 0, away: 0 };
  for (const end of ends) (score.home += end.home), (score.away += end.away);
  return { status: status(events), period: ends.length, score, line: `${score.home}–${score.away}`, ends, hammer, stones_thrown: stones };
};

const cricket: Fold = (events) => {
  const innings: any[] = [];
  const score = { home: 0, away: 0 };
  let batting: any[] = [];
  let bowling: any = null;
  for (const { code, input } of events) {
    if (code === "cricket.innings" && input["action"] === "start") {
      innings.push({ batting: input["batting"], kind: input["kind"], runs: 0, wickets: 0, balls: 0, overs: "0.0", extras: { wides: 0, noballs: 0, byes: 0, legbyes: 0, penalty: 0 }, closed: false });
      batting = [];
      bowling = null;
    }
    const now = innings[innings.length - 1];
    if (code === "cricket.innings" && input["action"] === "end" && now) now.closed = true;
    if (code !== "cricket.ball" || !now) continue;
    const extras = input["runs"].extras ?? {};
    const total = input["runs"].batter + Object.values(extras as Record<string, number>).reduce((a, b) => a + b, 0);
    for (const [kind, runs] of Object.entries(extras)) now.extras[kind] += runs as number;
    const legal = !extras.wides && !extras.noballs;
    now.runs += total;
    now.wickets += (input["wickets"] ?? []).length;
    now.balls += legal ? 1 : 0;
    now.overs = `${Math.floor(now.balls / 6)}.${now.balls % 6}`;
    for (const name of [input["batter"], input["non_striker"]]) if (!batting.some((b) => b.batter === name)) batting.push({ batter: name, runs: 0, balls: 0, fours: 0, sixes: 0 });
    const card = batting.find((b) => b.batter === input["batter"]);
    card.runs += input["runs"].batter;
    card.balls += extras.wides ? 0 : 1;
    card.fours += input["runs"].batter === 4 ? 1 : 0;
    card.sixes += input["runs"].batter === 6 ? 1 : 0;
    for (const out of input["wickets"] ?? []) batting = batting.filter((b) => b.batter !== out.player_out);
    if (bowling?.bowler !== input["bowler"]) bowling = { bowler: input["bowler"], balls: 0, maidens: 0, runs: 0, wickets: 0 };
    bowling.balls += legal ? 1 : 0;
    bowling.runs += total;
    bowling.wickets += (input["wickets"] ?? []).length;
    score[now.batting as "home"] += total;
  }
  const last = innings[innings.length - 1];
  return { status: status(events), period: innings.length, score, line: last ? `${last.runs}/${last.wickets} (${last.overs})` : "", innings, batting, bowling, result: {} };
};

const generic: Fold = (events) => {
  const score = { home: 0, away: 0 };
  for (const { input } of events) {
    const side = input["winner"] ?? input["side"];
    if (side === "home" || side === "away") score[side as "home"] += 1;
  }
  return { status: status(events), period: 1, score, line: `${score.home}–${score.away}` };
};

export const folds: Record<string, Fold> = { football, curling, cricket, generic };
