import type { Link } from "./client.js";
import type { Entry, Settled } from "./outbox_store.js";

/** What became of something a person entered. Shown in words, never by colour alone. */
export type FieldState = "saved" | "saving" | "waiting" | "refused" | "conflict" | "dropped";

/** A first try that takes longer is shown as waiting. Milliseconds. */
const savingMs = 2_000;

/** The state of an entry still in the queue. `saving` is its first try on a live link; anything longer is `waiting`. */
export function entryState(entry: Entry, link: Link, now = Date.now()): FieldState {
  if (entry.state === "conflict") return "conflict";
  if (entry.state === "held" || link.state !== "live" || entry.tries > 1 || now - Date.parse(entry.made_at) > savingMs) return "waiting";
  return "saving";
}

export function settledState(done: Settled): FieldState {
  return done.outcome === "accepted" ? "saved" : done.outcome;
}

/** One sentence for a person, and what they can do next. */
export function sayState(state: FieldState, reason?: { message: string; law?: string } | null): string {
  switch (state) {
    case "saved":
      return "Saved.";
    case "saving":
      return "Saving…";
    case "waiting":
      return "Waiting: kept on this device, sent when the server can be reached.";
    case "refused":
      return `Refused: ${reason?.message ?? "the rules say no."}${reason?.law === undefined ? "" : ` (${reason.law})`}`;
    case "conflict":
      return "Conflict: the match moved on. Decide for mine or theirs.";
    case "dropped":
      return "Taken back before it was saved. Nothing was changed.";
  }
}
