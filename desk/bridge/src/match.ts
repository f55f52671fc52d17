import { backoffMs, socketBackoff, type Backoff } from "./backoff.js";
import { Emitter } from "./emitter.js";
import type { ChangeFrame, Saw, Scoreboard, Snapshot, TimelineItem } from "./generated/wire.js";
import { ReadError } from "./http.js";
import { blankBoard, readFixture, type Fixture } from "./shapes.js";
import type { OmniumClient } from "./client.js";
import type { Watching } from "./topics.js";

export interface MatchState {
  status: "loading" | "ready" | "missing" | "failed";
  problem: string | null;
  fixture: Fixture | null;
  scoreboard: Scoreboard | null;
  version: number;
  lastPlay: number;
  /** The log in seq order, from `items[0]` on; older rows come with `loadOlder`. Empty for a view without a log. */
  items: TimelineItem[];
  /** The log was read once, so that what it lacks since is on its way. */
  logRead: boolean;
  /** A hole was noticed and is being repaired: what is shown may be old. */
  gap: boolean;
  /** Device time of the last thing heard about this match. */
  heardAt: number;
}

export interface MatchOptions {
  /** Rows of the log to load at first; 0 for a view that shows none. */
  log?: number;
  now?: () => number;
  /** How long to wait before a read of the log that failed is tried again. */
  backoff?: Backoff;
}

const empty: MatchState = {
  status: "loading", problem: null, fixture: null, scoreboard: null, version: 0, lastPlay: 0, items: [], logRead: false, gap: false, heardAt: 0,
};
const pageMax = 500;
/** What the server says of a match that it does not have, or of an id that is none. */
const unknown = new Set(["unknown_topic", "unknown_subject"]);

