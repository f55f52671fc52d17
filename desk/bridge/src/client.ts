import { backoffMs, socketBackoff, type Backoff } from "./backoff.js";
import { ServerClock } from "./clock.js";
import { Emitter } from "./emitter.js";
import type { Answer, Beat, ClientFrame, CommandIn, Preview, ServerFrame, TimelineItem, Welcome } from "./generated/wire.js";
import { Http, NetworkError, type Address, type ReadError } from "./http.js";
import { parseJson, writeJson } from "./json.js";
import { Poller } from "./poller.js";
import { readReason, type PlainReason } from "./reason.js";
import { hasRows, readPage } from "./shapes.js";
import { Topics, type TopicHandler, type Watching } from "./topics.js";

export type LinkState =
  | "idle" // not started
  | "connecting" // a socket is opening, or waits for its welcome
  | "live" // welcomed: changes arrive, commands go over the socket
  | "waiting" // closed; the next try is at `retryAt`
  | "not_signed_in" // the server does not know the token; tried again slowly, and at once after `setToken`
  | "stopped";

export interface Link {
  state: LinkState;
  /** Device time of the last change of `state`. */
  since: number;
  /** Closes in a row without a stable connection between them. */
  attempt: number;
  retryAt: number | null;
  /** Why the last socket closed. */
  reason: PlainReason | null;
  session: string | null;
  node: string | null;
  /** There is no socket, but what is watched is read over HTTP every few seconds. */
  polling: boolean;
}

/** What the client needs of a WebSocket; the browser's own and the `ws` package's both fit. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

export interface ClientOptions {
  /** Where the server is, e.g. "http://127.0.0.1:8400". Default: the page's own origin. */
  url?: string;
  token?: string;
  /** Names this client in the server's log, e.g. "desk 0.1". */
  client?: string;
  openSocket?: (url: string, protocol: string) => SocketLike;
  fetch?: typeof fetch;
  backoff?: Backoff;
  /** A welcome that takes longer counts as a dead link. Milliseconds. */
  welcomeMs?: number;
  /** An answer over the socket that takes longer counts as a broken link. Milliseconds. */
  answerMs?: number;
  /** How often watched topics are read over HTTP while no socket opens. Milliseconds. */
  pollMs?: number;
  now?: () => number;
  random?: () => number;
}

interface Waiting {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

const protocol = "omnium.v1";
/** Beats that may be missed before the link counts as dead. */
const beatsMissedMax = 2;

/** One server, seen from one page: a live socket that is opened again after any close, and HTTP beside it. */
export class OmniumClient {
  readonly http: Http;
  readonly clock: ServerClock;
  readonly #options: ClientOptions;
  readonly #topics: Topics;
  readonly #poller: Poller;
  readonly #links = new Emitter<Link>();
  readonly #welcomes = new Emitter<Welcome>();
  readonly #known = new Emitter<void>();
  readonly #frames = new Emitter<ServerFrame>();
  readonly #now: () => number;
  #token: string;
  #link: Link;
  #socket: SocketLike | null = null;
  #waiting = new Map<string, Waiting>();
  #nextId = 1;
  #beatMs = 5_000;
  #heardAt = 0;
  #closeReason: PlainReason | null = null;
  #retryHintMs: number | null = null;
  #reopen: ReturnType<typeof setTimeout> | null = null;
  #watchdog: ReturnType<typeof setInterval> | null = null;
  /** Why HTTP knows this page no more, where no socket says so; null: it does, or was not asked. */
  #unsigned: PlainReason | null = null;
  /** The token that the server has answered to; null: none. */
  #knownBy: string | null = null;
  /** Which database the versions held here are of; null: not known. */
  #history: string | null = null;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
    this.#token = options.token ?? "";
    this.#now = options.now ?? Date.now;
    this.clock = new ServerClock(this.#now);
    const http = { url: options.url ?? "", token: () => this.#token };
    this.http = new Http(options.fetch === undefined ? http : { ...http, fetch: options.fetch });
    this.#link = { state: "idle", since: this.#now(), attempt: 0, retryAt: null, reason: null, session: null, node: null, polling: false };
    this.#poller = new Poller(
      this.http,
      () => this.#topics.watched(),
      (snapshot) => this.#topics.snapshot(snapshot),
      (reached) => this.#polled(reached),
      (topic, error) => this.#refused(topic, error),
      options.pollMs,
    );
    this.#topics = new Topics((frame) => this.#write(frame), () => `w${this.#nextId++}`);
  }

