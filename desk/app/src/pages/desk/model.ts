// What every desk layout works with: the match with this device's queue on top, and how to send, undo and replace.
import {
  atRelease, lastEvent, readLog, standing, undoTarget, redoTarget, withPending,
  type Entry, type EntryRef, type Fixture, type LogRow, type Scoreboard, type Settled, type Side, type Sport,
} from "@omnium/bridge";
import { useOmnium, useOutbox, type LiveMatch } from "@omnium/bridge/react";
import { useMemo } from "react";
import { nameOf } from "../../lib/words";

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
  entries: Entry[];
  settled: Settled[];
  version: number;
  names: Record<Side, string>;
  serverNow: () => number;
  send: (code: string, input: Record<string, unknown>, label: string) => void;
  /** What undo would take back; null: nothing. */
  undoable: LogRow | null;
  redoable: LogRow | null;
  /** What replace is about: the last event that stands. */
  last: LogRow | null;
  undo: () => void;
  redo: () => void;
  /** Gives the last event another input. */
  replace: (input: Record<string, unknown>, label: string) => void;
  amend: (seq: number, input: Record<string, unknown>, label: string, cascade?: boolean) => void;
}

export function useDesk(match: LiveMatch, sports: Sport[]): Desk | null {
  const { client, outbox } = useOmnium();
  const view = useOutbox();
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
  const push = (code: string, input: Record<string, unknown>, label: string, refs: EntryRef[] = []): void => {
    const play = plays(code);
    // A failure to keep it is shown from the outbox's own words.
    outbox.push({ workflow: fixture.sport, kind: "fixture", ref: fixture.id, code, input, label, refs, play, ...(play ? { saw: { play: lastPlay } } : {}) }).catch(() => undefined);
  };
  const waiting = (row: LogRow): Entry | null => entries.find((entry) => entry.key === row.item.key) ?? null;
  // A row that is still on its way has no position yet; the command names it by key instead.
  const about = (row: LogRow): EntryRef[] => (waiting(row) === null ? [] : [{ member: "seq", key: row.item.key }]);
  const undoable = undoTarget(rows);
  const redoable = redoTarget(rows);
  const last = lastEvent(rows);

  return {
    id: fixture.id, fixture, status: statusAhead(typeof scoreboard["suspended"] === "string" ? "suspended" : fixture.status, events, entries), board: scoreboard, sport, rows, standing: events, entries, settled, version, undoable, redoable, last,
    names: { home: nameOf(fixture, "home"), away: nameOf(fixture, "away") },
    serverNow: () => client.clock.serverNow(),
    send: push,
    undo: () => {
      if (undoable === null) return;
      void (async () => {
        if (waiting(undoable) !== null && (await outbox.withdraw(undoable.item.key))) return;
        push("match.void", { seq: undoable.item.seq }, "Undo", about(undoable));
      })();
    },
    redo: () => {
      if (redoable !== null) push("match.void", { seq: redoable.item.seq }, "Redo", about(redoable));
    },
    replace: (input, label) => {
      if (last !== null) push("match.amend", { seq: last.item.seq, input }, label, about(last));
    },
    amend: (seq, input, label, cascade) => push("match.amend", { seq, input, ...(cascade === true ? { cascade: true } : {}) }, label),
  };
}

function statusAhead(status: string, events: LogRow[], entries: Entry[]): string {
  const next: Record<string, string> = { "match.start": "live", "match.end": "ended", "match.suspend": "suspended", "match.resume": "live" };
  const ours = new Set(entries.map((entry) => entry.key));
  for (const { code, item } of events) if (ours.has(item.key)) status = next[code] ?? status;
  return status;
}
