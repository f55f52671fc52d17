// An in-memory Omnium for unit tests and for working on the desk without the server: same addresses, answers and frames,
// with a handle for each way a link or a server can fail. It knows versions, keys and corrections, not the sports' rules.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocketServer, type WebSocket } from "ws";
import { readLog, standing, type Answer, type CommandIn, type Scoreboard, type TimelineItem } from "../../src/index.js";
import { folds } from "./sports.js";

interface Subject {
  kind: "fixture" | "competition";
  ref: string;
  name: string;
  sport: string | null;
  competition: string;
  sides: any;
  starts_at: string | null;
  settings: any;
  participants: any[];
  items: TimelineItem[];
  lastPlay: number;
}

interface Peer {
  socket: WebSocket;
  welcomed: boolean;
  topics: Set<string>;
}

const sports = JSON.parse(readFileSync(new URL("../../../../schema/json/sports.snapshot.json", import.meta.url), "utf8"));
const blank = { key: null, code: null, subject: null, seq: null, reason: null, conflict: null, first: null, retry_after_ms: null };

export class MockServer {
  readonly subjects = new Map<string, Subject>();
  readonly received: { via: "socket" | "http"; body: CommandIn }[] = [];
  readonly reads: string[] = [];
  readonly watches: { topic: string; have?: number }[] = [];
  beatMs = 200;
  /** Which database this is, as a welcome tells it. */
  history = "aaaa";
  token = "";
  /** The next n commands are committed, but their answer is lost and the link cut. */
  loseAnswers = 0;
  /** The next n commands are answered `try_again` and not saved. */
  tryAgain = 0;
  /** The next n reads of a log fail. */
  failLogs = 0;
  /** Reads of a log are answered with this status; 0: with the log. */
  denyLogs = 0;
  /** Reads of a match are answered with this status; 0: with the match. */
  denyReads = 0;
  /** The name that the token gives to what a client sends; "": each its own. */
  tokenName = "";
  /** Changes that are not sent, to make gaps. */
  dropChanges = 0;
  /** No socket opens, as behind a proxy that knows none; HTTP goes on. */
  noSockets = false;
  silent = false;
  /** Opens a socket without ever greeting it. */
  mute = false;
  retryHint: number | null = null;
  /** A folder of files to serve beside the rest, e.g. the built desk. */
  files: URL | null = null;
  #keys = new Map<string, { hash: string; answer: Answer }>();
  #peers = new Set<Peer>();
  #http: Server | null = null;
  #ws: WebSocketServer | null = null;
  #beats: ReturnType<typeof setInterval> | null = null;
  port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get sockets(): number {
    return this.#peers.size;
  }

