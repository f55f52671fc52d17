// desk/bridge/test/mock/server.ts
import { createServer } from "node:http";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocketServer } from "ws";

// desk/bridge/src/log.ts
var corrections = /* @__PURE__ */ new Set(["match.void", "match.amend", "match.cancel_range"]);
function voidedBy(items) {
  const by = /* @__PURE__ */ new Map();
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i];
    if (by.has(item.seq)) continue;
    for (const seq of item.voids ?? []) if (!by.has(seq)) by.set(seq, item.seq);
  }
  return by;
}
function record(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
function readLog(items) {
  const voids = voidedBy(items);
  const amends = /* @__PURE__ */ new Map();
  for (const item of items) {
    if (item.code === "match.amend" && item.replaces !== void 0 && !voids.has(item.seq)) amends.set(item.replaces, item);
  }
  return items.map((item) => {
    const inserted = item.code === "match.insert";
    const amend = amends.get(item.seq);
    const own = inserted ? record(item.input["input"]) : item.input;
    return {
      item,
      code: inserted && typeof item.input["code"] === "string" ? item.input["code"] : item.code,
      input: amend === void 0 ? own : record(amend.input["input"]),
      voidedBy: voids.get(item.seq) ?? null,
      amendedBy: amend?.seq ?? null,
      insertedBefore: inserted && typeof item.input["before"] === "number" ? item.input["before"] : null,
      correction: corrections.has(item.code)
    };
  });
}
function standing(rows) {
  const before = /* @__PURE__ */ new Map();
  const main = [];
  for (const row of rows) {
    if (row.voidedBy !== null || row.correction) continue;
    if (row.insertedBefore === null) main.push(row);
    else before.set(row.insertedBefore, [...before.get(row.insertedBefore) ?? [], row]);
  }
  const out = [];
  const place = (row) => {
    const earlier = before.get(row.item.seq) ?? [];
    before.delete(row.item.seq);
    earlier.forEach(place);
    out.push(row);
  };
  main.forEach(place);
  for (const rest of before.values()) rest.forEach(place);
  return out;
}

// desk/bridge/test/mock/sports.ts
var status = (events) => {
  if (events.some((e) => e.code === "match.end")) return "ended";
  return events.some((e) => e.code === "match.start") ? "live" : "scheduled";
};
var football = (events) => {
  const score = { home: 0, away: 0 };
  const goals = [];
  let period = null;
  const cards = { home: { yellow: 0, red: 0 }, away: { yellow: 0, red: 0 } };
  for (const { code, input } of events) {
    if (code === "football.period") period = input["action"] === "start" ? input["period"] : `${input["period"]}-end`;
    if (code === "football.card") cards[input["side"]][input["card"] === "yellow" ? "yellow" : "red"] += 1;
    if (code !== "football.goal") continue;
    score[input["side"]] += 1;
    goals.push({ side: input["side"], minute: input["minute"], scorer: input["scorer"] ?? null, kind: input["kind"] });
  }
  return { status: status(events), period, score, line: `${score.home}\u2013${score.away}`, shootout: null, minute: null, cards, goals };
};
var curling = (events) => {
  const ends = [];
  let hammer = null;
  let stones = 0;
  for (const { code, input } of events) {
    if (code === "curling.hammer") hammer = input["side"];
    if (code === "curling.end") ends.push({ home: 0, away: 0, hammer, blank: false, played: false });
    if (code === "curling.stone") stones += 1;
    if (code !== "curling.end_score" || ends.length === 0) continue;
    const end = ends[ends.length - 1];
    end.played = true;
    stones = 0;
    if (input["side"] === void 0) end.blank = true;
    else {
      end[input["side"]] = input["points"];
      hammer = input["side"] === "home" ? "away" : "home";
    }
  }
  const score = { home: 0, away: 0 };
  for (const end of ends) score.home += end.home, score.away += end.away;
  return { status: status(events), period: ends.length, score, line: `${score.home}\u2013${score.away}`, ends, hammer, stones_thrown: stones };
};
var cricket = (events) => {
  const innings = [];
  const score = { home: 0, away: 0 };
  let batting = [];
  let bowling = null;
  for (const { code, input } of events) {
    if (code === "cricket.innings" && input["action"] === "start") {
      innings.push({ batting: input["batting"], kind: input["kind"], runs: 0, wickets: 0, balls: 0, overs: "0.0", extras: { wides: 0, noballs: 0, byes: 0, legbyes: 0, penalty: 0 }, closed: false });
      batting = [];
      bowling = null;
    }
    const now = innings[innings.length - 1];
    if (code === "cricket.innings" && input["action"] === "end" && now) now.closed = true;
    if (code !== "cricket.ball" || !now) continue;
    const extras = input["runs"].extras ?? {};
    const total = input["runs"].batter + Object.values(extras).reduce((a, b) => a + b, 0);
    for (const [kind, runs] of Object.entries(extras)) now.extras[kind] += runs;
    const legal = !extras.wides && !extras.noballs;
    now.runs += total;
    now.wickets += (input["wickets"] ?? []).length;
    now.balls += legal ? 1 : 0;
    now.overs = `${Math.floor(now.balls / 6)}.${now.balls % 6}`;
    for (const name of [input["batter"], input["non_striker"]]) if (!batting.some((b) => b.batter === name)) batting.push({ batter: name, runs: 0, balls: 0, fours: 0, sixes: 0 });
    const card = batting.find((b) => b.batter === input["batter"]);
    card.runs += input["runs"].batter;
    card.balls += extras.wides ? 0 : 1;
    card.fours += input["runs"].batter === 4 ? 1 : 0;
    card.sixes += input["runs"].batter === 6 ? 1 : 0;
    for (const out of input["wickets"] ?? []) batting = batting.filter((b) => b.batter !== out.player_out);
    if (bowling?.bowler !== input["bowler"]) bowling = { bowler: input["bowler"], balls: 0, maidens: 0, runs: 0, wickets: 0 };
    bowling.balls += legal ? 1 : 0;
    bowling.runs += total;
    bowling.wickets += (input["wickets"] ?? []).length;
    score[now.batting] += total;
  }
  const last = innings[innings.length - 1];
  return { status: status(events), period: innings.length, score, line: last ? `${last.runs}/${last.wickets} (${last.overs})` : "", innings, batting, bowling, result: {} };
};
var generic = (events) => {
  const score = { home: 0, away: 0 };
  for (const { input } of events) {
    const side = input["winner"] ?? input["side"];
    if (side === "home" || side === "away") score[side] += 1;
  }
  return { status: status(events), period: 1, score, line: `${score.home}\u2013${score.away}` };
};
var folds = { football, curling, cricket, generic };

// desk/bridge/test/mock/server.ts
var sports = JSON.parse(readFileSync(new URL("../../../../schema/json/sports.snapshot.json", import.meta.url), "utf8"));
var blank = { key: null, code: null, subject: null, seq: null, reason: null, conflict: null, first: null, retry_after_ms: null };
var MockServer = class {
  subjects = /* @__PURE__ */ new Map();
  received = [];
  reads = [];
  watches = [];
  beatMs = 200;
  token = "";
  /** The next n commands are committed, but their answer is lost and the link cut. */
  loseAnswers = 0;
  /** The next n commands are answered `try_again` and not saved. */
  tryAgain = 0;
  /** Changes that are not sent, to make gaps. */
  dropChanges = 0;
  silent = false;
  /** Opens a socket without ever greeting it. */
  mute = false;
  retryHint = null;
  /** A folder of files to serve beside the rest, e.g. the built desk. */
  files = null;
  #keys = /* @__PURE__ */ new Map();
  #peers = /* @__PURE__ */ new Set();
  #http = null;
  #ws = null;
  #beats = null;
  port = 0;
  get url() {
    return `http://127.0.0.1:${this.port}`;
  }
  get sockets() {
    return this.#peers.size;
  }
  async start(port = this.port) {
    this.#http = createServer((req, res) => void this.#serve(req, res));
    this.#ws = new WebSocketServer({ server: this.#http, path: "/live", handleProtocols: (names) => names.has("omnium.v1") ? "omnium.v1" : false });
    this.#ws.on("connection", (socket) => this.#connect(socket));
    await new Promise((done) => this.#http.listen(port, "127.0.0.1", done));
    this.port = this.#http.address().port;
    this.#beat();
  }
  async stop() {
    if (this.#beats !== null) clearInterval(this.#beats);
    for (const peer of this.#peers) peer.socket.terminate();
    this.#ws?.close();
    this.#http?.closeAllConnections();
    await new Promise((done) => this.#http === null ? done() : this.#http.close(() => done()));
    this.#http = null;
  }
  cutLinks() {
    for (const peer of this.#peers) peer.socket.terminate();
  }
  bye(reason) {
    for (const peer of this.#peers) {
      this.#send(peer, { t: "bye", reason, ...this.retryHint === null ? {} : { retry_ms: this.retryHint } });
      peer.socket.close(1012);
    }
  }
  addFixture(ref, sport = "football", home = "Home", away = "Away", competition = "c0") {
    const side = (name, n) => ({ row: `${ref.slice(0, -1)}${n}`, name, short: name.slice(0, 3).toUpperCase(), colour: null, participant: null, changed_seq: 0 });
    const made = {
      kind: "fixture",
      ref,
      name: "",
      sport,
      competition,
      starts_at: (/* @__PURE__ */ new Date()).toISOString(),
      settings: {},
      participants: [],
      items: [],
      lastPlay: 0,
      sides: { home: side(home, 1), away: side(away, 2) }
    };
    this.subjects.set(ref, made);
    return made;
  }
  addCompetition(ref, name, sport = null) {
    const made = { kind: "competition", ref, name, sport, competition: ref, starts_at: null, settings: {}, participants: [], items: [], lastPlay: 0, sides: null };
    this.subjects.set(ref, made);
    return made;
  }
  /** Another desk's command. */
  other(ref, code, input, sender = "desk-other") {
    const subject = this.subjects.get(ref);
    return this.#commit(subject, { key: randomBytes(8).toString("hex"), code, input, sender, saw: { play: subject.lastPlay } });
  }
  scoreboard(subject) {
    const events = standing(readLog(subject.items)).map((row) => ({ seq: row.item.seq, code: row.code, input: row.input }));
    return (folds[subject.sport ?? "generic"] ?? folds["generic"])(events);
  }
  // --- the road ------------------------------------------------------------------------------------------------------
  #decide(ref, body) {
    const subject = this.subjects.get(ref) ?? this.#create(ref, body);
    const trace = randomBytes(16).toString("hex");
    const head = { ...blank, key: body.key, code: body.code, subject: subject ? { kind: subject.kind, ref } : null, trace };
    if (subject === null) return { ...head, outcome: "refused", reason: { code: "unknown_subject", message: "There is no such match." } };
    const hash = createHash("sha256").update(JSON.stringify([body.code, body.input, ref])).digest("hex");
    const first = this.#keys.get(body.key);
    if (first !== void 0 && first.hash !== hash) return { ...head, outcome: "refused", reason: { code: "key_reused", message: "This key was used for another command." } };
    if (first !== void 0) return { ...head, outcome: "duplicate", seq: first.answer.seq, first: first.answer };
    if (this.tryAgain > 0) {
      this.tryAgain -= 1;
      return { ...head, outcome: "try_again", reason: { code: "lock_timeout", message: "The match is busy." }, retry_after_ms: 5 };
    }
    if (body.saw?.play !== void 0 && body.saw.play !== subject.lastPlay) {
      const since = subject.items.filter((item) => item.seq > body.saw.play);
      return { ...head, outcome: "conflict", conflict: { play: subject.lastPlay, since, rows: [] } };
    }
    const answer = this.#refuses(subject, body) ? { ...head, outcome: "refused", reason: { code: "not_in_play", message: "The match is not in play.", law: "Law 10", release: `${subject.sport}@1` } } : this.#commit(subject, body, trace);
    this.#keys.set(body.key, { hash, answer });
    return answer;
  }
  #refuses(subject, body) {
    return body.code === "football.goal" && !subject.items.some((item) => item.code === "match.start");
  }
  #commit(subject, body, trace = "0".repeat(32)) {
    const play = body.code !== "match.note" && !body.code.startsWith("games.");
    const seq = subject.items.length + 1;
    const item = { seq, code: body.code, play, input: body.input, sender: body.sender, key: body.key, at: (/* @__PURE__ */ new Date()).toISOString() };
    if (body.code === "match.void") item.voids = [body.input["seq"]];
    if (body.code === "match.cancel_range") item.voids = subject.items.filter((i) => i.play && i.seq >= body.input["from"] && i.seq <= body.input["to"]).map((i) => i.seq);
    if (body.code === "match.amend") item.replaces = body.input["seq"];
    subject.items.push(item);
    if (play) subject.lastPlay = seq;
    this.#effects(subject, body, seq);
    this.#publish(subject, item, subject.kind === "fixture" ? this.scoreboard(subject) : null);
    return { ...blank, outcome: "accepted", key: body.key, code: body.code, subject: { kind: subject.kind, ref: subject.ref }, seq, trace };
  }
  #create(ref, body) {
    return body.code === "games.create_competition" ? this.addCompetition(ref, String(body.input["name"]), body.input["sport"] ?? null) : null;
  }
  #effects(subject, body, seq) {
    const input = body.input;
    if (body.code === "games.add_participant") subject.participants.push(input);
    if (body.code === "games.create_fixture") {
      const made = this.addFixture(input.id, input.sport, input.home.name, input.away.name, subject.ref);
      made.settings = input.settings ?? {};
      made.starts_at = input.starts_at ?? null;
    }
    if (body.code !== "games.edit_competitor") return;
    for (const side of Object.values(subject.sides)) if (side.row === input.row) Object.assign(side, input, { changed_seq: seq });
  }
  // --- reading --------------------------------------------------------------------------------------------------------
  fixtureBody(subject) {
    const scoreboard = this.scoreboard(subject);
    return {
      id: subject.ref,
      competition: subject.competition,
      sport: subject.sport,
      release: "1.0.0",
      status: scoreboard.status,
      version: subject.items.length,
      last_play: subject.lastPlay,
      starts_at: subject.starts_at,
      settings: subject.settings,
      sides: subject.sides,
      scoreboard
    };
  }
  #competitionBody(subject) {
    return { id: subject.ref, name: subject.name, sport: subject.sport, version: subject.items.length, participants: subject.participants };
  }
  async #serve(req, res) {
    const url = new URL(req.url ?? "/", "http://mock");
    const send = (status2, body, type = "application/json") => {
      res.writeHead(status2, { "Content-Type": type, "Access-Control-Allow-Origin": "*", "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws:; object-src 'none'; base-uri 'none'" });
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
  async #post(req, url, send, res) {
    let text = "";
    for await (const chunk of req) text += chunk;
    const body = JSON.parse(text);
    const ref = url.pathname.split("/")[5];
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
  #preview(ref, body) {
    const subject = this.subjects.get(ref);
    const before = this.scoreboard(subject);
    const copy = { ...subject, items: [...subject.items], sides: structuredClone(subject.sides) };
    if (this.#refuses(subject, body)) return { would: "refused", reason: { code: "not_in_play", message: "The match is not in play.", law: "Law 10" }, conflict: null, scoreboard: before, changes: [], voids: [] };
    const item = { seq: copy.items.length + 1, code: body.code, play: true, input: body.input, sender: body.sender, key: "preview", at: (/* @__PURE__ */ new Date()).toISOString() };
    if (body.code === "match.void") item.voids = [body.input["seq"]];
    if (body.code === "match.amend") item.replaces = body.input["seq"];
    copy.items.push(item);
    const after = this.scoreboard(copy);
    const changes = [];
    for (const side of ["home", "away"]) if (before.score[side] !== after.score[side]) changes.push({ path: `/score/${side}`, from: before.score[side], to: after.score[side] });
    if (before.line !== after.line) changes.push({ path: "/line", from: before.line, to: after.line });
    return { would: "accepted", reason: null, conflict: null, scoreboard: after, changes, voids: item.voids ?? [] };
  }
  #read(url, send) {
    const parts = url.pathname.split("/").filter((part) => part !== "");
    const all = [...this.subjects.values()];
    if (parts[0] === "sports") return send(200, Object.entries(sports).map(([sport, commands]) => ({ sport, label: sport[0].toUpperCase() + sport.slice(1), releases: [{ version: "1.0.0", default: true }], commands: commands.map(({ input, ...rest }) => ({ ...rest, schema: input })) })));
    if (parts[0] === "livez") return send(200, { ok: true });
    if (parts[0] === "readyz") return send(200, { ready: true, parts: { database: { ok: true }, outbox: { ok: true } } });
    if (parts[0] === "metrics") return send(200, '# HELP omnium_commands_total Commands answered.\n# TYPE omnium_commands_total counter\nomnium_commands_total{outcome="accepted"} ' + this.received.length + "\n");
    if (parts[0] === "competitions" && parts[1] === void 0) return send(200, { items: all.filter((s) => s.kind === "competition").map((s) => this.#competitionBody(s)), next: null });
    if (this.files !== null && (parts.length === 0 || parts[0] === "assets" || url.pathname.endsWith(".svg"))) return this.#file(this.files, parts, send);
    const subject = this.subjects.get(parts[1] ?? "");
    if (parts[0] === "competitions" && subject) return send(200, this.#competitionBody(subject));
    if (parts[0] === "fixtures" && parts[1] === void 0) {
      const wanted = url.searchParams.get("competition");
      return send(200, { items: all.filter((s) => s.kind === "fixture" && (wanted === null || s.competition === wanted)).map((s) => this.fixtureBody(s)), next: null });
    }
    if (parts[0] !== "fixtures" || !subject) return send(404, { title: "Not found", status: 404, detail: "There is nothing at this address." });
    if (parts[2] === "timeline") {
      const after = Number(url.searchParams.get("after") ?? 0);
      const limit = Number(url.searchParams.get("limit") ?? 100);
      return send(200, { items: subject.items.filter((item) => item.seq > after).slice(0, limit) });
    }
    if (parts[2] === "state") return send(200, { seq: subject.items.length, state: {} });
    send(200, this.fixtureBody(subject));
  }
  #file(folder, parts, send) {
    const name = parts.join("/") || "index.html";
    const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", woff2: "font/woff2" };
    send(200, readFileSync(new URL(name, folder)), types[name.split(".").pop()] ?? "application/octet-stream");
  }
  // --- live -------------------------------------------------------------------------------------------------------------
  #connect(socket) {
    const peer = { socket, welcomed: false, topics: /* @__PURE__ */ new Set() };
    this.#peers.add(peer);
    socket.on("close", () => this.#peers.delete(peer));
    socket.on("message", (data) => this.#frame(peer, JSON.parse(String(data))));
  }
  #send(peer, frame) {
    if (!this.silent) peer.socket.send(JSON.stringify(frame));
  }
  #frame(peer, frame) {
    if (this.mute) return;
    if (frame.t === "hello") {
      if (this.token !== "" && frame.token !== this.token) {
        this.#send(peer, { t: "bye", reason: "not_signed_in" });
        return peer.socket.close(1008);
      }
      peer.welcomed = true;
      return this.#send(peer, { t: "welcome", session: randomBytes(4).toString("hex"), node: "mock", beat_ms: this.beatMs });
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
  #watch(peer, frame) {
    this.watches.push(frame.have === void 0 ? { topic: frame.topic } : { topic: frame.topic, have: frame.have });
    const subject = this.subjects.get(frame.topic.split("/")[1] ?? "");
    if (subject === void 0) return this.#send(peer, { t: "error", id: frame.id, reason: { code: "unknown_subject", message: "There is no such match." } });
    peer.topics.add(frame.topic);
    const version = subject.items.length;
    if (frame.have !== void 0 && frame.have <= version) {
      for (const item of subject.items.slice(frame.have)) this.#change(peer, subject, item, subject.kind === "fixture" ? this.scoreboard(subject) : null);
      return;
    }
    this.#send(peer, { t: "snapshot", topic: frame.topic, version, data: subject.kind === "fixture" ? this.fixtureBody(subject) : this.#competitionBody(subject) });
  }
  #publish(subject, item, scoreboard) {
    const topic = `${subject.kind}/${subject.ref}`;
    if (this.dropChanges > 0) {
      this.dropChanges -= 1;
      return;
    }
    for (const peer of this.#peers) if (peer.topics.has(topic)) this.#change(peer, subject, item, scoreboard);
  }
  #change(peer, subject, item, scoreboard) {
    this.#send(peer, { t: "change", topic: `${subject.kind}/${subject.ref}`, version: item.seq, prev: item.seq - 1, code: item.code, play: item.play, item, scoreboard });
  }
  #beat() {
    if (this.#beats !== null) clearInterval(this.#beats);
    this.#beats = setInterval(() => {
      for (const peer of this.#peers) {
        if (!peer.welcomed) continue;
        const versions = Object.fromEntries([...peer.topics].map((topic) => [topic, this.subjects.get(topic.split("/")[1])?.items.length ?? 0]));
        this.#send(peer, { t: "beat", versions });
      }
    }, this.beatMs);
  }
};

// desk/bridge/test/mock/zz_run.ts
var flag = (n) => process.argv.find((a) => a.startsWith(`--${n}=`))?.split("=")[1];
var mock = new MockServer();
mock.files = new URL("file:///work/wt/web/desk/app/dist/");
mock.beatMs = 1e3;
await mock.start(Number(flag("http-port")));