/** One match as a screen shows it, kept up to date over the socket. A screen without a log makes no read request. */
export class MatchView {
  readonly id: string;
  readonly #client: OmniumClient;
  readonly #log: number;
  readonly #now: () => number;
  readonly #backoff: Backoff;
  readonly #changes = new Emitter<MatchState>();
  readonly #watching: Watching;
  readonly #offWelcome: () => void;
  #state: MatchState = empty;
  #reading: Promise<void> = Promise.resolve();
  #older: Promise<boolean> | null = null;
  /** Reads of the log that failed in a row. */
  #failed = 0;
  #again: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(client: OmniumClient, id: string, options: MatchOptions = {}) {
    this.id = id;
    this.#client = client;
    this.#log = options.log ?? 200;
    this.#now = options.now ?? Date.now;
    this.#backoff = options.backoff ?? socketBackoff;
    this.#watching = client.watch(`fixture/${id}`, {
      snapshot: (snapshot) => this.#snapshot(snapshot),
      change: (change) => this.#change(change),
      gap: (gap) => this.#set({ gap }),
      failed: (reason) => this.#set({ status: unknown.has(reason.code) ? "missing" : "failed", problem: reason.message }),
    });
    // A read that failed while the link was down is made good at once when it is back.
    this.#offWelcome = client.onWelcome(() => {
      if (this.#log > 0 && this.#state.status === "ready") this.#fill(this.#state.version);
    });
  }

  get state(): MatchState {
    return this.#state;
  }

  /** What a command keyed now has seen. */
  get saw(): Saw {
    return { play: this.#state.lastPlay };
  }

  /** The log is shown up to here: take-overs after it are news to the person. */
  get seen(): number {
    return this.#log > 0 ? (this.#state.items[this.#state.items.length - 1]?.seq ?? 0) : this.#state.version;
  }

  onChange(listener: (state: MatchState) => void): () => void {
    return this.#changes.on(listener);
  }

  close(): void {
    this.#closed = true;
    if (this.#again !== null) clearTimeout(this.#again);
    this.#watching.close();
    this.#offWelcome();
  }

  /** Loads the page of the log before what is held, once, however often it is asked for. False: the log is whole. */
  loadOlder(): Promise<boolean> {
    this.#older ??= this.#readOlder().finally(() => (this.#older = null));
    return this.#older;
  }

  async #readOlder(): Promise<boolean> {
    const first = this.#state.items[0]?.seq ?? 1;
    if (first <= 1) return false;
    const after = Math.max(0, first - 1 - pageMax);
    const older = (await this.#read(after, first - 1 - after)).filter((item) => item.seq < first);
    this.#set({ items: [...older, ...this.#state.items] });
    return after > 0;
  }

  #set(change: Partial<MatchState>): void {
    if (this.#closed) return;
    this.#state = { ...this.#state, ...change };
    this.#changes.emit(this.#state);
  }

  #snapshot(snapshot: Snapshot): void {
    const fixture = readFixture(snapshot.data);
    const backwards = snapshot.version < this.#state.version; // a database was put back: the log held here is not its log
    this.#set({
      status: "ready",
      problem: null,
      fixture,
      scoreboard: fixture.scoreboard ?? blankBoard(fixture.status),
      version: snapshot.version,
      lastPlay: fixture.last_play,
      items: backwards ? [] : this.#state.items,
      logRead: snapshot.version === 0 || (this.#state.logRead && !backwards),
      heardAt: this.#now(),
    });
    if (this.#log > 0) this.#fill(snapshot.version);
  }

  #change(change: ChangeFrame): void {
    const { item } = change;
    const play = change.play ?? item.play;
    const fixture = this.#state.fixture;
    const scoreboard = change.scoreboard ?? this.#state.scoreboard;
    const last = this.#state.items[this.#state.items.length - 1]?.seq ?? 0;
    const next = this.#log > 0 && item.seq === last + 1;
    this.#set({
      scoreboard,
      version: change.version,
      lastPlay: play ? change.version : this.#state.lastPlay,
      fixture: fixture === null ? null : withEdit({ ...fixture, status: scoreboard?.status ?? fixture.status, scoreboard }, item),
      items: next ? [...this.#state.items, item] : this.#state.items,
      heardAt: this.#now(),
    });
    if (this.#log > 0 && item.seq > last + 1) this.#fill(change.version);
  }

  // Reads what the log held here lacks, up to `version`. One read at a time; later changes are appended as they come.
  #fill(version: number): void {
    this.#reading = this.#reading.then(async () => {
      const held = this.#state.items[this.#state.items.length - 1]?.seq;
      let after = held ?? Math.max(0, version - this.#log);
      while (!this.#closed && after < version) {
        const read = await this.#read(after, pageMax);
        if (read.length === 0) break;
        this.#append(read);
        after = read[read.length - 1]!.seq;
      }
      this.#failed = 0;
      this.#set({ logRead: true, problem: null });
    }).catch((error: unknown) => {
      this.#set({ problem: error instanceof ReadError ? error.message : "The log could not be read; it is read again." });
      this.#fillAgain();
    });
  }

  // One read may fail on a link that stays up: nothing else would ask for what the log lacks.
  #fillAgain(): void {
    if (this.#closed || this.#again !== null) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#fill(this.#state.version);
    }, backoffMs(this.#failed++, this.#backoff));
  }

  #append(read: TimelineItem[]): void {
    const items = [...this.#state.items];
    for (const item of read) {
      const last = items[items.length - 1];
      if (last === undefined || item.seq === last.seq + 1) items.push(item);
    }
    this.#set({ items, problem: null });
  }

  #read(after: number, limit: number): Promise<TimelineItem[]> {
    return this.#client.timeline(this.id, after, limit);
  }
}

/** A competitor's new name travels as its log row; a fixture that has the old one is brought up to date with it. */
export function withEdit(fixture: Fixture, item: TimelineItem): Fixture {
  if (item.code !== "games.edit_competitor") return fixture;
  const sides = { ...fixture.sides };
  for (const side of ["home", "away"] as const) {
    const row = sides[side];
    if (row.row !== item.input["row"]) continue;
    const text = (name: "name" | "short" | "colour"): string | null =>
      typeof item.input[name] === "string" ? (item.input[name] as string) : row[name];
    sides[side] = { ...row, name: text("name") ?? row.name, short: text("short"), colour: text("colour"), changed_seq: item.seq };
  }
  return { ...fixture, sides };
}
