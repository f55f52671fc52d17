// The live list: competitions, and of their matches what is looked at, read page by page with the server's own filters and
// then kept by what the socket brings.
import { readCompetition, readFixture, ReadError, readPage, withEdit, type ChangeFrame, type Competition, type Fixture, type OmniumClient, type Snapshot, type Watching } from "@omnium/bridge";
import { addressOf, everyMatch, type Wanted } from "../../lib/match_search";

/** How far one list of matches is read. */
export interface List {
  status: "reading" | "ready" | "failed";
  /** Where its next page begins; null: all of it was read. */
  next: string | null;
  /** Where what was read ends; null: nothing was read. */
  last: Fixture | null;
}

export interface ListState {
  status: "loading" | "ready" | "failed";
  problem: string | null;
  competitions: Competition[];
  /** The server has more competitions than are listed. */
  moreCompetitions: boolean;
  /** Every match read so far, as it is now. */
  fixtures: Map<string, Fixture>;
  /** By `keyOf` what was wanted. */
  lists: Map<string, List>;
}

export const nothingYet: ListState = { status: "loading", problem: null, competitions: [], moreCompetitions: false, fixtures: new Map(), lists: new Map() };

/** Competitions listed; older ones are found through their matches. */
export const competitionsMax = 1000;
/** Competitions whose new matches are told of by the socket; beyond, they come with the next look. */
const competitionsWatchedMax = 300;
/** Matches followed live at a time; beyond, those go first that are on the screen no more. */
const followedMax = 300;
/** Matches of a competition that come at once; more when asked for. */
const pageSize = 20;
/** Of a list over all competitions. */
const wideSize = 50;
/** Reads under way at a time: a person who scrolls must not ask for everything at once. */
const readsMax = 4;
/** A list that is looked at again after this is read again. Milliseconds. */
const freshMs = 10_000;
/** How often the server is asked which matches are live: of those nobody follows here, it tells nothing by itself. Milliseconds. */
const liveEveryMs = 15_000;

export const liveNow: Wanted = { ...everyMatch, status: "live" };
export const keyOf = (wanted: Wanted): string => `${wanted.competition} ${wanted.sport} ${wanted.status}`;

interface Held {
  wanted: Wanted;
  readAt: number;
  pages: number;
  lookers: number;
  reading: Promise<void> | null;
}

export class MatchList {
  #client: OmniumClient;
  #state: ListState = nothingYet;
  #listeners = new Set<() => void>();
  #watching = new Map<string, Watching>();
  #following = new Map<string, Watching>();
  #shown = new Map<string, number>();
  #held = new Map<string, Held>();
  /** Of the competitions watched. */
  #versions = new Map<string, number>();
  #named = new Set<string>();
  #reads = 0;
  #queue: (() => void)[] = [];
  #loadedAt = 0;
  #offs: (() => void)[] = [];
  #closed = false;

