// Times and names in words.
import type { Entry, Fixture, Link, Scoreboard, Side } from "@omnium/bridge";

/** How long: "5 min". */
export function span(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

export function ago(ms: number): string {
  return ms < 1500 ? "just now" : `${span(ms)} ago`;
}

export function clockTime(at: string | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

/** Why an entry is held back, in a sentence; it waits for the person's word. */
export function sayHeld(entry: Pick<Entry, "hold" | "answer">): string {
  const { hold, answer } = entry;
  if (hold?.why === "taken") return `${hold.by} took this match over at ${clockTime(hold.at)}.`;
  if (hold?.why === "unread") return `Whether another desk took this match over cannot be read: ${hold.message}`;
  return answer?.reason?.message ?? "It was held back.";
}

export function dayTime(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const year = date.getFullYear() === new Date().getFullYear() ? {} : ({ year: "numeric" } as const);
  return date.toLocaleString([], { day: "numeric", month: "short", ...year, hour: "2-digit", minute: "2-digit", hour12: false });
}

export function nameOf(fixture: Fixture | null, side: Side): string {
  const name = fixture?.sides[side].name ?? "";
  return name === "" ? (side === "home" ? "Home" : "Away") : name;
}

export function shortOf(fixture: Fixture | null, side: Side): string {
  const one = fixture?.sides[side];
  return one?.short ?? (one?.name.slice(0, 3).toUpperCase() || (side === "home" ? "HOM" : "AWY"));
}

export function sayLink(link: Link, now: number): string {
  if (link.polling && link.state !== "not_signed_in") return "No live link, reading every few seconds";
  switch (link.state) {
    case "live":
      return "Live";
    case "connecting":
    case "idle":
      return "Connecting…";
    case "waiting": {
      const s = Math.max(0, Math.ceil(((link.retryAt ?? now) - now) / 1000));
      return s > 0 ? `Offline, next try in ${s} s` : "Offline, trying…";
    }
    case "not_signed_in":
      return "Not signed in";
    case "stopped":
      return "Stopped";
  }
}

export function sayCount(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export function capital(text: string): string {
  return text === "" ? "" : text[0]!.toUpperCase() + text.slice(1);
}

/** "added_time" and "legbyes" as a person would write them. */
export function plain(word: string): string {
  return capital(word.replace(/[_.]+/g, " "));
}

/** How a match ended that was never played, e.g. "Abandoned"; null: it was played, or goes on. Its line has no figures. */
export function unplayed(board: Scoreboard | null): string | null {
  const outcome = board?.status === "ended" ? (board["outcome"] as { reason?: unknown } | undefined) : undefined;
  if (board === null || typeof outcome?.reason !== "string" || outcome.reason === "completed") return null;
  const how = outcome.reason.replace(/_/g, " ");
  return board.line === how || board.line.startsWith(`${how}, `) ? capital(board.line) : null;
}

/** Is there a score to show? */
export function scored(status: string, board: Scoreboard | null): boolean {
  return status !== "scheduled" && unplayed(board) === null;
}

/** What the line says beside the score, where the score stands already: "0–0 (1')" is "1'". */
export function besideScore(board: Scoreboard): string {
  const both = /^(\w+)[–-](\w+)\s*/.exec(board.line);
  if (both === null || both[1] !== String(board.score.home) || both[2] !== String(board.score.away)) return board.line;
  return board.line.slice(both[0].length).replace(/^\(([^()]*)\)/, "$1").replace(/^, /, "");
}
