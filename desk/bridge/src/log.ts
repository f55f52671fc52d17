// The log as a person reads it: which rows still stand, and what they read as now. The same rules as the server's
// corrected log (sports.md, corrections), so that undo names the right row. Pure.
import type { TimelineItem } from "./generated/wire.js";

export interface LogRow {
  item: TimelineItem;
  /** What happened: the item's own code, or for an inserted event the code that was inserted. */
  code: string;
  /** As it reads now, after the newest amend that stands. */
  input: Record<string, unknown>;
  /** seq of the row that made this one void; null: it stands. */
  voidedBy: number | null;
  amendedBy: number | null;
  /** seq this event stands directly before, when it was put in afterwards. */
  insertedBefore: number | null;
  /** A void, amend or cancelled range: it changes how others read and is no event of its own. */
  correction: boolean;
}

const corrections = new Set(["match.void", "match.amend", "match.cancel_range"]);

function voidedBy(items: readonly TimelineItem[]): Map<number, number> {
  const by = new Map<number, number>();
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i]!;
    if (by.has(item.seq)) continue; // a correction that is void has no effect
    for (const seq of item.voids ?? []) if (!by.has(seq)) by.set(seq, item.seq);
  }
  return by;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** `items` in seq order; it may begin later than the match does. */
export function readLog(items: readonly TimelineItem[]): LogRow[] {
  const voids = voidedBy(items);
  const amends = new Map<number, TimelineItem>();
  for (const item of items) {
    if (item.code === "match.amend" && item.replaces !== undefined && !voids.has(item.seq)) amends.set(item.replaces, item);
  }
  return items.map((item) => {
    const inserted = item.code === "match.insert";
    const amend = amends.get(item.seq);
    const own = inserted ? record(item.input["input"]) : item.input;
    return {
      item,
      code: inserted && typeof item.input["code"] === "string" ? item.input["code"] : item.code,
      input: amend === undefined ? own : record(amend.input["input"]),
      voidedBy: voids.get(item.seq) ?? null,
      amendedBy: amend?.seq ?? null,
      insertedBefore: inserted && typeof item.input["before"] === "number" ? item.input["before"] : null,
      correction: corrections.has(item.code),
    };
  });
}

/** The events that stand, in the order a sport sees them: an inserted one directly before its target. */
export function standing(rows: readonly LogRow[]): LogRow[] {
  const before = new Map<number, LogRow[]>();
  const main: LogRow[] = [];
  for (const row of rows) {
    if (row.voidedBy !== null || row.correction) continue;
    if (row.insertedBefore === null) main.push(row);
    else before.set(row.insertedBefore, [...(before.get(row.insertedBefore) ?? []), row]);
  }
  const out: LogRow[] = [];
  const place = (row: LogRow): void => {
    const earlier = before.get(row.item.seq) ?? [];
    before.delete(row.item.seq);
    earlier.forEach(place);
    out.push(row);
  };
  main.forEach(place);
  for (const rest of before.values()) rest.forEach(place); // their target is void or older than what is loaded
  return out;
}

/** Rows that are no event on the field: nobody means them by "undo". */
const aside = (code: string): boolean => code === "match.note" || code === "match.void" || code === "match.rebuild" || /^(games|results|ops)\./.test(code);

/** What "undo" takes back: the newest row that stands, counted events included. An undo is not undone by the next undo. */
export function undoTarget(rows: readonly LogRow[]): LogRow | null {
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i]!;
    if (row.voidedBy === null && !aside(row.item.code)) return row;
  }
  return null;
}

/** What "replace" is about: the newest event that stands, however often it was changed. */
export function lastEvent(rows: readonly LogRow[]): LogRow | null {
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i]!;
    if (row.voidedBy === null && !row.correction && !aside(row.item.code)) return row;
  }
  return null;
}

/** What "redo" takes back: the newest undo that stands, if nothing was played since. An undo that took back an undo is a
 * redo itself: the next redo goes on behind it. */
export function redoTarget(rows: readonly LogRow[]): LogRow | null {
  const undos = new Set(rows.filter((row) => row.item.code === "match.void").map((row) => row.item.seq));
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i]!;
    if (!row.item.play || row.voidedBy !== null) continue;
    if (row.item.code !== "match.void") return null;
    if (!undos.has(row.item.input["seq"] as number)) return row;
  }
  return null;
}