  constructor(client: OmniumClient) {
    this.#client = client;
    void this.load();
    this.#offs.push(client.onWelcome(() => void this.#loadAgain()));
    const shown = (): void => {
      if (document.visibilityState === "visible") void this.#loadAgain();
    };
    document.addEventListener("visibilitychange", shown);
    this.#offs.push(() => document.removeEventListener("visibilitychange", shown));
    this.#offs.push(this.look(liveNow));
    const timer = setInterval(() => this.#readLive(), liveEveryMs);
    this.#offs.push(() => clearInterval(timer));
  }

  get state(): ListState {
    return this.#state;
  }

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    this.#closed = true;
    for (const off of this.#offs) off();
    for (const watching of [...this.#watching.values(), ...this.#following.values()]) watching.close();
  }

  /** Reads the competitions, and again whatever is looked at. */
  async load(): Promise<void> {
    this.#loadedAt = Date.now();
    for (const held of this.#held.values()) {
      held.readAt = 0;
      if (held.lookers > 0) void this.#read(held);
    }
    try {
      await this.#competitions();
      this.#set({ status: "ready", problem: null });
      for (const one of this.#state.fixtures.values()) void this.#nameCompetition(one.competition);
    } catch (error) {
      this.#failed(error);
    }
  }

  // What could not be read before is tried again on the way.
  #readLive(): void {
    if (document.visibilityState !== "visible") return;
    for (const [key, held] of this.#held) {
      if (key === keyOf(liveNow) || (held.lookers > 0 && this.#state.lists.get(key)?.status === "failed")) void this.#read(held);
    }
  }

  // The first welcome comes right after the first read.
  async #loadAgain(): Promise<void> {
    if (Date.now() - this.#loadedAt > 1000) await this.load();
  }

  #failed(error: unknown): void {
    // Who is not signed in is told so, and asked for a token, above the page.
    const signIn = error instanceof ReadError && error.status === 401;
    const problem = signIn ? null : error instanceof Error ? error.message : "The list could not be read.";
    this.#set({ status: this.#state.status === "ready" ? "ready" : "failed", problem });
  }

  async #competitions(): Promise<void> {
    const all: Competition[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = readPage(await this.#client.http.get<unknown>(`/competitions?limit=200${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`), "competitions");
      all.push(...page.rows.map(readCompetition));
      cursor = page.next;
      const ids = new Set(all.map((one) => one.id));
      const rest = this.#state.competitions.filter((one) => !ids.has(one.id));
      // What stood here before stays: a list must not shrink and grow under the eye.
      this.#set({ competitions: [...all, ...rest], moreCompetitions: cursor !== null });
      if (all.length >= competitionsMax) break;
    }
    for (const one of all) this.#watchCompetition(one.id);
  }

  /** A list is on the screen until the returned function is called: it is read, and read again when the link was away. */
  look(wanted: Wanted): () => void {
    const held = this.#hold(wanted);
    held.lookers += 1;
    if (wanted.competition !== "") this.#watchCompetition(wanted.competition);
    if (Date.now() - held.readAt > freshMs) void this.#read(held);
    return () => {
      held.lookers -= 1;
    };
  }

  /** The next page of a list. */
  async more(wanted: Wanted): Promise<void> {
    const held = this.#hold(wanted);
    await held.reading;
    await this.#read(held, this.#state.lists.get(keyOf(wanted))?.next ?? null);
  }

  #hold(wanted: Wanted): Held {
    const key = keyOf(wanted);
    const held = this.#held.get(key) ?? { wanted, readAt: 0, pages: 0, lookers: 0, reading: null };
    this.#held.set(key, held);
    return held;
  }

  #read(held: Held, cursor: string | null = null): Promise<void> {
    held.reading ??= this.#readPage(held, cursor).finally(() => (held.reading = null));
    return held.reading;
  }

  async #readPage(held: Held, cursor: string | null): Promise<void> {
    const { wanted } = held;
    const key = keyOf(wanted);
    const before = this.#state.lists.get(key);
    if (before?.status !== "ready") this.#list(key, { status: "reading", next: null, last: null });
    await this.#turn();
    try {
      const limit = wanted.competition === "" ? wideSize : pageSize;
      const page = readPage(await this.#client.http.get<unknown>(addressOf(wanted, limit, cursor)), "fixtures");
      const rows = page.rows.map(readFixture);
      const first = cursor === null;
      if (first) held.readAt = Date.now();
      held.pages = first ? Math.max(1, held.pages) : held.pages + 1;
      if (this.#state.status === "ready") this.#set({ problem: null });
      this.#merge(rows);
      // A first page that is read again says nothing of where the pages after it ended.
      const known = first && held.pages > 1 && before !== undefined;
      this.#list(key, known ? { ...before, status: "ready" } : { status: "ready", next: page.next, last: rows[rows.length - 1] ?? null });
      if (key === keyOf(liveNow) && page.next === null) this.#noLonger(new Set(rows.map((one) => one.id)));
    } catch (error) {
      if (before?.status !== "ready") this.#list(key, { status: "failed", next: null, last: null });
      this.#failed(error);
    } finally {
      this.#reads -= 1;
      this.#queue.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#reads >= readsMax) await new Promise<void>((go) => this.#queue.push(go));
    this.#reads += 1;
  }

  // Matches that were live when they were read, are not now, and are not followed: what became of them?
  #noLonger(live: Set<string>): void {
    for (const one of this.#state.fixtures.values()) {
      if (one.status === "live" && !live.has(one.id) && !this.#following.has(one.id)) void this.#one(one.id);
    }
  }

  #one(id: string): Promise<void> {
    return this.#client.http.get<unknown>(`/fixtures/${id}`).then(
      (body) => this.#merge([readFixture(body)]),
      () => undefined, // it comes with the next look at its list
    );
  }

  /** A competition this page has just made. */
  added(competition: Competition): void {
    if (!this.#state.competitions.some((one) => one.id === competition.id)) {
      this.#set({ competitions: [competition, ...this.#state.competitions] });
    }
    this.#watchCompetition(competition.id);
  }

  /** A match is on the screen until the returned function is called: the socket brings what happens in it. */
  follow(id: string): () => void {
    this.#shown.set(id, (this.#shown.get(id) ?? 0) + 1);
    if (!this.#following.has(id) && this.#hasRoom()) {
      this.#following.set(id, this.#client.watch(`fixture/${id}`, {
        snapshot: (snapshot) => this.#fixtureCame(snapshot),
        change: (change) => this.#fixtureChanged(id, change),
      }));
    }
    return () => {
      const left = (this.#shown.get(id) ?? 1) - 1;
      if (left > 0) this.#shown.set(id, left);
      else this.#shown.delete(id);
    };
  }

