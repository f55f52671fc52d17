// The live list: competitions and matches read once, then kept by what the socket brings.
import { readCompetition, readFixture, ReadError, readPage, withEdit, type ChangeFrame, type Competition, type Fixture, type OmniumClient, type Snapshot, type Watching } from "@omnium/bridge";

export interface ListState {
  status: "loading" | "ready" | "failed";
  problem: string | null;
  competitions: Competition[];
  fixtures: Map<string, Fixture>;
  /** The server has older matches than those read so far. */
  more: boolean;
}

/** Matches followed live at a time; those that started longest ago are left out first. */
const watchedMax = 300;
const pageSize = 100;
/** Competitions listed; older ones are found through their matches. */
const competitionsMax = 1000;

export class MatchList {
  #client: OmniumClient;
  #state: ListState = { status: "loading", problem: null, competitions: [], fixtures: new Map(), more: false };
  #listeners = new Set<() => void>();
  #watching = new Map<string, Watching>();
  #cursor: string | null = null;
  #offs: (() => void)[] = [];
  #closed = false;

  constructor(client: OmniumClient) {
    this.#client = client;
    void this.load();
    this.#offs.push(client.onWelcome(() => void this.load()));
    const shown = (): void => {
      if (document.visibilityState === "visible") void this.load();
    };
    document.addEventListener("visibilitychange", shown);
    this.#offs.push(() => document.removeEventListener("visibilitychange", shown));
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
    for (const watching of this.#watching.values()) watching.close();
  }

  async load(): Promise<void> {
    try {
      const [competitions, fixtures] = await Promise.all([
        this.#competitions(),
        this.#client.http.get<unknown>(`/fixtures?limit=${pageSize}`).then((body) => readPage(body, "fixtures")),
      ]);
      this.#cursor = fixtures.next;
      this.#set({ status: "ready", problem: null, competitions, more: fixtures.next !== null });
      this.#merge(fixtures.rows.map(readFixture));
      for (const one of competitions) this.#watchCompetition(one.id);
    } catch (error) {
      // Who is not signed in is told so, and asked for a token, above the page.
      const signIn = error instanceof ReadError && error.status === 401;
      const problem = signIn ? null : error instanceof Error ? error.message : "The list could not be read.";
      this.#set({ status: this.#state.status === "ready" ? "ready" : "failed", problem });
    }
  }

  async #competitions(): Promise<Competition[]> {
    const all: Competition[] = [];
    for (let cursor: string | null = ""; cursor !== null && all.length < competitionsMax; ) {
      const page = readPage(await this.#client.http.get<unknown>(`/competitions?limit=200${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`), "competitions");
      all.push(...page.rows.map(readCompetition));
      cursor = page.next;
    }
    return all;
  }

  async older(): Promise<void> {
    if (this.#cursor === null) return;
    const page = readPage(await this.#client.http.get<unknown>(`/fixtures?limit=${pageSize}&cursor=${encodeURIComponent(this.#cursor)}`), "fixtures");
    this.#cursor = page.next;
    this.#set({ more: page.next !== null });
    this.#merge(page.rows.map(readFixture));
  }

  /** A competition this page has just made. */
  added(competition: Competition): void {
    if (!this.#state.competitions.some((one) => one.id === competition.id)) {
      this.#set({ competitions: [competition, ...this.#state.competitions] });
    }
    this.#watchCompetition(competition.id);
  }

  #set(change: Partial<ListState>): void {
    if (this.#closed) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  #merge(rows: Fixture[]): void {
    const fixtures = new Map(this.#state.fixtures);
    for (const row of rows) {
      const held = fixtures.get(row.id);
      if (held === undefined || held.version <= row.version) fixtures.set(row.id, row);
    }
    this.#set({ fixtures });
    for (const row of rows) if (row.status !== "ended") this.#watchFixture(row.id);
  }

  #watchCompetition(id: string): void {
    const topic = `competition/${id}`;
    if (this.#watching.has(topic)) return;
    this.#watching.set(topic, this.#client.watch(topic, { change: (change) => this.#competitionChanged(id, change) }));
  }

  #competitionChanged(id: string, change: ChangeFrame): void {
    const { code, input } = change.item;
    if (code === "games.create_fixture" && typeof input["id"] === "string") this.#watchFixture(input["id"]);
    if (code !== "games.add_participant") return;
    const person = { id: String(input["id"]), name: String(input["name"]), type: String(input["type"]) };
    this.#set({
      competitions: this.#state.competitions.map((one) =>
        one.id === id && !one.participants.some((held) => held.id === person.id) ? { ...one, participants: [...one.participants, person] } : one,
      ),
    });
  }

  #watchFixture(id: string): void {
    const topic = `fixture/${id}`;
    if (this.#watching.has(topic) || this.#watching.size >= watchedMax) return;
    this.#watching.set(topic, this.#client.watch(topic, {
      snapshot: (snapshot) => this.#fixtureCame(snapshot),
      change: (change) => this.#fixtureChanged(id, change),
    }));
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
