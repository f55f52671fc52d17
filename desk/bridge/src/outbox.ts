import { backoffMs, sendBackoff, type Backoff } from "./backoff.js";
import { Emitter } from "./emitter.js";
import type { Answer, CommandIn, Saw, ServerFrame, TimelineItem } from "./generated/wire.js";
import { NetworkError, type Address } from "./http.js";
import { makeId } from "./ids.js";
import { Lookout, type LogReader } from "./lookout.js";
import { ownQueue, type Ownership } from "./ownership.js";
import { isClosed, OutboxStore, type Entry, type EntryRef, type Settled } from "./outbox_store.js";
import { bodyOf, dropped, followed, isStopped, onTopOfOwn, releaseHeld, settledAs, unsure } from "./outbox_rules.js";
import { nextToSend, type Own } from "./takeover.js";

/** What a desk hands over. The key is made here, once, unless it is given. */
export interface Push extends Address {
  code: string;
  input: Record<string, unknown>;
  /** What the person saw when keying it. Leave out for a pure add. */
  saw?: Saw;
  /** The log up to here was on the screen. Default: the version held of the subject's topic. */
  seen?: number;
  /** Does the command become the last play? Default: it carries `saw.play`. */
  play?: boolean;
  /** Earlier entries of this outbox that it stands on, e.g. the one it voids. */
  refs?: EntryRef[];
  /** From `makeId`, where another entry is to stand on this one before it is saved. */
  key?: string;
  label?: string;
}

export interface Pushed {
  key: string;
  /** The outcome, once there is one. Never rejects; a conflict keeps it waiting until the person decides. */
  settled: Promise<Settled>;
}

/** The part of OmniumClient the outbox needs. */
export interface Sender extends LogReader {
  command(to: Address, body: CommandIn): Promise<Answer>;
  onSignedIn(listener: () => void): () => void;
  onFrame(listener: (frame: ServerFrame) => void): () => void;
}

export interface OutboxOptions {
  sender: string;
  /** Name of the database, and of the queue that tabs share. */
  name?: string;
  backoff?: Backoff;
  random?: () => number;
  locks?: LockManager | undefined;
}

export interface OutboxView {
  entries: Entry[];
  settled: Settled[];
  /** Does this tab send? Another one does when not. */
  owner: boolean;
  /** Why the last entry could not be kept; null: it was. */
  problem: string | null;
}

/** Commands that were keyed and not yet answered. Saved before the first send; per subject one at a time, oldest first;
 * only `try_again` and a broken link are retried, with the same key; a conflict stops its subject's queue until the
 * person decides. What was not sent at once on a live link is sent when the log has been read, and is held back when
 * another desk took the match over since. Survives a reload; of several tabs one sends. Decisions C2, C12, F1, V1. */
