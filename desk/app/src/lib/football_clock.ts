// The match clock of football, drawn from the log and the server's clock: no tick is ever sent.
import { standing, type LogRow } from "@omnium/bridge";

const starts: Record<string, number> = { H1: 0, H2: 45, ET1: 90, ET2: 105 };
const lengths: Record<string, number> = { H1: 45, H2: 45, ET1: 15, ET2: 15 };
export const periodNames: Record<string, string> = { H1: "First half", H2: "Second half", ET1: "Extra time 1", ET2: "Extra time 2", PSO: "Shoot-out" };

export interface FootballClock {
  /** The period in play, or the last one played; null before kick-off. */
  period: string | null;
  running: boolean;
  /** The period has ended; else a clock that does not run was stopped in it. */
  over: boolean;
  /** Seconds on the match clock: 45:00 at the start of the second half. */
  seconds: number;
  /** The minute an event keyed now falls into: "46", "45+2". Empty before kick-off and in a shoot-out. */
  minute: string;
}

export function footballClock(rows: readonly LogRow[], now: number): FootballClock {
  let period: string | null = null;
  let from = 0;
  let played = 0;
  let running = false;
  let over = false;
  for (const { code, input, item } of standing(rows)) {
    const at = Date.parse(item.at);
    if (code === "football.period") over = input["action"] === "end";
    if (code === "football.period" && input["action"] === "start") {
      period = String(input["period"]);
      from = at;
      played = 0;
      running = period !== "PSO";
    } else if (running && (code === "match.suspend" || code === "match.end" || (code === "football.period" && input["action"] === "end"))) {
      played += at - from;
      running = false;
    } else if (code === "match.resume" && period !== null && period !== "PSO") {
      from = at;
      running = true;
    }
  }
  if (period === null || !(period in starts)) return { period, running: false, over, seconds: 0, minute: "" };
  const inPeriod = Math.max(0, Math.floor((played + (running ? now - from : 0)) / 1000));
  return { period, running, over, seconds: starts[period]! * 60 + inPeriod, minute: minuteText(period, inPeriod) };
}

/** A clock that does not run, in words. */
export function pauseText({ period, over }: FootballClock): string {
  if (period === null) return "";
  const name = periodNames[period] ?? period;
  if (period === "PSO") return name;
  if (!over) return `${name}, stopped`;
  return period === "H1" ? "Half time" : `${name} over`;
}

function minuteText(period: string, inPeriod: number): string {
  const start = starts[period]!;
  const length = lengths[period]!;
  const minute = Math.floor(inPeriod / 60) + 1;
  return minute <= length ? String(start + minute) : `${start + length}+${minute - length}`;
}

export function clockText(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
