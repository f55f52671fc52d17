// What the boards of single sports add to the scoreboard, read leniently: a member that is missing is left out of the picture.
import type { Scoreboard, Side } from "@omnium/bridge";

type Json = Record<string, unknown>;

export const record = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
export const records = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);
export const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : typeof value === "number" || typeof value === "bigint" ? String(value) : null);
export const number = (value: unknown): number => (typeof value === "number" ? value : 0);
export const side = (value: unknown): Side | null => (value === "home" || value === "away" ? value : null);
export const both: readonly Side[] = ["home", "away"];

export interface Goal {
  side: Side;
  minute: string;
  scorer: string | null;
  kind: string;
}

export function goals(board: Scoreboard): Goal[] {
  return records(board["goals"]).flatMap((one) => {
    const credited = side(one["side"]);
    return credited === null ? [] : [{ side: credited, minute: text(one["minute"]) ?? "", scorer: text(one["scorer"]), kind: text(one["kind"]) ?? "" }];
  });
}

export interface Innings {
  batting: Side | null;
  kind: string;
  runs: number;
  wickets: number;
  balls: number;
  overs: string;
  extras: number;
  target: number | null;
  declared: boolean;
  closed: boolean;
}

export function inningsOf(board: Scoreboard): Innings[] {
  return records(board["innings"]).map((one) => ({
    batting: side(one["batting"]),
    kind: text(one["kind"]) ?? "normal",
    runs: number(one["runs"]),
    wickets: number(one["wickets"]),
    balls: number(one["balls"]),
    overs: text(one["overs"]) ?? "0.0",
    extras: Object.values(record(one["extras"])).reduce<number>((sum, value) => sum + number(value), 0),
    target: typeof one["target"] === "number" ? one["target"] : typeof record(one["target"])["runs"] === "number" ? number(record(one["target"])["runs"]) : null,
    declared: one["declared"] === true,
    closed: one["closed"] === true,
  }));
}

export function runsText(one: Innings): string {
  return one.wickets === 10 ? String(one.runs) : `${one.runs}/${one.wickets}${one.declared ? "d" : ""}`;
}

/** The winner and by how much, in words; null while there is no result. */
export function cricketResult(board: Scoreboard, name: (side: Side) => string): string | null {
  const result = record(board["result"]);
  const winner = side(result["winner"]);
  const by = record(result["by"]);
  const method = text(result["method"]);
  const tail = method === null ? "" : ` (${method})`;
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
  if (winner !== null) {
    const decider = text(result["decider"]);
    if (decider !== null) return `Tied; ${name(winner)} won the ${decider.replace(/_/g, " ")}${tail}`;
    if (typeof by["innings"] === "number") return `${name(winner)} won by an innings and ${plural(number(by["runs"]), "run")}${tail}`;
    if (typeof by["wickets"] === "number") return `${name(winner)} won by ${plural(by["wickets"], "wicket")}${tail}`;
    if (typeof by["runs"] === "number") return `${name(winner)} won by ${plural(by["runs"], "run")}${tail}`;
    return `${name(winner)} won${tail}`;
  }
  if (result["tie"] === true) return `Tied${tail}`;
  if (result["draw"] === true) return "Drawn";
  return result["no_result"] === true ? "No result" : null;
}
