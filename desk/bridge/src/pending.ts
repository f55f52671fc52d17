// The log as it will be when this device's queue is through: what a desk needs to know what comes next. Pure.
import type { TimelineItem } from "./generated/wire.js";
import { isStopped } from "./outbox_rules.js";
import type { Entry, Settled } from "./outbox_store.js";

function asItem(seq: number, one: { code: string; input: Record<string, unknown>; play: boolean; key: string }, at: string, sender: string): TimelineItem {
  const item: TimelineItem = { seq, code: one.code, play: one.play, input: one.input, sender, key: one.key, at };
  const target = one.input["seq"];
  if (typeof target !== "number") return item;
  if (one.code === "match.void") item.voids = [target];
  if (one.code === "match.amend") item.replaces = target;
  return item;
}

/** An accepted row that has not come back after this long never will: the server's log is another one. Milliseconds. */
const comingMs = 15_000;

/** `items` with what was accepted but has not come back over the socket yet, and then what waits, as rows of their own.
 * A command whose row came back before its answer is that row, once. Entries from a conflict on are left out: nobody has
 * decided that they happen. `offsetMs`: server minus device. */
export function withPending(items: readonly TimelineItem[], entries: readonly Entry[], settled: readonly Settled[], now = Date.now(), offsetMs = 0): TimelineItem[] {
  const serverTime = (at: string): string => new Date(Date.parse(at) + offsetMs).toISOString();
  const out = [...items];
  let last = items[items.length - 1]?.seq ?? 0;
  const accepted = settled.filter((done) => done.outcome === "accepted" && done.seq !== null && done.seq > last && now - Date.parse(done.at) < comingMs);
  accepted.sort((a, b) => a.seq! - b.seq!);
  for (const done of accepted) out.push(asItem(done.seq!, done, serverTime(done.at), ""));
  last = Math.max(last, accepted[accepted.length - 1]?.seq ?? 0);
  const waiting = new Set(entries.map((entry) => entry.key));
  const places = new Map<string, number>();
  if (waiting.size > 0) for (const item of out) if (waiting.has(item.key)) places.set(item.key, item.seq);
  for (const entry of entries) {
    if (places.has(entry.key)) continue;
    if (isStopped(entry)) break;
    last += 1;
    places.set(entry.key, last);
    const input = { ...entry.input };
    for (const ref of entry.refs) if (ref.member !== null) input[ref.member] = places.get(ref.key) ?? input[ref.member];
    out.push(asItem(last, { ...entry, input }, serverTime(entry.made_at), entry.sender));
  }
  return out;
}
