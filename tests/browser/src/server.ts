// The real server on a free port with a data folder of its own, and its commands over plain HTTP.
import { webcrypto } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, chmodSync, createWriteStream } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeId, type Answer, type TimelineItem } from "@omnium/bridge";

globalThis.crypto ??= webcrypto as unknown as Crypto; // Node 18 has no global of it

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** OMNIUM_BIN, else the build that lies in the tree. */
function program(): string {
  const named = process.env["OMNIUM_BIN"];
  const found = named !== undefined ? [named] : ["build/release/bin/omnium", "build/dev/bin/omnium"].map((file) => path.join(root, file));
  const one = found.find((file) => existsSync(file));
  if (one === undefined) throw new Error(`No server to test: build omnium, or name it in OMNIUM_BIN (looked for ${found.join(", ")}).`);
  return one;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export async function until<T>(what: () => Promise<T | false | null | undefined> | T | false | null | undefined, ms = 15_000, say = String(what)): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const got = await what();
    if (got !== false && got !== null && got !== undefined) return got;
    if (Date.now() > end) throw new Error(`Not within ${ms} ms: ${say}`);
    await sleep(25);
  }
}

/** psql, as a person at a terminal uses it. */
export class Prompt {
  readonly #child: ChildProcess;
  said = "";

  constructor(host: string, port: string, user: string) {
    this.#child = spawn("psql", ["-h", host, "-p", port, "-U", user, "-X", "-q", "-t", "-A", "omnium"], { stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on("data", (text: Buffer) => (this.said += text.toString()));
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((done) => this.#child.once("exit", done));
    this.#child.kill("SIGKILL");
    await gone;
  }
}

export class OmniumServer {
  readonly port: number;
  readonly url: string;
  /** The first token of its data folder: an admin's. */
  token = "";
  readonly #folder: string;
  readonly #flags: string[];
  #process: ChildProcess | null = null;

  private constructor(port: number, flags: string[]) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#folder = mkdtempSync(path.join(tmpdir(), "omnium-browser-"));
    chmodSync(this.#folder, 0o755); // the database's own user must get in
    this.#flags = flags;
  }

  static async start(flags: string[] = []): Promise<OmniumServer> {
    const server = new OmniumServer(await freePort(), flags);
    await server.run();
    return server;
  }

  async run(): Promise<void> {
    const log = createWriteStream(path.join(this.#folder, "server.log"), { flags: "a" });
    const child = spawn(
      program(),
      ["serve", `--http.port=${this.port}`, `--data.dir=${path.join(this.#folder, "data")}`, `--http.static_dir=${path.join(root, "desk/app/dist")}`, "--live.beat_ms=1000", ...this.#flags],
      { stdio: ["ignore", "pipe", "pipe"], cwd: this.#folder },
    );
    this.#process = child;
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => {
        said = (said + text.toString()).slice(-4000);
        log.write(text);
      });
    }
    let ended: number | string | null = null;
    child.on("exit", (code, signal) => (ended = code ?? signal));
    await until(
      async () => {
        if (ended !== null) throw new Error(`The server ended (${ended}) before it was ready:\n${said}`);
        return fetch(`${this.url}/readyz`).then((reply) => reply.status === 200, () => false);
      },
      60_000,
      `the server is ready; it said:\n${said}`,
    );
    this.token = readFileSync(path.join(this.#folder, "data", "first-token"), "utf8").trim();
  }

  /** A prompt on its private database; say() sends a line, end() closes it. */
  prompt(user: string): Prompt {
    const lines = readFileSync(path.join(this.#folder, "data", "pg", "postmaster.pid"), "utf8").split("\n");
    return new Prompt(lines[4]!, lines[3]!, user);
  }

  /** As a power cut would: no goodbye. Only the server; its database goes on or is started again by it. */
  async kill9(): Promise<void> {
    const child = this.#process!;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
    this.#process = null;
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child !== null) {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await Promise.race([gone, sleep(12_000).then(() => child.kill("SIGKILL"))]);
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async get<T>(address: string): Promise<T> {
    const reply = await fetch(this.url + address, { headers: { Authorization: `Bearer ${this.token}` } });
    if (!reply.ok) throw new Error(`GET ${address} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  /** What an operator asks of the node itself. */
  async act<T>(address: string, body: object): Promise<T> {
    const reply = await fetch(this.url + address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.token}` },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`POST ${address} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async newToken(name: string, role = "scorer", more: object = {}): Promise<string> {
    return (await this.act<{ token: string }>("/ops/tokens/create", { name, role, ...more })).token;
  }

  async revoke(name: string): Promise<void> {
    await this.act("/ops/tokens/revoke", { token: name });
  }

  async command(workflow: string, kind: "fixture" | "competition", ref: string, code: string, input: object, more: object = {}): Promise<Answer> {
    const reply = await fetch(`${this.url}/workflows/${workflow}/subjects/${kind}/${ref}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ key: makeId(), code, input, sender: "desk-other", ...more }),
    });
    return (await reply.json()) as Answer;
  }

  async must(workflow: string, kind: "fixture" | "competition", ref: string, code: string, input: object): Promise<Answer> {
    const answer = await this.command(workflow, kind, ref, code, input);
    if (answer.outcome !== "accepted") throw new Error(`${code} was ${answer.outcome}: ${JSON.stringify(answer.reason)}`);
    return answer;
  }

  /** A competition with one match in it. */
  async match(sport: string, home = "Lions", away = "Bears", settings: object = {}): Promise<string> {
    const competition = makeId();
    const id = makeId();
    await this.must("games", "competition", competition, "games.create_competition", { name: `Cup of ${sport}`, sport });
    await this.must("games", "competition", competition, "games.create_fixture", { id, sport, home: { name: home }, away: { name: away }, settings });
    return id;
  }

  /** A football match in its first half. */
  async kickedOff(): Promise<string> {
    const id = await this.match("football");
    await this.must("football", "fixture", id, "match.start", {});
    await this.must("football", "fixture", id, "football.period", { action: "start", period: "H1" });
    return id;
  }

  /** The sides that scored, in the log's order. */
  async goals(id: string): Promise<string[]> {
    return (await this.timeline(id)).filter((item) => item.code === "football.goal").map((item) => String(item.input["side"]));
  }

  async timeline(id: string): Promise<TimelineItem[]> {
    return (await this.get<{ items: TimelineItem[] }>(`/fixtures/${id}/timeline?after=0&limit=200`)).items;
  }

  async codes(id: string): Promise<string[]> {
    return (await this.timeline(id)).map((item) => item.code);
  }

  async scoreboard(id: string): Promise<any> {
    return (await this.get<{ scoreboard: unknown }>(`/fixtures/${id}`)).scoreboard;
  }
}
