import { describe, expect, it } from "vitest";
import { lastEvent, readLog, redoTarget, ServerClock, standing, undoTarget, withPending, type Entry, type TimelineItem } from "../src/index.js";

const item = (seq: number, code = "x.event", more: Partial<TimelineItem> = {}): TimelineItem => ({
  seq, code, play: true, input: {}, sender: "d", key: `k${seq}`, at: "2026-01-01T00:00:00.000Z", ...more,
});
const undo = (seq: number, of: number): TimelineItem => item(seq, "match.void", { input: { seq: of }, voids: [of] });

describe("a log with corrections", () => {
  it("leaves out what was undone, and brings it back when the undo is undone", () => {
    expect(standing(readLog([item(1), item(2), undo(3, 2)])).map((row) => row.item.seq)).toEqual([1]);
    expect(standing(readLog([item(1), item(2), undo(3, 2), undo(4, 3)])).map((row) => row.item.seq)).toEqual([1, 2]);
  });

  it("reads a changed event as its newest change that stands", () => {
    const amend = (seq: number, n: number): TimelineItem => item(seq, "match.amend", { input: { seq: 1, input: { n } }, replaces: 1 });
    expect(standing(readLog([item(1), amend(2, 5), amend(3, 6)]))[0]!.input).toEqual({ n: 6 });
    expect(standing(readLog([item(1), amend(2, 5), amend(3, 6), undo(4, 3)]))[0]!.input).toEqual({ n: 5 });
  });

  it("puts an inserted event directly before its target, several in log order", () => {
    const put = (seq: number, n: number): TimelineItem => item(seq, "match.insert", { input: { before: 2, code: "x.late", input: { n } } });
    const rows = standing(readLog([item(1), item(2), put(3, 1), put(4, 2)]));
    expect(rows.map((row) => [row.item.seq, row.code])).toEqual([[1, "x.event"], [3, "x.late"], [4, "x.late"], [2, "x.event"]]);
  });

  it("undoes one further back each time, and redoes only the newest undo", () => {
    const rows = readLog([item(1), item(2), undo(3, 2)]);
    expect(undoTarget(rows)?.item.seq).toBe(1);
    expect(redoTarget(rows)?.item.seq).toBe(3);
    expect(redoTarget(readLog([item(1), undo(2, 1), item(3)]))).toBeNull();
    expect(undoTarget(readLog([item(1, "match.note", { play: false }), item(2, "games.edit_competitor", { play: false }), item(3, "match.rebuild", { play: false })]))).toBeNull();
  });

  it("redoes one undo further back each time, never a redo", () => {
    const twice = [item(1), item(2), undo(3, 2), undo(4, 1)];
    expect(redoTarget(readLog([...twice, undo(5, 4)]))?.item.seq).toBe(3);
    expect(redoTarget(readLog([...twice, undo(5, 4), undo(6, 3)]))).toBeNull();
    expect(redoTarget(readLog([item(1), undo(2, 1), undo(3, 2), undo(4, 1)]))?.item.seq).toBe(4);
    expect(redoTarget(readLog([item(1), undo(2, 1), item(3, "x.counted", { play: false })]))?.item.seq).toBe(2);
  });

  it("undoes a counted event that was keyed last, and replaces an event again after a replacement", () => {
    expect(undoTarget(readLog([item(1), item(2, "x.counted", { play: false })]))?.item.seq).toBe(2);
    const rows = readLog([item(1), item(2), item(3, "match.amend", { input: { seq: 2, input: { n: 1 } }, replaces: 2 })]);
    expect(lastEvent(rows)?.item.seq).toBe(2);
    expect(undoTarget(rows)?.item.seq).toBe(3);
  });
});

describe("the log with what waits", () => {
  const entry = (n: number, code: string, more: Partial<Entry> = {}): Entry => ({
    n, key: `e${n}`, subject: "fixture/a", workflow: "x", kind: "fixture", ref: "a", code, input: {}, sender: "d", saw: {}, play: true,
    refs: [], made_at: "2026-01-01T00:00:00.000Z", tries: 0, state: "waiting", answer: null, label: "", ...more,
  });

  it("shows entries behind the server's rows, an undo of a waiting entry included", () => {
    const rows = readLog(withPending([item(1)], [entry(1, "x.event"), entry(2, "match.void", { input: { seq: 0 }, refs: [{ member: "seq", key: "e1" }] })], []));
    expect(rows.map((row) => [row.item.seq, row.voidedBy])).toEqual([[1, null], [2, 3], [3, null]]);
  });

  it("leaves out a conflict and what waits behind it", () => {
    expect(withPending([item(1)], [entry(1, "x.event", { state: "conflict" }), entry(2, "x.event")], []).length).toBe(1);
  });

  it("counts a command once whose row comes back before its answer", () => {
    const back = item(2, "x.event", { key: "e1" });
    const undone = entry(2, "match.void", { input: { seq: 2 }, refs: [{ member: "seq", key: "e1" }] });
    expect(withPending([item(1), back], [entry(1, "x.event", { state: "sending" })], []).map((one) => one.seq)).toEqual([1, 2]);
    expect(readLog(withPending([item(1), back], [entry(1, "x.event", { state: "sending" }), undone], [])).map((row) => [row.item.seq, row.voidedBy])).toEqual([[1, null], [2, 3], [3, null]]);
  });

  it("keeps an accepted row that has not come back yet, for a while", () => {
    const done = { n: 1, key: "e1", subject: "fixture/a", code: "x.event", input: {}, play: true, label: "", outcome: "accepted" as const, seq: 2, stood_on: 1, answer: null, at: "2026-01-01T00:00:00.000Z" };
    const at = Date.parse(done.at);
    expect(withPending([item(1)], [], [done], at + 1_000).map((one) => one.seq)).toEqual([1, 2]);
    expect(withPending([item(1)], [], [done], at + 60_000).map((one) => one.seq)).toEqual([1]);
  });
});

describe("the server's clock", () => {
  it("lies between what was heard and what was stamped", () => {
    let now = 1_000;
    const clock = new ServerClock(() => now);
    clock.sending("k");
    now = 1_020; // the server stamped at its 61 010 and the row came back after 10 ms more
    clock.item({ key: "k", at: new Date(61_010).toISOString() });
    expect(clock.offsetMs).toBe(60_000);
    expect(clock.uncertaintyMs).toBe(10);
  });

  it("follows a device whose clock was set anew", () => {
    let now = 1_000_000;
    const clock = new ServerClock(() => now);
    clock.heard(1_000_000);
    clock.stamped(now, 1_000_002);
    now += 3_600_000; // an hour forward, by hand
    clock.stamped(now, 1_000_100);
    expect(Math.abs(clock.offsetMs + 3_599_900)).toBeLessThan(200);
  });
});
