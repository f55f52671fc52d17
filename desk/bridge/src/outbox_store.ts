import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Answer, Saw, SubjectKind } from "./generated/wire.js";

export type EntryState =
  | "waiting" // saved on this device; will be sent in its turn
  | "sending" // on its way, or its answer got lost
  | "conflict" // the match moved on; the person decides
  | "held"; // another desk took over, the log may not be read, or nobody is signed in; the person decides

/** Why an entry is held back that the server did not answer. */
export type Hold =
  | { why: "taken"; by: string; at: string } // another desk took the match over, at that time of the server
  | { why: "unread"; status: number; message: string }; // the server does not let this device read whether one did

/** An earlier entry that this one stands on: when it is refused or given up, this one is given up with it. */
export interface EntryRef {
  /** Name of the member of `input` that takes the earlier entry's log position; null: none does. */
  member: string | null;
  key: string;
}

/** One command on its way: kept on the device from before the first send until its answer came. */
export interface Entry {
  /** Place in the queue; given by the store. */
  n: number;
  key: string;
  /** "fixture/<uuid>" or "competition/<uuid>" */
  subject: string;
  workflow: string;
  kind: SubjectKind;
  ref: string;
  code: string;
  input: Record<string, unknown>;
  sender: string;
  saw: Saw;
  /** True when the command becomes the subject's last play. */
  play: boolean;
  refs: EntryRef[];
  made_at: string;
  tries: number;
  state: EntryState;
  /** The answer that stopped it. */
  answer: Answer | null;
  /** The log up to here is known: the person had it on the screen, or it was read since. Absent or null: not known. */
  seen?: number | null;
  /** Device time at which the log was known to its end on a live link; absent or null: it is read before this is sent. */
  sure_at?: number | null;
  hold?: Hold | null;
  /** Its row is in the log, though its answer got lost. */
  logged?: boolean;
  /** To be sent though the log may not be read: the person has said so. */
  blind?: boolean;
  /** What the person keyed, in words. */
  label: string;
}

/** An entry whose answer came. Kept a while, so that another tab, or the page after a reload, can show it. */
export interface Settled {
  n: number;
  key: string;
  subject: string;
  code: string;
  input: Record<string, unknown>;
  play: boolean;
  label: string;
  /** `dropped`: the person gave it up, or what it was about was refused. */
  outcome: "accepted" | "refused" | "dropped";
  seq: number | null;
  /** The play it was accepted on top of; null for what is no play. */
  stood_on: number | null;
  answer: Answer | null;
  at: string;
}

/** What an answer adds to the entry it settles. */
export type SettledAs = Omit<Settled, "n" | "subject" | "code" | "input" | "play" | "label">;

export interface Lease {
  id: "owner";
  holder: string;
  until: number;
}

interface Schema extends DBSchema {
  pending: { key: number; value: Entry; indexes: { key: string; subject: string } };
  settled: { key: number; value: Settled; indexes: { key: string } };
  lease: { key: string; value: Lease };
}

/** Settled entries kept; the oldest go first. */
export const settledMax = 300;

/** Was it refused because the database is closed: by a newer version of this page in another tab, or by the browser? */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && error.name === "InvalidStateError";
}

/** The outbox on disk (IndexedDB). Every method is one transaction. */
export class OutboxStore {
  private constructor(private readonly db: IDBPDatabase<Schema>) {}

  static async open(name: string): Promise<OutboxStore> {
    const db = await openDB<Schema>(name, 1, {
      upgrade(fresh) {
        const pending = fresh.createObjectStore("pending", { keyPath: "n", autoIncrement: true });
        pending.createIndex("key", "key", { unique: true });
        pending.createIndex("subject", "subject");
        fresh.createObjectStore("settled", { keyPath: "n" }).createIndex("key", "key");
        fresh.createObjectStore("lease", { keyPath: "id" });
      },
      blocking: () => db.close(),
    });
    return new OutboxStore(db);
  }

  close(): void {
    this.db.close();
  }

  async add(entry: Omit<Entry, "n">): Promise<number> {
    const tx = this.db.transaction("pending", "readwrite", { durability: "strict" });
    const n = await tx.store.add(entry as Entry);
    await tx.done;
    return n;
  }

  /** The queue and what left it, as of one moment: an entry that is being settled is in one of them. */
  async both(): Promise<{ entries: Entry[]; settled: Settled[] }> {
    const tx = this.db.transaction(["pending", "settled"]);
    const [entries, settled] = await Promise.all([tx.objectStore("pending").getAll(), tx.objectStore("settled").getAll()]);
    return { entries, settled };
  }

  ofSubject(subject: string): Promise<Entry[]> {
    return this.db.getAllFromIndex("pending", "subject", subject);
  }

  settledOnes(): Promise<Settled[]> {
    return this.db.getAll("settled");
  }

  settledByKey(key: string): Promise<Settled | undefined> {
    return this.db.getFromIndex("settled", "key", key);
  }

  /** Changes one entry if it is still there; `change` answers null to leave it as it is. */
  async change(key: string, change: (entry: Entry) => Entry | null): Promise<Entry | null> {
    const tx = this.db.transaction("pending", "readwrite", { durability: "strict" });
    const found = await tx.store.index("key").get(key);
    const next = found === undefined ? null : change(found);
    if (next !== null) await tx.store.put(next);
    await tx.done;
    return next;
  }

  /** Changes each entry of a subject; `change` answers null to leave one as it is. */
  async changeAll(subject: string, change: (entry: Entry) => Entry | null): Promise<void> {
    const tx = this.db.transaction("pending", "readwrite", { durability: "strict" });
    for (const entry of await tx.store.index("subject").getAll(subject)) {
      const next = change(entry);
      if (next !== null) await tx.store.put(next);
    }
    await tx.done;
  }

  /** Moves an entry from the queue to the settled ones, and brings those behind it up to date, in one transaction.
   * `only` may veto, e.g. because it was sent meanwhile. */
  async settle(
    done: SettledAs,
    follow: (later: Entry) => Entry | null = () => null,
    only: (entry: Entry) => boolean = () => true,
  ): Promise<Settled | null> {
    const tx = this.db.transaction(["pending", "settled"], "readwrite", { durability: "strict" });
    const pending = tx.objectStore("pending");
    const settled = tx.objectStore("settled");
    const entry = await pending.index("key").get(done.key);
    let row: Settled | null = null;
    if (entry !== undefined && only(entry)) {
      row = { n: entry.n, subject: entry.subject, code: entry.code, input: entry.input, play: entry.play, label: entry.label, ...done };
      await pending.delete(entry.n);
      await settled.put(row);
      for (const later of await pending.index("subject").getAll(entry.subject)) {
        const next = follow(later);
        if (next !== null) await pending.put(next);
      }
      for (let over = (await settled.count()) - settledMax; over > 0; over -= 1) {
        const oldest = await settled.openCursor();
        await oldest?.delete();
      }
    }
    await tx.done;
    return row;
  }

  /** Takes or renews the lease that stands in for Web Locks where a page has none. True: it is ours until `until`. */
  async lease(holder: string, now: number, until: number): Promise<boolean> {
    const tx = this.db.transaction("lease", "readwrite");
    const held = await tx.store.get("owner");
    const free = held === undefined || held.holder === holder || held.until <= now;
    if (free) await tx.store.put({ id: "owner", holder, until });
    await tx.done;
    return free;
  }
}
