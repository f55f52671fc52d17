// What another desk did to a match while this device's queue waited: known before anything of the queue goes out.
import type { Link } from "./client.js";
import type { TimelineItem } from "./generated/wire.js";
import { NetworkError, ReadError } from "./http.js";
import { isStopped, seenOf } from "./outbox_rules.js";
import type { Entry } from "./outbox_store.js";
import { heed, heedRow, isTakeOver, readSince, type Own } from "./takeover.js";

/** The part of OmniumClient this needs. */
export interface LogReader {
  readonly link: Pick<Link, "state" | "since">;
  held(topic: string): { version: number; current: boolean } | null;
  timeline(id: string, after: number, limit: number): Promise<TimelineItem[]>;
}

/** How an entry of the queue changes; null: it stays as it is. */
export type Change = (entry: Entry, own: Own) => Entry | null;

/** An answer that may be another one soon. */
const passes = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** It takes no look at the log: decided already, in the log already, or a take-over, which a desk may always say. */
const exempt = (entry: Entry): boolean => isStopped(entry) || isTakeOver(entry) || entry.logged === true;

export class Lookout {
  constructor(private readonly client: LogReader) {}

  /** What is known of the log as an entry is made: all of it, where the screen is up to date on a live link. */
  known(subject: string, made: { seen?: number; saw?: { play?: number } }): Pick<Entry, "seen" | "sure_at"> {
    const held = this.client.held(subject);
    const seen = made.seen ?? held?.version ?? made.saw?.play ?? null;
    return { seen, sure_at: held?.current === true && seen === held.version ? Date.now() : null };
  }

  /** Must the log be read before this is sent? Not while the link has been live, without a break, since the whole log was
   * known: then a take-over would have come over it. A competition has no log that desks share. */
  mustLook(entry: Entry): boolean {
    if (entry.kind !== "fixture" || exempt(entry)) return false;
    const { state, since } = this.client.link;
    return state !== "live" || typeof entry.sure_at !== "number" || entry.sure_at < since;
  }

  /** Reads what the log says since the queue of one match was made. Null: it cannot be read now. */
  async look(queue: readonly Entry[]): Promise<Change | null> {
    const asking = queue.filter((entry) => !exempt(entry));
    if (asking.length === 0) return () => null;
    const from = Math.min(...asking.map(seenOf));
    const before = this.client.link;
    const began = Date.now();
    const rows = await this.#read(asking[0]!.ref, from);
    if (rows === null) return null;
    if (!Array.isArray(rows)) return unread(rows);
    const after = this.client.link;
    const unbroken = before.state === "live" && after.state === "live" && before.since === after.since;
    return (entry, own) => heed(entry, { from, rows, sure: unbroken ? began : null }, own);
  }

  /** `item` has just come over the link. Null: it is nothing to the queue. */
  noticed(queue: readonly Entry[], item: TimelineItem, own: Own): ((entry: Entry) => Entry | null) | null {
    const change = (entry: Entry): Entry | null => heedRow(entry, item, own);
    return queue.some((entry) => change(entry) !== null) ? change : null;
  }

  async #read(id: string, from: number): Promise<TimelineItem[] | ReadError | null> {
    try {
      return await readSince((after, limit) => this.client.timeline(id, after, limit), from);
    } catch (error) {
      if (error instanceof NetworkError) return null;
      if (!(error instanceof ReadError)) throw error;
      if (error.status === 404) return []; // no such match: nobody took it over, and the server will say so itself
      return passes(error.status) ? null : error;
    }
  }
}

// Who may not read the log cannot know whether the match was taken over: the person decides, once for each entry.
function unread({ status, message }: ReadError): Change {
  return (entry) => (exempt(entry) || entry.blind === true ? null : { ...entry, state: "held", hold: { why: "unread", status, message } });
}
