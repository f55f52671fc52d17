// A desk that takes a match over says so in the log. What another desk kept for that match from before is its own to send
// or drop, by hand: what the log says meanwhile is known before anything of it goes out. Pure, but for `readSince`.
import type { TimelineItem } from "./generated/wire.js";
import { isStopped, seenOf } from "./outbox_rules.js";
import type { Entry } from "./outbox_store.js";

const prefix = "Take-over: ";
const sentence = /^Take-over: (.+) scores this match now\.$/;

/** The text of the note with which a desk takes a match over. */
export function takeOverText(desk: string): string {
  return `${prefix}${desk} scores this match now.`;
}

export function isTakeOver(one: { code: string; input: Record<string, unknown> }): boolean {
  const text = one.code === "match.note" ? one.input["text"] : null;
  return typeof text === "string" && text.startsWith(prefix);
}

/** How this device is known in the log. */
export interface Own {
  /** The name it sends under. The server may name its rows after its token instead, and so do others with that token. */
  sender: string;
  /** Keys that it made. */
  keys: ReadonlySet<string>;
}

/** The name in the note itself tells two desks with one token apart. */
function isOwn(item: TimelineItem, own: Own): boolean {
  return own.keys.has(item.key) || item.sender === own.sender || item.input["text"] === takeOverText(own.sender);
}

export interface TakenOver {
  /** The desk, and the sender the server knows it by where that is another name. */
  by: string;
  sender: string;
  at: string;
  seq: number;
}

/** The last take-over in `items`, if it is another desk's; null: there is none, or the last one is this device's own. */
export function takenOver(items: readonly TimelineItem[], own: Own): TakenOver | null {
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i]!;
    if (!isTakeOver(item)) continue;
    if (isOwn(item, own)) return null;
    const desk = sentence.exec(String(item.input["text"]))?.[1] ?? item.sender;
    return { by: desk === item.sender ? desk : `${desk} (${item.sender})`, sender: item.sender, at: item.at, seq: item.seq };
  }
  return null;
}

/** What of a subject's queue is sent next: its oldest entry; while that waits for the person, a take-over, which stands on
 * nothing before it. null: nothing. */
export function nextToSend(queue: readonly Entry[]): Entry | null {
  const head = queue[0];
  if (head === undefined || !isStopped(head)) return head ?? null;
  return queue.find((entry) => !isStopped(entry) && isTakeOver(entry)) ?? null;
}

/** Rows of a log, all of them after `from`. */
export interface Look {
  from: number;
  rows: readonly TimelineItem[];
  /** Device time at which the link was live and the reading began; null: it was not live all the while. */
  sure: number | null;
}

/** What a look at the log means for an entry of that match; null: nothing. */
export function heed(entry: Entry, look: Look, own: Own): Entry | null {
  if (entry.logged === true || entry.state === "conflict") return null;
  // Its row is there: what is missing is the answer, and the same key sent again brings it.
  if (look.rows.some((row) => row.key === entry.key)) {
    return { ...entry, logged: true, hold: null, state: entry.state === "held" ? "waiting" : entry.state };
  }
  if (isStopped(entry) || isTakeOver(entry)) return null;
  const seen = seenOf(entry);
  const taken = takenOver(look.rows.filter((row) => row.seq > seen), own);
  const upTo = look.rows[look.rows.length - 1]?.seq ?? look.from;
  if (taken !== null) {
    return { ...entry, state: "held", hold: { why: "taken", by: taken.by, at: taken.at }, seen: Math.max(seen, upTo), sure_at: null };
  }
  if (seen < look.from) return null; // it came to the queue while the log was read: what lies between was not looked at
  return { ...entry, seen: Math.max(seen, upTo), sure_at: look.sure ?? entry.sure_at ?? null };
}

/** A take-over, or the row of an entry whose answer got lost, has just come over the link. */
export function heedRow(entry: Entry, item: TimelineItem, own: Own): Entry | null {
  if (entry.state === "sending") return null; // its answer is on the way; before another try the log is read
  if (item.key !== entry.key && !isTakeOver(item)) return null;
  const next = heed(entry, { from: item.seq, rows: [item], sure: null }, own);
  return next === null || next.state === entry.state ? null : next;
}

/** Rows of one answer; the server gives no more than 1,000. */
const pageMax = 500;

/** The log after `after`, to its end. */
export async function readSince(read: (after: number, limit: number) => Promise<TimelineItem[]>, after: number): Promise<TimelineItem[]> {
  const rows: TimelineItem[] = [];
  for (;;) {
    const page = await read(rows[rows.length - 1]?.seq ?? after, pageMax);
    rows.push(...page);
    if (page.length < pageMax) return rows;
  }
}
