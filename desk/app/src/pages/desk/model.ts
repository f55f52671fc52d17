// What every desk layout works with: the match with this device's queue on top, and how to send, undo and replace.
import {
  atRelease, isStopped, lastEvent, makeId, readLog, standing, undoTarget, redoTarget, withPending,
  type Entry, type EntryRef, type Fixture, type LogRow, type Scoreboard, type Settled, type Side, type Sport,
} from "@omnium/bridge";
import { useOmnium, useOutbox, type LiveMatch } from "@omnium/bridge/react";
import { useMemo, useRef } from "react";
import { nameOf } from "../../lib/words";

export type Command = [code: string, input: Record<string, unknown>, label: string];

export interface Desk {
  id: string;
  fixture: Fixture;
  board: Scoreboard;
  sport: Sport | null;
  /** As it will be when this device's queue is through: a match started offline can be scored offline. */
  status: string;
  /** The log with what is still on its way; `items.length` rows of it are the server's. */
  rows: LogRow[];
  standing: LogRow[];
  /** Rows that the server's scoreboard does not know yet. */
  ahead: LogRow[];
  entries: Entry[];
  settled: Settled[];
  version: number;
  names: Record<Side, string>;
  serverNow: () => number;
  /** Why nothing may be sent from here now, e.g. another desk has the match; undefined: it may. */
  locked: string | undefined;
  /** An entry waits for the person's word. The newest event on the screen is another desk's then: undo and replace mean
   * this device's own entries only. */
  deciding: boolean;
  /** While deciding: the entry that undo gives up. */
  behind: Entry | null;
  send: (code: string, input: Record<string, unknown>, label: string) => void;
  /** Several commands of one key press: each is sent only if the one before was accepted. */
  sendAll: (commands: Command[]) => void;
  /** What undo would take back; null: nothing. */
  undoable: LogRow | null;
  redoable: LogRow | null;
  /** What replace is about: the last event that stands. */
  last: LogRow | null;
  undo: () => void;
  redo: () => void;
  /** Gives the last event another input. */
  replace: (input: Record<string, unknown>, label: string) => void;
}