  async start(port = this.port): Promise<void> {
    this.#http = createServer((req, res) => void this.#serve(req, res));
    this.#ws = new WebSocketServer({ server: this.#http, path: "/live", handleProtocols: (names) => (names.has("omnium.v1") ? "omnium.v1" : false) });
    this.#ws.on("connection", (socket) => this.#connect(socket));
    await new Promise<void>((done) => this.#http!.listen(port, "127.0.0.1", done));
    this.port = (this.#http.address() as { port: number }).port;
    this.#beat();
  }

  async stop(): Promise<void> {
    if (this.#beats !== null) clearInterval(this.#beats);
    for (const peer of this.#peers) peer.socket.terminate();
    this.#ws?.close();
    this.#http?.closeAllConnections();
    await new Promise<void>((done) => (this.#http === null ? done() : this.#http.close(() => done())));
    this.#http = null;
  }

  cutLinks(): void {
    for (const peer of this.#peers) peer.socket.terminate();
  }

  bye(reason: unknown): void {
    for (const peer of this.#peers) {
      this.#send(peer, { t: "bye", reason, ...(this.retryHint === null ? {} : { retry_ms: this.retryHint }) });
      peer.socket.close(1012);
    }
  }

  addFixture(ref: string, sport = "football", home = "Home", away = "Away", competition = "c0"): Subject {
    const side = (name: string, n: number) => ({ row: `${ref.slice(0, -1)}${n}`, name, short: name.slice(0, 3).toUpperCase(), colour: null, participant: null, changed_seq: 0 });
    const made: Subject = {
      kind: "fixture", ref, name: "", sport, competition, starts_at: new Date().toISOString(), settings: {}, participants: [], items: [], lastPlay: 0,
      sides: { home: side(home, 1), away: side(away, 2) },
    };
    this.subjects.set(ref, made);
    return made;
  }

  addCompetition(ref: string, name: string, sport: string | null = null): Subject {
    const made: Subject = { kind: "competition", ref, name, sport, competition: ref, starts_at: null, settings: {}, participants: [], items: [], lastPlay: 0, sides: null };
    this.subjects.set(ref, made);
    return made;
  }

  /** Another desk's command. */
  other(ref: string, code: string, input: Record<string, unknown>, sender = "desk-other"): Answer {
    const subject = this.subjects.get(ref)!;
    return this.#commit(subject, { key: randomBytes(8).toString("hex"), code, input, sender, saw: { play: subject.lastPlay } });
  }

  scoreboard(subject: Subject): Scoreboard {
    const events = standing(readLog(subject.items)).map((row) => ({ seq: row.item.seq, code: row.code, input: row.input }));
    return (folds[subject.sport ?? "generic"] ?? folds["generic"]!)(events);
  }

  // --- the road ------------------------------------------------------------------------------------------------------

  #decide(ref: string, body: CommandIn): Answer {
    const subject = this.subjects.get(ref) ?? this.#create(ref, body);
    const trace = randomBytes(16).toString("hex");
    const head = { ...blank, key: body.key, code: body.code, subject: subject ? { kind: subject.kind, ref } : null, trace };
    if (subject === null) return { ...head, outcome: "refused", reason: { code: "unknown_subject", message: "There is no such match." } } as Answer;
    const hash = createHash("sha256").update(JSON.stringify([body.code, body.input, ref])).digest("hex");
    const first = this.#keys.get(body.key);
    if (first !== undefined && first.hash !== hash) return { ...head, outcome: "refused", reason: { code: "key_reused", message: "This key was used for another command." } };
    if (first !== undefined) return { ...head, outcome: "duplicate", seq: first.answer.seq, first: first.answer };
    if (this.tryAgain > 0) {
      this.tryAgain -= 1;
      return { ...head, outcome: "try_again", reason: { code: "lock_timeout", message: "The match is busy." }, retry_after_ms: 5 };
    }
    if (body.saw?.play !== undefined && body.saw.play !== subject.lastPlay) {
      const since = subject.items.filter((item) => item.seq > body.saw!.play!);
      return { ...head, outcome: "conflict", conflict: { play: subject.lastPlay, since, rows: [] } };
    }
    const answer = this.#refuses(subject, body)
      ? { ...head, outcome: "refused" as const, reason: { code: "not_in_play", message: "The match is not in play.", law: "Law 10", release: `${subject.sport}@1` } }
      : this.#commit(subject, this.tokenName === "" ? body : { ...body, sender: this.tokenName }, trace);
    this.#keys.set(body.key, { hash, answer });
    return answer;
  }

  #refuses(subject: Subject, body: CommandIn): boolean {
    return body.code === "football.goal" && !subject.items.some((item) => item.code === "match.start");
  }

  #commit(subject: Subject, body: CommandIn, trace = "0".repeat(32)): Answer {
    const play = body.code !== "match.note" && !body.code.startsWith("games.");
    const seq = subject.items.length + 1;
    const item: TimelineItem = { seq, code: body.code, play, input: body.input, sender: body.sender, key: body.key, at: new Date().toISOString() };
    if (body.code === "match.void") item.voids = [body.input["seq"] as number];
    if (body.code === "match.cancel_range") item.voids = subject.items.filter((i) => i.play && i.seq >= (body.input["from"] as number) && i.seq <= (body.input["to"] as number)).map((i) => i.seq);
    if (body.code === "match.amend") item.replaces = body.input["seq"] as number;
    subject.items.push(item);
    if (play) subject.lastPlay = seq;
    this.#effects(subject, body, seq);
    this.#publish(subject, item, subject.kind === "fixture" ? this.scoreboard(subject) : null);
    return { ...blank, outcome: "accepted", key: body.key, code: body.code, subject: { kind: subject.kind, ref: subject.ref }, seq, trace };
  }

  #create(ref: string, body: CommandIn): Subject | null {
    return body.code === "games.create_competition" ? this.addCompetition(ref, String(body.input["name"]), (body.input["sport"] as string) ?? null) : null;
  }

  #effects(subject: Subject, body: CommandIn, seq: number): void {
    const input = body.input as any;
    if (body.code === "games.add_participant") subject.participants.push(input);
    if (body.code === "games.create_fixture") {
      const made = this.addFixture(input.id, input.sport, input.home.name, input.away.name, subject.ref);
      made.settings = input.settings ?? {};
      made.starts_at = input.starts_at ?? null;
    }
    if (body.code !== "games.edit_competitor") return;
    for (const side of Object.values(subject.sides) as any[]) if (side.row === input.row) Object.assign(side, input, { changed_seq: seq });
  }

  // --- reading --------------------------------------------------------------------------------------------------------

  fixtureBody(subject: Subject): any {
    const scoreboard = this.scoreboard(subject);
    return {
      id: subject.ref, competition: subject.competition, sport: subject.sport, release: "1.0.0", status: scoreboard.status, version: subject.items.length,
      last_play: subject.lastPlay, starts_at: subject.starts_at, settings: subject.settings, sides: subject.sides, scoreboard,
    };
  }

  #competitionBody(subject: Subject): any {
    return { id: subject.ref, name: subject.name, sport: subject.sport, version: subject.items.length, participants: subject.participants };
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", "http://mock");
    const send = (status: number, body: unknown, type = "application/json"): void => {
      res.writeHead(status, { "Content-Type": type, "Access-Control-Allow-Origin": "*", "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws:; object-src 'none'; base-uri 'none'" });
      res.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    };
    if (this.token !== "" && req.headers.authorization !== `Bearer ${this.token}` && !url.pathname.endsWith("z")) {
      if (req.method === "POST") return send(401, { ...blank, outcome: "refused", trace: "", reason: { code: "not_signed_in", message: "Sign in first." } });
      return send(401, { title: "Not signed in", status: 401 });
    }
    if (req.method === "POST") return this.#post(req, url, send, res);
    this.reads.push(url.pathname + url.search);
    this.#read(url, send);
  }

  async #post(req: IncomingMessage, url: URL, send: (status: number, body: unknown) => void, res: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of req) text += chunk;
    const body = JSON.parse(text) as CommandIn;
    const ref = url.pathname.split("/")[5]!;
    if (url.pathname.endsWith(":preview")) return send(200, this.#preview(ref, body));
    this.received.push({ via: "http", body });
    const answer = this.#decide(ref, body);
    if (this.loseAnswers > 0 && answer.outcome !== "try_again") {
      this.loseAnswers -= 1;
      res.destroy();
      return;
    }
    send({ accepted: 200, duplicate: 200, refused: 422, conflict: 409, try_again: 503 }[answer.outcome], answer);
  }

  #preview(ref: string, body: CommandIn): unknown {
    const subject = this.subjects.get(ref)!;
    const before = this.scoreboard(subject);
    const copy: Subject = { ...subject, items: [...subject.items], sides: structuredClone(subject.sides) };
    if (this.#refuses(subject, body)) return { would: "refused", reason: { code: "not_in_play", message: "The match is not in play.", law: "Law 10" }, conflict: null, scoreboard: before, changes: [], voids: [] };
    const item: TimelineItem = { seq: copy.items.length + 1, code: body.code, play: true, input: body.input, sender: body.sender, key: "preview", at: new Date().toISOString() };
    if (body.code === "match.void") item.voids = [body.input["seq"] as number];
    if (body.code === "match.amend") item.replaces = body.input["seq"] as number;
    copy.items.push(item);
    const after = this.scoreboard(copy);
    const changes: unknown[] = [];
    for (const side of ["home", "away"] as const) if (before.score[side] !== after.score[side]) changes.push({ path: `/score/${side}`, from: before.score[side], to: after.score[side] });
    if (before.line !== after.line) changes.push({ path: "/line", from: before.line, to: after.line });
    return { would: "accepted", reason: null, conflict: null, scoreboard: after, changes, voids: item.voids ?? [] };
  }

  #read(url: URL, send: (status: number, body: unknown, type?: string) => void): void {
    const parts = url.pathname.split("/").filter((part) => part !== "");
    const all = [...this.subjects.values()];
    if (parts[0] === "sports") return send(200, Object.entries(sports).map(([sport, commands]) => ({ sport, label: sport[0]!.toUpperCase() + sport.slice(1), releases: [{ version: "1.0.0", default: true }], commands: (commands as any[]).map(({ input, ...rest }) => ({ ...rest, schema: input })) })));
    if (parts[0] === "livez") return send(200, { ok: true });
    if (parts[0] === "readyz") return send(200, { ready: true, parts: { database: { ok: true }, outbox: { ok: true } } });
    if (parts[0] === "metrics") return send(200, "# HELP omnium_commands_total Commands answered.\n# TYPE omnium_commands_total counter\nomnium_commands_total{outcome=\"accepted\"} " + this.received.length + "\n");
    if (parts[0] === "competitions" && parts[1] === undefined) return send(200, { items: all.filter((s) => s.kind === "competition").map((s) => this.#competitionBody(s)), next: null });
    if (this.files !== null && (parts.length === 0 || parts[0] === "assets" || /\.(svg|js)$/.test(url.pathname))) return this.#file(this.files, parts, send);
    const subject = this.subjects.get(parts[1] ?? "");
    if (parts[0] === "competitions" && subject) return send(200, this.#competitionBody(subject));
    if (parts[0] === "fixtures" && parts[1] === undefined) {
      const wanted = url.searchParams.get("competition");
      return send(200, { items: all.filter((s) => s.kind === "fixture" && (wanted === null || s.competition === wanted)).map((s) => this.fixtureBody(s)), next: null });
    }
    if (parts[0] !== "fixtures" || !subject) return send(404, { title: "Not found", status: 404, detail: "There is nothing at this address." });
    if (parts[2] === "timeline" && this.failLogs > 0) {
      this.failLogs -= 1;
      return send(503, { title: "Busy", status: 503, detail: "The database is busy." });
    }
    if (parts[2] === "timeline" && this.denyLogs > 0) return send(this.denyLogs, { title: "Denied", status: this.denyLogs, detail: "This token may not read this match." });
    if (parts[2] === "timeline") {
      const after = Number(url.searchParams.get("after") ?? 0);
      const limit = Number(url.searchParams.get("limit") ?? 100);
      return send(200, { items: subject.items.filter((item) => item.seq > after).slice(0, limit) });
    }
    if (parts[2] === "state") return send(200, { seq: subject.items.length, state: {} });
    if (this.denyReads > 0) return send(this.denyReads, { title: "Busy", status: this.denyReads, detail: "The database is busy." });
    send(200, this.fixtureBody(subject));
  }

  #file(folder: URL, parts: string[], send: (status: number, body: unknown, type?: string) => void): void {
    const name = parts.join("/") || "index.html";
    const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", woff2: "font/woff2" };
    send(200, readFileSync(new URL(name, folder)), types[name.split(".").pop()!] ?? "application/octet-stream");
  }

  // --- live -------------------------------------------------------------------------------------------------------------

  #connect(socket: WebSocket): void {
    if (this.noSockets) return socket.terminate();
    const peer: Peer = { socket, welcomed: false, topics: new Set() };
    this.#peers.add(peer);
    socket.on("close", () => this.#peers.delete(peer));
    socket.on("message", (data) => this.#frame(peer, JSON.parse(String(data))));
  }

  #send(peer: Peer, frame: object): void {
    if (!this.silent) peer.socket.send(JSON.stringify(frame));
  }

  #frame(peer: Peer, frame: any): void {
    if (this.mute) return;
    if (frame.t === "hello") {
      if (this.token !== "" && frame.token !== this.token) {
        this.#send(peer, { t: "bye", reason: "not_signed_in" });
        return peer.socket.close(1008);
      }
      peer.welcomed = true;
      return this.#send(peer, { t: "welcome", session: `${this.history}.${randomBytes(4).toString("hex")}`, node: "mock", beat_ms: this.beatMs });
    }
    if (!peer.welcomed) return peer.socket.close(1008);
    if (frame.t === "watch") return this.#watch(peer, frame);
    if (frame.t === "unwatch") return void peer.topics.delete(frame.topic);
    if (frame.t !== "command") return;
    this.received.push({ via: "socket", body: frame.body });
    const answer = this.#decide(frame.ref, frame.body);
    if (this.loseAnswers > 0 && answer.outcome !== "try_again") {
      this.loseAnswers -= 1;
      return peer.socket.terminate();
    }
    this.#send(peer, { t: "answer", id: frame.id, answer });
  }

  #watch(peer: Peer, frame: { id: string; topic: string; have?: number }): void {
    this.watches.push(frame.have === undefined ? { topic: frame.topic } : { topic: frame.topic, have: frame.have });
    const subject = this.subjects.get(frame.topic.split("/")[1] ?? "");
    if (subject === undefined) return this.#send(peer, { t: "error", id: frame.id, reason: { code: "unknown_topic", message: "There is no such topic." } });
    peer.topics.add(frame.topic);
    const version = subject.items.length;
    if (frame.have !== undefined && frame.have <= version) {
      for (const item of subject.items.slice(frame.have)) this.#change(peer, subject, item, subject.kind === "fixture" ? this.scoreboard(subject) : null);
      return;
    }
    this.#send(peer, { t: "snapshot", topic: frame.topic, version, data: subject.kind === "fixture" ? this.fixtureBody(subject) : this.#competitionBody(subject) });
  }

  #publish(subject: Subject, item: TimelineItem, scoreboard: Scoreboard | null): void {
    const topic = `${subject.kind}/${subject.ref}`;
    if (this.dropChanges > 0) {
      this.dropChanges -= 1;
      return;
    }
    for (const peer of this.#peers) if (peer.topics.has(topic)) this.#change(peer, subject, item, scoreboard);
  }

  #change(peer: Peer, subject: Subject, item: TimelineItem, scoreboard: Scoreboard | null): void {
    this.#send(peer, { t: "change", topic: `${subject.kind}/${subject.ref}`, version: item.seq, prev: item.seq - 1, code: item.code, play: item.play, item, scoreboard });
  }

  #beat(): void {
    if (this.#beats !== null) clearInterval(this.#beats);
    this.#beats = setInterval(() => {
      for (const peer of this.#peers) {
        if (!peer.welcomed) continue;
        const versions = Object.fromEntries([...peer.topics].map((topic) => [topic, this.subjects.get(topic.split("/")[1]!)?.items.length ?? 0]));
        this.#send(peer, { t: "beat", versions });
      }
    }, this.beatMs);
  }
}