export class Outbox {
  readonly #client: Sender;
  readonly #lookout: Lookout;
  readonly #options: OutboxOptions;
  readonly #name: string;
  #sender: string;
  readonly #changes = new Emitter<OutboxView>();
  readonly #running = new Set<string>();
  readonly #waits = new Map<string, () => void>();
  readonly #awaited = new Map<string, (settled: Settled) => void>();
  #store: OutboxStore | null = null;
  #ownership: Ownership | null = null;
  #channel: BroadcastChannel | null = null;
  #offSignedIn: () => void = () => undefined;
  #offFrame: () => void = () => undefined;
  #view: OutboxView = { entries: [], settled: [], owner: false, problem: null };
  #adding: Omit<Entry, "n">[] = [];
  #problem: string | null = null;
  #signIns = 0;
  /** Rounds of sending in a row that the device's own storage broke off. */
  #broken = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(client: Sender, options: OutboxOptions) {
    this.#client = client;
    this.#lookout = new Lookout(client);
    this.#options = options;
    this.#sender = options.sender;
    this.#name = options.name ?? "omnium-outbox";
  }

  async start(): Promise<void> {
    const store = await OutboxStore.open(this.#name);
    this.#store = store;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = () => void this.#refresh().then(() => this.#drainAll());
    const locks = "locks" in this.#options ? this.#options.locks : globalThis.navigator?.locks;
    this.#ownership = ownQueue(this.#name, store, (owner) => void this.#owns(owner), locks);
    this.#offSignedIn = this.#client.onSignedIn(() => void this.#signedIn());
    this.#offFrame = this.#client.onFrame((frame) => frame.t === "change" && this.#noticed(frame.topic, frame.item));
    globalThis.addEventListener?.("online", this.retryNow);
    await this.#refresh();
  }

  stop(): void {
    this.#offSignedIn();
    this.#offFrame();
    globalThis.removeEventListener?.("online", this.retryNow);
    this.#ownership?.stop();
    this.#channel?.close();
    this.#store?.close();
    this.#store = null;
    this.retryNow();
  }

  /** The name this device sends under. */
  get sender(): string {
    return this.#sender;
  }

  /** What is pushed from now on carries another name; what waits keeps its own. */
  rename(sender: string): void {
    this.#sender = sender;
  }

  get view(): OutboxView {
    return this.#view;
  }

  onChange(listener: (view: OutboxView) => void): () => void {
    return this.#changes.on(listener);
  }

  /** Saves the command on this device; when the promise is fulfilled, it can no longer be lost. It is in `view` at once,
   * so that what is keyed next already stands on it. Rejects when the device cannot keep it: then it is not sent. */
  async push(what: Push): Promise<Pushed> {
    const store = this.#opened();
    const key = what.key ?? makeId();
    const subject = `${what.kind}/${what.ref}`;
    const settled = new Promise<Settled>((resolve) => this.#awaited.set(key, resolve));
    const entry: Omit<Entry, "n"> = {
      key,
      subject,
      workflow: what.workflow,
      kind: what.kind,
      ref: what.ref,
      code: what.code,
      input: what.input,
      sender: this.#sender,
      saw: what.saw ?? {},
      play: what.play ?? what.saw?.play !== undefined,
      refs: what.refs ?? [],
      made_at: new Date().toISOString(),
      tries: 0,
      state: "waiting",
      answer: null,
      label: what.label ?? what.code,
      ...this.#lookout.known(subject, what),
    };
    this.#adding.push(entry);
    const saved = store.add(entry);
    this.#show(this.#view.entries.filter((one) => !this.#adding.some((adding) => adding.key === one.key)), this.#view.settled);
    try {
      await saved;
    } catch (error) {
      this.#awaited.delete(key);
      this.#problem = "This device could not keep the last entry, so it was not sent.";
      throw error;
    } finally {
      this.#adding = this.#adding.filter((one) => one !== entry);
      await this.#changed();
    }
    this.#problem = null;
    this.#drain(subject);
    return { key, settled };
  }

  /** The outcome of a key that was pushed here, in another tab or before a reload. */
  async outcome(key: string): Promise<Settled> {
    const done = await this.#opened().settledByKey(key);
    if (done !== undefined) return done;
    return new Promise((resolve) => {
      const before = this.#awaited.get(key);
      this.#awaited.set(key, (settled) => {
        before?.(settled);
        resolve(settled);
      });
    });
  }

  /** Takes back what was never sent. False: it is on its way or through already, and must be undone instead. */
  async withdraw(key: string): Promise<boolean> {
    const gone = await this.#opened().settle(
      dropped(key, null),
      undefined,
      (entry) => entry.tries === 0 && entry.state !== "sending",
    );
    await this.#changed();
    return gone !== null;
  }

  /** The person's word on a conflict, or on an entry held back: `mine` sends it again with the same key on top of what
   * happened meanwhile, `theirs` gives it up. */
  async decide(key: string, choice: "mine" | "theirs"): Promise<void> {
    const store = this.#opened();
    const about = this.#view.entries.find((entry) => entry.key === key);
    if (choice === "theirs") {
      await store.settle(dropped(key, about?.answer ?? null), unsure, isStopped);
    } else if (about !== undefined) {
      const shown = this.#client.held(about.subject)?.version;
      await store.changeAll(about.subject, (entry) => (entry.key === key ? releaseHeld(entry, shown) : unsure(entry)));
    }
    await this.#changed();
    this.#drainAll();
  }

  /** Stops a subject's queue for a reason of the page's own. Nothing is lost or merged: each entry is shown and decided. */
  async hold(subject: string): Promise<void> {
    await this.#opened().changeAll(subject, (entry) => (entry.state === "waiting" ? { ...entry, state: "held" } : null));
    await this.#changed();
  }

  /** `decide(…, "mine")` for all that is held back of a subject. */
  async release(subject: string): Promise<void> {
    const shown = this.#client.held(subject)?.version;
    await this.#opened().changeAll(subject, (entry) => (entry.state === "held" ? releaseHeld(entry, shown) : unsure(entry)));
    await this.#changed();
    this.#drain(subject);
  }

  /** Ends every wait between tries: the link is back. */
  retryNow = (): void => {
    for (const wake of [...this.#waits.values()]) wake();
    this.#drainAll();
  };

  // The server knows this page now: what was held back only because it did not, goes on.
  async #signedIn(): Promise<void> {
    this.#signIns += 1;
    const unsigned = (entry: Entry): boolean => entry.state === "held" && (entry.answer?.reason?.code === "not_signed_in" || (entry.hold?.why === "unread" && entry.hold.status === 401));
    const subjects = new Set(this.#view.entries.filter(unsigned).map((entry) => entry.subject));
    for (const subject of subjects) await this.#store?.changeAll(subject, (entry) => (unsigned(entry) ? { ...entry, state: "waiting", answer: null, hold: null } : null));
    if (subjects.size > 0) await this.#changed();
    this.retryNow();
  }

  #opened(): OutboxStore {
    if (this.#store === null) throw new Error("The outbox is not started.");
    return this.#store;
  }

  async #owns(owner: boolean): Promise<void> {
    this.#view = { ...this.#view, owner };
    await this.#refresh();
    if (owner) this.#drainAll();
  }

  async #changed(): Promise<void> {
    this.#channel?.postMessage("changed");
    await this.#refresh();
  }

  // Reads follow each other, so that an older picture never replaces a newer one.
  #refresh(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const store = this.#store;
      if (store === null) return;
      const { entries, settled } = await store.both();
      for (const done of settled) {
        const waiting = this.#awaited.get(done.key);
        this.#awaited.delete(done.key);
        waiting?.(done);
      }
      this.#show(entries, settled);
    }).catch(() => undefined); // the database was closed under the read: the page is going
    return this.#reading;
  }

  // What is stored, and behind it what is being stored.
  #show(stored: Entry[], settled: Settled[]): void {
    const known = new Set([...stored, ...settled].map((one) => one.key));
    const last = Math.max(0, ...stored.map((one) => one.n), ...settled.map((one) => one.n));
    const coming = this.#adding.filter((one) => !known.has(one.key)).map((one, i): Entry => ({ ...one, n: last + 1 + i }));
    this.#view = { ...this.#view, entries: [...stored, ...coming], settled, problem: this.#problem };
    this.#changes.emit(this.#view);
  }

  #drainAll(): void {
    for (const subject of new Set(this.#view.entries.map((entry) => entry.subject))) this.#drain(subject);
  }

  #drain(subject: string): void {
    if (!this.#view.owner || this.#running.has(subject)) return;
    this.#running.add(subject);
    void this.#run(subject)
      .then(() => (this.#broken = 0), (error: unknown) => this.#broke(subject, error))
      .finally(() => {
        this.#running.delete(subject);
        const rest = this.#view.entries.filter((entry) => entry.subject === subject);
        if (this.#store !== null && nextToSend(rest) !== null) this.#drain(subject);
      });
  }

  // The device's own storage failed. A closed database stays closed until the page is loaded again: another tab goes on
  // from what is saved. Anything else may pass.
  async #broke(subject: string, error: unknown): Promise<void> {
    if (this.#store === null) return; // the page is going
    if (!isClosed(error)) return this.#wait(subject, backoffMs(this.#broken++, this.#options.backoff ?? sendBackoff, this.#options.random));
    this.#problem = "This page lost its storage on this device. What waits is kept: load the page again to send it.";
    this.#view = { ...this.#view, owner: false, problem: this.#problem };
    this.#changes.emit(this.#view);
    this.#ownership?.stop();
  }

  async #run(subject: string): Promise<void> {
    let looked: string | null = null; // key of the entry for which the log was read just now
    let unread = 0;
    while (this.#store !== null && this.#view.owner) {
      const next = nextToSend(await this.#store.ofSubject(subject));
      if (next === null) return;
      if (next.key !== looked && this.#lookout.mustLook(next)) {
        if (await this.#look(subject)) [looked, unread] = [next.key, 0];
        else await this.#wait(subject, backoffMs(unread++, this.#options.backoff ?? sendBackoff, this.#options.random));
        continue; // it may be held back now, or gone
      }
      looked = null;
      const ready = await this.#prepare(next);
      if (ready !== null) await this.#send(ready);
    }
  }

  // A row has come over the link: another desk's take-over, or the row of an entry whose answer got lost.
  #noticed(subject: string, item: TimelineItem): void {
    const queue = this.#view.entries.filter((entry) => entry.subject === subject);
    const about = queue.length === 0 ? null : this.#lookout.noticed(queue, item, this.#own());
    if (about === null) return;
    void this.#opened().changeAll(subject, about).then(() => this.#changed()).then(() => this.#drain(subject), () => undefined);
  }

  #own(): Own {
    return { sender: this.#sender, keys: new Set([...this.#view.settled, ...this.#view.entries].map((one) => one.key)) };
  }

  // False: the log could not be read now.
  async #look(subject: string): Promise<boolean> {
    const change = await this.#lookout.look(await this.#opened().ofSubject(subject));
    if (change === null) return false;
    const own = this.#own();
    await this.#store?.changeAll(subject, (entry) => change(entry, own));
    await this.#changed();
    return true;
  }

  // Puts log positions in the places that wait for them. Saved before the first send: each retry has the same body.
  async #prepare(entry: Entry): Promise<Entry | null> {
    const store = this.#opened();
    const input = { ...entry.input };
    for (const ref of entry.refs) {
      const target = await store.settledByKey(ref.key);
      if (target?.seq === undefined || target.seq === null) {
        await store.settle(dropped(entry.key, target?.answer ?? null));
        await this.#changed();
        return null;
      }
      if (ref.member !== null) input[ref.member] = target.seq;
    }
    const own = (await store.settledOnes()).filter((done) => done.subject === entry.subject);
    const ready = await store.change(entry.key, (now) =>
      isStopped(now) ? null : { ...now, input, refs: [], saw: onTopOfOwn(now, own), state: "sending", tries: now.tries + 1, sure_at: null },
    );
    await this.#changed();
    return ready;
  }

  async #send(entry: Entry): Promise<void> {
    let answer: Answer | null = null;
    const welcomes = this.#signIns;
    try {
      answer = await this.#client.command(entry, bodyOf(entry));
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
    if (answer === null || answer.outcome === "try_again") return this.#pause(entry, answer?.retry_after_ms ?? 0);
    if (answer.reason?.code === "not_signed_in" && welcomes !== this.#signIns) return; // signed in meanwhile: once more
    const store = this.#opened();
    if (answer.outcome === "conflict" || answer.reason?.code === "not_signed_in") {
      const state = answer.outcome === "conflict" ? ("conflict" as const) : ("held" as const);
      await store.change(entry.key, (now) => ({ ...now, state, answer }));
    } else {
      const done = settledAs(entry, answer);
      await store.settle(done, (later) => followed(later, entry, done));
    }
    await this.#changed();
  }

  async #pause(entry: Entry, atLeastMs: number): Promise<void> {
    await this.#wait(entry.subject, Math.max(atLeastMs, backoffMs(entry.tries - 1, this.#options.backoff ?? sendBackoff, this.#options.random)));
  }

  // `retryNow` ends it early.
  #wait(subject: string, ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waits.delete(subject);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waits.set(subject, wake);
    });
  }
}