export function useDesk(match: LiveMatch, sports: Sport[]): Desk | null {
  const { client, outbox } = useOmnium();
  const view = useOutbox();
  // Keys of entries that are just being withdrawn: the next undo is about what stands before them.
  const leaving = useRef(new Set<string>());
  const { fixture, scoreboard, items, version, lastPlay } = match;
  const subject = fixture === null ? "" : `fixture/${fixture.id}`;
  const entries = useMemo(() => view.entries.filter((entry) => entry.subject === subject), [view.entries, subject]);
  const settled = useMemo(() => view.settled.filter((done) => done.subject === subject), [view.settled, subject]);
  const loaded = match.logRead;
  const rows = useMemo(() => (loaded ? readLog(withPending(items, entries, settled, Date.now(), client.clock.offsetMs)) : []), [loaded, items, entries, settled, client]);
  const events = useMemo(() => standing(rows), [rows]);
  const [code, release] = [fixture?.sport, fixture?.release ?? ""];
  const sport = useMemo(() => {
    const found = sports.find((one) => one.code === code);
    return found === undefined ? null : atRelease(found, release);
  }, [sports, code, release]);
  if (fixture === null || scoreboard === null || !loaded) return null;

  const plays = (code: string): boolean => code.startsWith("match.") ? code !== "match.note" : (sport?.commands.find((one) => one.code === code)?.play ?? true);
  const push = (code: string, input: Record<string, unknown>, label: string, refs: EntryRef[] = []): string => {
    const play = plays(code);
    const key = makeId();
    // A failure to keep it is shown from the outbox's own words.
    outbox.push({ key, workflow: fixture.sport, kind: "fixture", ref: fixture.id, code, input, label, refs, play, ...(match.view === null ? {} : { seen: match.view.seen }), ...(play ? { saw: { play: lastPlay } } : {}) }).catch(() => undefined);
    return key;
  };
  const sendAll = (commands: Command[]): void => {
    let refs: EntryRef[] = [];
    for (const [code, input, label] of commands) refs = [{ member: null, key: push(code, input, label, refs) }];
  };
  const queued = (): Entry[] => outbox.view.entries.filter((entry) => entry.subject === subject && !leaving.current.has(entry.key));
  // A row that was on its way when it was shown, or is now, has no position to rely on; the command names it by key instead.
  const about = (row: LogRow): EntryRef[] => ([...entries, ...queued()].some((entry) => entry.key === row.item.key) ? [{ member: "seq", key: row.item.key }] : []);
  const withdraw = async (key: string): Promise<boolean> => {
    leaving.current.add(key);
    const gone = await outbox.withdraw(key).catch(() => false);
    leaving.current.delete(key);
    return gone;
  };
  const takeBack = async (row: LogRow): Promise<void> => {
    const refs = about(row);
    if (refs.length > 0 && (await withdraw(row.item.key))) return;
    push("match.void", { seq: row.item.seq }, "Undo", refs);
  };
  // The queue as of the press: on a slow device two presses come before the screen shows what the first one did.
  const rowsNow = (): LogRow[] => readLog(withPending(items, queued(), outbox.view.settled.filter((done) => done.subject === subject)));
  const undo = (): void => {
    if (!queued().some(isStopped)) {
      const row = undoTarget(rowsNow());
      if (row !== null) void takeBack(row);
      return;
    }
    const behind = givenUpNext(queued());
    if (behind !== null) void withdraw(behind.key);
  };
  const redo = (): void => {
    const row = queued().some(isStopped) ? null : redoTarget(rowsNow());
    if (row !== null) push("match.void", { seq: row.item.seq }, "Redo", about(row));
  };
  const deciding = entries.some(isStopped);
  const ahead = rowsAhead(rows, entries, version);
  const last = lastEvent(rows);

  return {
    id: fixture.id, fixture, board: scoreboard, sport, rows, standing: events, ahead, entries, settled, version, last, deciding, locked: undefined,
    status: statusAhead(typeof scoreboard["suspended"] === "string" ? "suspended" : fixture.status, ahead),
    undoable: deciding ? null : undoTarget(rows),
    redoable: deciding ? null : redoTarget(rows),
    behind: deciding ? givenUpNext(entries) : null,
    names: { home: nameOf(fixture, "home"), away: nameOf(fixture, "away") },
    serverNow: () => client.clock.serverNow(),
    send: (code, input, label) => void push(code, input, label),
    sendAll, undo, redo,
    replace: (input, label) => {
      if (last !== null) push("match.amend", { seq: last.item.seq, input }, label, about(last));
    },
  };
}

/** The start of the match, unless it is started: what comes first when its first period is. */
export function matchStart(desk: Desk): Command[] {
  return desk.standing.some((row) => row.code === "match.start") ? [] : [["match.start", {}, "Match started"]];
}

/** The desk while `locked` says why nothing may be sent. Asked at the moment of sending: a question that was open before is
 * answered by closures of before. */
export function useLock(desk: Desk, locked: string | undefined): Desk {
  const now = useRef(locked);
  now.current = locked;
  const open = <Args extends unknown[]>(act: (...args: Args) => void) => (...args: Args): void => {
    if (now.current === undefined) act(...args);
  };
  return { ...desk, locked, send: open(desk.send), sendAll: open(desk.sendAll), undo: open(desk.undo), redo: open(desk.redo), replace: open(desk.replace) };
}

/** What undo is about while an entry waits for the person's word: the newest one behind it that was never sent. */
export function givenUpNext(entries: readonly Entry[]): Entry | null {
  return [...entries].reverse().find((entry) => entry.state === "waiting" && entry.tries === 0) ?? null;
}

/** Entries on their way, and accepted rows that have not come back: the server's board is as of `version`. */
export function rowsAhead(rows: readonly LogRow[], entries: readonly Entry[], version: number): LogRow[] {
  const ours = new Set(entries.map((entry) => entry.key));
  return rows.filter(({ item }) => item.seq > version || ours.has(item.key));
}

/** The state of the match when `ahead` is through, `status` being the server's. */
export function statusAhead(status: string, ahead: readonly LogRow[]): string {
  const next: Record<string, string> = { "match.start": "live", "match.end": "ended", "match.suspend": "suspended", "match.resume": "live" };
  for (const { code, voidedBy } of ahead) if (voidedBy === null) status = next[code] ?? status;
  return status;
}