  #hasRoom(): boolean {
    if (this.#following.size < followedMax) return true;
    for (const [id, watching] of this.#following) {
      if (this.#shown.has(id)) continue;
      watching.close();
      this.#following.delete(id);
      return true;
    }
    return false;
  }

  #set(change: Partial<ListState>): void {
    if (this.#closed) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  #list(key: string, list: List): void {
    this.#set({ lists: new Map(this.#state.lists).set(key, list) });
  }

  #merge(rows: Fixture[]): void {
    const fixtures = new Map(this.#state.fixtures);
    for (const row of rows) {
      const held = fixtures.get(row.id);
      if (held === undefined || held.version <= row.version) fixtures.set(row.id, row);
    }
    this.#set({ fixtures });
    for (const row of rows) void this.#nameCompetition(row.competition);
  }

  // A match whose competition is older than those listed: its name is read by itself, once.
  async #nameCompetition(id: string): Promise<void> {
    if (this.#state.status !== "ready" || this.#named.has(id) || this.#state.competitions.some((one) => one.id === id)) return;
    this.#named.add(id);
    const body = await this.#client.http.get<unknown>(`/competitions/${id}`).catch(() => null);
    if (body !== null && !this.#state.competitions.some((one) => one.id === id)) this.#set({ competitions: [...this.#state.competitions, readCompetition(body)] });
  }

  #watchCompetition(id: string): void {
    if (this.#closed || this.#watching.has(id) || this.#watching.size >= competitionsWatchedMax) return;
    this.#watching.set(id, this.#client.watch(`competition/${id}`, {
      snapshot: (snapshot) => this.#competitionCame(id, snapshot),
      change: (change) => this.#competitionChanged(id, change),
    }));
  }

  // Where no socket tells what is new in a competition, its version says that something is.
  #competitionCame(id: string, snapshot: Snapshot): void {
    const known = this.#versions.get(id);
    this.#versions.set(id, snapshot.version);
    if (known === undefined || snapshot.version <= known) return;
    const now = readCompetition(snapshot.data);
    this.#set({ competitions: this.#state.competitions.map((one) => (one.id === id ? now : one)) });
    for (const held of this.#held.values()) {
      if (held.lookers > 0 && (held.wanted.competition === id || held.wanted.competition === "")) void this.#read(held);
    }
  }

  #competitionChanged(id: string, change: ChangeFrame): void {
    this.#versions.set(id, change.version);
    const { code, input } = change.item;
    if (code === "games.create_fixture" && typeof input["id"] === "string") void this.#one(input["id"]);
    if (code !== "games.add_participant") return;
    const person = { id: String(input["id"]), name: String(input["name"]), type: String(input["type"]) };
    this.#set({
      competitions: this.#state.competitions.map((one) =>
        one.id === id && !one.participants.some((held) => held.id === person.id) ? { ...one, participants: [...one.participants, person] } : one,
      ),
    });
  }

  #fixtureCame(snapshot: Snapshot): void {
    const fixture = { ...readFixture(snapshot.data), version: snapshot.version };
    this.#set({ fixtures: new Map(this.#state.fixtures).set(fixture.id, fixture) });
  }

  #fixtureChanged(id: string, change: ChangeFrame): void {
    const held = this.#state.fixtures.get(id);
    if (held === undefined) return;
    const scoreboard = change.scoreboard ?? held.scoreboard;
    const fixture = withEdit({ ...held, version: change.version, scoreboard, status: scoreboard?.status ?? held.status }, change.item);
    this.#set({ fixtures: new Map(this.#state.fixtures).set(id, fixture) });
  }
}