  get link(): Link {
    return this.#link;
  }

  get token(): string {
    return this.#token;
  }

  onLink(listener: (link: Link) => void): () => void {
    return this.#links.on(listener);
  }

  /** Called after each welcome, that is after each time the link came back. */
  onWelcome(listener: (welcome: Welcome) => void): () => void {
    return this.#welcomes.on(listener);
  }

  /** Called when the server knows this page's token: after each welcome, and where no socket opens, when a read is answered
   * after one was not. */
  onSignedIn(listener: () => void): () => void {
    return this.#known.on(listener);
  }

  /** Every frame of the server, as it is: for members that are not part of the contract. */
  onFrame(listener: (frame: ServerFrame) => void): () => void {
    return this.#frames.on(listener);
  }

  start(): void {
    if (this.#link.state !== "idle" && this.#link.state !== "stopped") return;
    if (typeof addEventListener === "function") {
      addEventListener("online", this.#wake);
      addEventListener("offline", this.#unplugged);
      addEventListener("pageshow", this.#wake);
      globalThis.document?.addEventListener("visibilitychange", this.#wake);
    }
    this.#open();
  }

  stop(): void {
    if (typeof removeEventListener === "function") {
      removeEventListener("online", this.#wake);
      removeEventListener("offline", this.#unplugged);
      removeEventListener("pageshow", this.#wake);
      globalThis.document?.removeEventListener("visibilitychange", this.#wake);
    }
    this.#set({ state: "stopped", retryAt: null, polling: false });
    this.#poller.stop();
    this.#drop();
  }

  /** Signs in with a token; the socket is opened anew. The token it has already is tried again at once, unless the link
   * is up with it. */
  setToken(token: string): void {
    const { state } = this.#link;
    if (token === this.#token && (state === "live" || state === "connecting")) return;
    this.#token = token;
    this.#unsigned = null;
    if (state === "idle" || state === "stopped") return;
    this.#set({ attempt: 0, reason: null });
    this.#drop();
    this.#open();
  }

  /** Watches a topic. One subscription travels per topic, however many watchers it has here. */
  watch(topic: string, handler: TopicHandler): Watching {
    return this.#topics.watch(topic, handler);
  }

  /** The version held here of a topic that is watched. `current`: it is the newest, but for what is on the wire; false
   * without a live link, and until the server has said so after one came back. null: none is held. */
  held(topic: string): { version: number; current: boolean } | null {
    return this.#topics.held(topic);
  }

  /** Rows of a match's log after `after`, `limit` of them at most (1,000). Rejects with ReadError or NetworkError. */
  async timeline(id: string, after: number, limit: number): Promise<TimelineItem[]> {
    const body = await this.http.get<unknown>(`/fixtures/${id}/timeline?after=${after}&limit=${limit}`);
    if (!hasRows(body, "timeline")) throw new NetworkError("No log of Omnium.");
    return readPage(body, "timeline").rows as unknown as TimelineItem[];
  }

  /** Sends one command: over the socket when it is live, else over HTTP. Rejects with NetworkError only. */
  async command(to: Address, body: CommandIn): Promise<Answer> {
    this.clock.sending(body.key);
    if (this.#link.state === "live") return this.#commandOverSocket(to, body);
    const answer = await this.http.command(to, body);
    if (answer.outcome === "accepted") this.#poller.nudge();
    return answer;
  }

  preview(to: Address, body: Omit<CommandIn, "key">): Promise<Preview> {
    return this.http.preview(to, body);
  }

  #commandOverSocket(to: Address, body: CommandIn): Promise<Answer> {
    const id = `c${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new NetworkError("No answer in time."));
        this.#lose({ code: "no_answer", message: "The server did not answer in time." });
      }, this.#options.answerMs ?? 15_000);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#write({ t: "command", id, workflow: to.workflow, kind: to.kind, ref: to.ref, body });
    });
  }

  // --- opening and closing -----------------------------------------------------------------------------------------

  #open(): void {
    if (this.#reopen !== null) clearTimeout(this.#reopen);
    this.#reopen = null;
    this.#closeReason = null;
    this.#retryHintMs = null;
    this.#heardAt = this.#now();
    this.#set({ state: "connecting", retryAt: null });
    let socket: SocketLike;
    try {
      socket = (this.#options.openSocket ?? browserSocket)(this.#liveUrl(), protocol);
    } catch (error) {
      this.#closed({ code: "no_socket", message: error instanceof Error ? error.message : "No socket." });
      return;
    }
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket === socket) this.#write({ t: "hello", token: this.#token, client: this.#options.client ?? "omnium-bridge" });
    };
    socket.onmessage = (event: { data: unknown }) => {
      if (this.#socket === socket) this.#receive(String(event.data));
    };
    socket.onerror = () => undefined; // a close always follows
    socket.onclose = (event: { code?: number; reason?: string }) => {
      if (this.#socket === socket) this.#closed(this.#closeReason ?? closeReason(event));
    };
    this.#watch();
  }

  #liveUrl(): string {
    const base = this.#options.url ?? globalThis.location?.origin ?? "";
    return `${base.replace(/^http/, "ws")}/live`;
  }

  // A dead link gives no sign of its own: without a frame for two beats and a half, it is dropped.
  #watch(): void {
    if (this.#watchdog !== null) clearInterval(this.#watchdog);
    this.#watchdog = setInterval(() => this.#checkLink(), 250);
  }

  #checkLink(): void {
    const silent = this.#now() - this.#heardAt;
    if (this.#link.state === "connecting" && silent > (this.#options.welcomeMs ?? 10_000)) {
      this.#lose({ code: "no_welcome", message: "The server did not welcome this page in time." });
    } else if (this.#link.state === "live" && silent > this.#beatMs * (beatsMissedMax + 0.5)) {
      this.#lose({ code: "dead_link", message: "Nothing was heard of the server for two beats." });
    }
  }

  #wake = (): void => {
    if (globalThis.document?.visibilityState === "hidden") return;
    if (this.#link.state === "waiting") this.#open();
    else this.#checkLink();
  };

  // The network is gone: better known now than after two beats. Were it still there, the next try finds it.
  #unplugged = (): void => this.#lose({ code: "offline", message: "This device has no network." });

  #lose(reason: PlainReason): void {
    if (this.#socket === null) return;
    this.#closed(reason);
  }

  // Lets go of the socket without waiting for its closing handshake: a dead peer never finishes it.
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (this.#reopen !== null) clearTimeout(this.#reopen);
    if (this.#watchdog !== null) clearInterval(this.#watchdog);
    this.#reopen = null;
    this.#watchdog = null;
    this.#topics.lost();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) {
      clearTimeout(one.timer);
      one.reject(new NetworkError("The link broke before the answer came."));
    }
    try {
      socket?.close(1000);
    } catch {
      // It was closed already.
    }
  }

  #closed(reason: PlainReason): void {
    this.#drop();
    if (this.#link.state === "stopped") return;
    const signIn = reason.code === "not_signed_in";
    const attempt = this.#link.attempt;
    const backoff = this.#options.backoff ?? socketBackoff;
    const random = this.#options.random ?? Math.random;
    let wait = signIn ? backoff.maxMs : backoffMs(attempt, backoff, random);
    if (this.#retryHintMs !== null) wait = Math.max(wait, this.#retryHintMs * (0.5 + random()));
    this.#set({
      state: signIn ? "not_signed_in" : "waiting",
      attempt: attempt + 1,
      retryAt: this.#now() + wait,
      reason: this.#unsigned ?? reason,
      session: null,
    });
    if (signIn) this.#poller.stop();
    else this.#poller.start();
    this.#reopen = setTimeout(() => this.#open(), wait);
  }

  #set(change: Partial<Link>): void {
    const moved = change.state !== undefined && change.state !== this.#link.state;
    this.#link = { ...this.#link, ...change, since: moved ? this.#now() : this.#link.since };
    this.#links.emit(this.#link);
  }

  // --- frames --------------------------------------------------------------------------------------------------------

  #write(frame: ClientFrame): void {
    if (this.#socket === null) return;
    try {
      this.#socket.send(writeJson(frame));
    } catch {
      this.#lose({ code: "closed", message: "The link is closed." });
    }
  }

  #receive(text: string): void {
    this.#heardAt = this.#now();
    let frame: ServerFrame;
    try {
      frame = parseJson(text) as ServerFrame;
    } catch {
      return this.#lose({ code: "bad_frame", message: "The server sent something that is no JSON." });
    }
    this.#handle(frame);
    this.#frames.emit(frame);
  }

  #handle(frame: ServerFrame): void {
    switch (frame.t) {
      case "welcome":
        return this.#welcome(frame);
      case "answer":
        return this.#answered(frame.id, frame.answer);
      case "snapshot":
        return this.#topics.snapshot(frame);
      case "change":
        this.clock.item(frame.item);
        return this.#topics.change(frame);
      case "beat":
        return this.#beat(frame);
      case "error":
        return this.#error(frame.id, readReason(frame.reason));
      case "bye":
        return this.#bye(frame);
    }
  }

  #welcome(frame: Welcome): void {
    if (frame.beat_ms > 0) this.#beatMs = frame.beat_ms;
    this.#poller.stop();
    this.#unsigned = null;
    this.#set({ state: "live", polling: false, reason: null, session: frame.session, node: frame.node });
    const history = historyOf(frame);
    if (history === null || history !== this.#history) this.#topics.forget();
    this.#history = history;
    this.#topics.welcomed();
    this.#welcomes.emit(frame);
    this.#knows();
  }

  // --- reading over HTTP meanwhile ------------------------------------------------------------------------------------

  #polled(reached: boolean): void {
    if (this.#link.state === "live") return;
    if (reached !== this.#link.polling) this.#set({ polling: reached });
    if (!reached) return;
    this.#unsigned = null;
    if (this.#knownBy !== this.#token) this.#knows();
  }

  #knows(): void {
    this.#knownBy = this.#token;
    this.#known.emit();
  }

  // What a socket would have said: that nobody is signed in, or that there is no such topic.
  #refused(topic: string, error: ReadError): void {
    if (this.#link.state === "live") return;
    if (error.status === 401) {
      this.#unsigned = readReason("not_signed_in");
      this.#knownBy = null;
      this.#set({ polling: false, reason: this.#unsigned });
    } else {
      this.#set({ polling: error.status < 500 });
    }
    this.#topics.refused(topic, { code: error.status === 404 ? "unknown_subject" : "unread", message: error.message });
  }

  #beat(frame: Beat): void {
    if (this.#link.attempt !== 0) this.#set({ attempt: 0 });
    this.#write({ t: "pong" });
    this.#topics.beat(frame.versions);
  }

  #answered(id: string, answer: Answer): void {
    const waiting = this.#waiting.get(String(id));
    if (waiting === undefined) return;
    this.#waiting.delete(String(id));
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }

  #error(id: string | undefined, reason: PlainReason): void {
    if (reason.code === "not_signed_in") this.#closeReason = reason;
    if (id === undefined) return;
    const waiting = this.#waiting.get(String(id));
    if (waiting === undefined) return this.#topics.failed(String(id), reason);
    this.#waiting.delete(String(id));
    clearTimeout(waiting.timer);
    waiting.reject(new NetworkError(reason.message));
  }

  #bye(frame: { reason: unknown; [more: string]: unknown }): void {
    this.#closeReason = readReason(frame.reason);
    const hint = frame["retry_ms"] ?? frame["retry_after_ms"];
    if (typeof hint === "number" && hint >= 0) this.#retryHintMs = hint;
  }
}

/** A session is named `<database>.<its own id>`: versions of another database say nothing here. */
function historyOf(frame: Welcome): string | null {
  const dot = frame.session.indexOf(".");
  return dot < 0 ? null : frame.session.slice(0, dot);
}

function browserSocket(url: string, name: string): SocketLike {
  return new WebSocket(url, name) as unknown as SocketLike;
}

function closeReason(event: { code?: number; reason?: string }): PlainReason {
  if (event.reason === "not_signed_in") return { code: "not_signed_in", message: "The server does not know this token." };
  if (event.reason !== undefined && event.reason !== "") return { code: event.reason, message: event.reason };
  return { code: "closed", message: event.code === 1006 || event.code === undefined ? "The link broke." : `The link was closed (${event.code}).` };
}
