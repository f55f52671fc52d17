// What an answer means for the entry it is about and for those queued behind it. Pure.
import type { Answer, Saw } from "./generated/wire.js";
import type { Entry, Settled, SettledAs } from "./outbox_store.js";

/** Does it wait for the person's word, and all behind it with it? */
export const isStopped = (entry: Entry): boolean => entry.state === "conflict" || entry.state === "held";

/** The settled row of an answered entry; a duplicate stands for the answer given the first time. */
export function settledAs(entry: Entry, answer: Answer): SettledAs {
  const first = answer.outcome === "duplicate" ? (answer.first ?? answer) : answer;
  const accepted = first.outcome === "accepted" || (answer.outcome === "duplicate" && answer.seq !== null);
  return {
    key: entry.key,
    outcome: accepted ? "accepted" : "refused",
    seq: accepted ? (answer.seq ?? first.seq) : null,
    stood_on: accepted && entry.play ? (entry.saw.play ?? null) : null,
    answer,
    at: new Date().toISOString(),
  };
}

/** The person keyed `later` with `done` on the screen before it: it stands on the log row `done` became. */
export function followed(later: Entry, entry: Entry, done: Pick<Settled, "outcome" | "seq">): Entry | null {
  if (done.outcome !== "accepted" || done.seq === null || later.n < entry.n || later.tries > 0 && later.state === "sending") return null;
  const saw: Saw = { ...later.saw };
  if (entry.play && saw.play !== undefined) saw.play = Math.max(saw.play, done.seq);
  if (saw.rows !== undefined && entry.saw.rows !== undefined) {
    saw.rows = { ...saw.rows };
    for (const row of Object.keys(entry.saw.rows)) if (row in saw.rows) saw.rows[row] = done.seq;
  }
  return { ...later, saw };
}

/** What an entry had seen, its own sender's earlier plays included: an answer may reach the queue before the change
 * reaches the screen the next entry is keyed on. `own` are settled entries of the same subject. */
export function onTopOfOwn(entry: Entry, own: readonly Settled[]): Saw {
  let play = entry.saw.play;
  if (play === undefined) return entry.saw;
  const next = new Map<number, number>();
  for (const done of own) if (done.n < entry.n && done.stood_on !== null && done.seq !== null) next.set(done.stood_on, done.seq);
  for (let seq = next.get(play); seq !== undefined; seq = next.get(seq)) play = seq;
  return { ...entry.saw, play };
}

/** "Mine": the same command on top of what the person has now been shown. An entry held back goes on as it was. */
export function releaseHeld(entry: Entry): Entry | null {
  if (!isStopped(entry)) return null;
  const conflict = entry.answer?.conflict;
  const saw: Saw = { ...entry.saw };
  if (conflict != null) {
    if (saw.play !== undefined && typeof conflict.play === "number") saw.play = conflict.play;
    if (saw.rows !== undefined) {
      saw.rows = { ...saw.rows };
      for (const row of conflict.rows) {
        const id = row["row"] ?? row["id"];
        if (typeof id === "string" && typeof row["changed_seq"] === "number" && id in saw.rows) saw.rows[id] = row["changed_seq"];
      }
    }
  }
  return { ...entry, saw, state: "waiting", answer: null };
}
