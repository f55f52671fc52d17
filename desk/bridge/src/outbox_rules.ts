// What an answer means for the entry it is about and for those queued behind it. Pure.
import type { Answer, CommandIn, Saw } from "./generated/wire.js";
import type { Entry, Settled, SettledAs } from "./outbox_store.js";

/** Does it wait for the person's word, and all behind it with it? */
export const isStopped = (entry: Entry): boolean => entry.state === "conflict" || entry.state === "held";

/** The queue stood still for a while: the log is read before the entry is sent. */
export const unsure = (entry: Entry): Entry | null => (typeof entry.sure_at === "number" ? { ...entry, sure_at: null } : null);

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

/** The log up to here was before the person when the entry was made, or was looked at since. */
export const seenOf = (entry: Entry): number => entry.seen ?? entry.saw.play ?? 0;

/** "Mine": the same command on top of what the person has now been shown, the log up to `shown` included: no take-over
 * before it stops the entry again. An entry held back goes on as it was. */
export function releaseHeld(entry: Entry, shown = 0): Entry | null {
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
  const blind = entry.blind === true || entry.hold?.why === "unread";
  return { ...entry, saw, state: "waiting", answer: null, hold: null, blind, seen: Math.max(seenOf(entry), shown), sure_at: null };
}

/** What is sent of an entry, the same on every try. */
export function bodyOf(entry: Entry): CommandIn {
  return { key: entry.key, code: entry.code, input: entry.input, sender: entry.sender, saw: entry.saw, sent_at: entry.made_at };
}

/** Given up: `answer` says why, when not the person did. */
export function dropped(key: string, answer: Answer | null): SettledAs {
  return { key, outcome: "dropped", seq: null, stood_on: null, answer, at: new Date().toISOString() };
}
