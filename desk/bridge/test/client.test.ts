import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backoffMs, MatchView, NetworkError, type ChangeFrame, type OmniumClient } from "../src/index.js";
import type { MockServer } from "./mock/server.js";
import { client, match, server, sleep, until } from "./support.js";

let mock: MockServer;
let open: OmniumClient[] = [];
const connect = (options = {}): OmniumClient => {
  const made = client(mock, options);
  open.push(made);
  return made;
};
const to = { workflow: "football", kind: "fixture" as const, ref: match };
const note = (key: string) => ({ key, code: "match.note", input: { text: key }, sender: "desk-1" });

beforeEach(async () => {
  mock = await server();
});
afterEach(async () => {
  for (const one of open) one.stop();
  open = [];
  await mock.stop();
});

describe("the link", () => {
  it("opens again after a close and asks with the version it holds", async () => {
    const one = connect();
    const seen: number[] = [];
    one.watch(`fixture/${match}`, { change: (change) => seen.push(change.version) });
    await until(() => mock.watches.length === 1);
    mock.other(match, "match.start", {});
    await until(() => seen.length === 1);
    mock.cutLinks();
    await until(() => one.link.state === "waiting");
    for (let i = 0; i < 6; i += 1) mock.other(match, "football.corner", { side: "home" });
    await until(() => seen.length === 7);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(mock.watches[1]).toEqual({ topic: `fixture/${match}`, have: 1 });
  });

  it("asks from the start when it comes back to another database, whatever version it holds", async () => {
    const one = connect();
    const snapshots: number[] = [];
    const changes: number[] = [];
    one.watch(`fixture/${match}`, { snapshot: (snapshot) => snapshots.push(snapshot.version), change: (change) => changes.push(change.version) });
    await until(() => mock.watches.length === 1);
    mock.other(match, "match.start", {});
    await until(() => changes.length === 1);
    mock.history = "bbbb"; // a dump was restored: version 2 of now is not what follows on version 1 of before
    mock.other(match, "football.corner", { side: "home" });
    mock.cutLinks();
    await until(() => mock.watches.length === 2);
    await until(() => snapshots.length === 2);
    expect(mock.watches[1]).toEqual({ topic: `fixture/${match}` });
    expect(snapshots).toEqual([0, 2]);
    mock.other(match, "football.corner", { side: "home" });
    await until(() => changes.at(-1) === 3);
    mock.cutLinks(); // the same database again: it goes on from what it holds
    await until(() => mock.watches.length === 3);
    expect(mock.watches[2]).toEqual({ topic: `fixture/${match}`, have: 3 });
  });

  it("repairs a gap as soon as the next change shows it", async () => {
    const one = connect();
    const seen: ChangeFrame[] = [];
    const gaps: boolean[] = [];
    one.watch(`fixture/${match}`, { change: (change) => seen.push(change), gap: (gap) => gaps.push(gap) });
    await until(() => mock.watches.length === 1);
    mock.dropChanges = 2;
    for (let i = 0; i < 4; i += 1) mock.other(match, "football.corner", { side: "home" });
    await until(() => seen.length === 4);
    expect(seen.map((change) => change.version)).toEqual([1, 2, 3, 4]);
    expect(gaps).toEqual([true, false]);
  });

  it("repairs a gap that only the beat shows", async () => {
    mock.beatMs = 30;
    await mock.stop();
    await mock.start();
    const one = connect();
    const seen: number[] = [];
    one.watch(`fixture/${match}`, { change: (change) => seen.push(change.version) });
    await until(() => mock.watches.length === 1);
    mock.dropChanges = 1;
    mock.other(match, "match.start", {});
    await until(() => seen.length === 1);
  });

  it("hands out a change once, though the server repeats it", async () => {
    const one = connect();
    const seen: number[] = [];
    one.watch(`fixture/${match}`, { change: (change) => seen.push(change.version) });
    await until(() => mock.watches.length === 1);
    mock.other(match, "match.start", {});
    await until(() => seen.length === 1);
    mock.dropChanges = 1;
    for (let i = 0; i < 5; i += 1) mock.other(match, "match.note", { text: "x" });
    await until(() => seen.length >= 6);
    await sleep(50);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("drops a link that is silent for two beats, and finds the next one", async () => {
    mock.beatMs = 40;
    await mock.stop();
    await mock.start();
    const one = connect();
    await until(() => one.link.state === "live");
    mock.silent = true;
    await until(() => one.link.reason?.code === "dead_link");
    mock.silent = false;
    await until(() => one.link.state === "live");
  });

  it("does not wait for ever for a welcome", async () => {
    mock.mute = true;
    const one = connect({ welcomeMs: 60 });
    await until(() => one.link.reason?.code === "no_welcome");
    mock.mute = false;
    await until(() => one.link.state === "live");
  });

  it("says that the token is wrong, and comes in with the right one", async () => {
    mock.token = "right";
    const one = connect({ token: "wrong" });
    await until(() => one.link.state === "not_signed_in");
    expect(one.link.reason?.message).toMatch(/token/);
    one.setToken("right");
    await until(() => one.link.state === "live");
  });

  it("tries the same token again at once when it is given anew", async () => {
    mock.token = "late";
    const one = connect({ token: "late", backoff: { firstMs: 60_000, maxMs: 60_000 } });
    await until(() => one.link.state === "live");
    mock.token = "other";
    mock.cutLinks();
    await until(() => one.link.state === "waiting");
    mock.token = "late";
    one.setToken("late");
    await until(() => one.link.state === "live", 2_000);
  });

  it("waits as long as a restarting server asks", async () => {
    mock.retryHint = 300;
    const one = connect();
    await until(() => one.link.state === "live");
    const before = Date.now();
    mock.bye("restart");
    await until(() => one.link.state === "waiting");
    expect(one.link.reason?.code).toBe("restart");
    await until(() => one.link.state === "live");
    expect(Date.now() - before).toBeGreaterThanOrEqual(150);
  });

  it("keeps one subscription for several watchers, and leaves with the last", async () => {
    const one = connect();
    let snapshots = 0;
    const first = one.watch(`fixture/${match}`, { snapshot: () => (snapshots += 1) });
    await until(() => snapshots === 1);
    const second = one.watch(`fixture/${match}`, { snapshot: () => (snapshots += 1) });
    expect(snapshots).toBe(2);
    first.close();
    first.close();
    mock.other(match, "match.start", {});
    await until(() => second.version === 1);
    second.close();
    expect(mock.watches.length).toBe(1);
  });

  it("takes a fresh snapshot when the server's log went backwards", async () => {
    mock.beatMs = 30;
    await mock.stop();
    await mock.start();
    for (let i = 0; i < 3; i += 1) mock.other(match, "match.note", { text: "x" });
    const one = connect();
    const watching = one.watch(`fixture/${match}`, {});
    await until(() => watching.version === 3);
    mock.subjects.get(match)!.items.length = 1;
    await until(() => watching.version === 1);
  });
});

describe("waiting between tries", () => {
  it("doubles up to thirty seconds, with jitter of a half", () => {
    const backoff = { firstMs: 500, maxMs: 30_000 };
    expect([0, 1, 2, 5, 6, 60].map((attempt) => backoffMs(attempt, backoff, () => 1))).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000]);
    expect(backoffMs(6, backoff, () => 0)).toBe(15_000);
  });
});

describe("commands", () => {
  it("go over the socket when it is live and over HTTP when it is not", async () => {
    const one = connect();
    await until(() => one.link.state === "live");
    expect((await one.command(to, note("k1"))).outcome).toBe("accepted");
    one.stop();
    expect((await one.command(to, note("k2"))).outcome).toBe("accepted");
    expect(mock.received.map((command) => command.via)).toEqual(["socket", "http"]);
  });

  it("fail as a broken link when the link breaks before the answer", async () => {
    const one = connect();
    await until(() => one.link.state === "live");
    mock.loseAnswers = 1;
    await expect(one.command(to, note("k1"))).rejects.toBeInstanceOf(NetworkError);
    await until(() => one.link.state === "live");
    expect((await one.command(to, note("k1"))).outcome).toBe("duplicate");
  });

  it("fail as a broken link when the server is away", async () => {
    const one = connect();
    await mock.stop();
    await until(() => one.link.state !== "live");
    await expect(one.command(to, note("k1"))).rejects.toBeInstanceOf(NetworkError);
  });
});

describe("a match on a screen", () => {
  it("shows each change with no read but the first of the log", async () => {
    mock.other(match, "match.start", {});
    const one = connect();
    const view = new MatchView(one, match);
    await until(() => view.state.items.length === 1);
    const reads = mock.reads.length;
    for (let i = 0; i < 3; i += 1) mock.other(match, "football.goal", { side: "home", minute: i + 1, kind: "open_play" });
    await until(() => view.state.version === 4);
    expect(mock.reads.length).toBe(reads);
    expect(view.state.scoreboard?.score).toEqual({ home: 3, away: 0 });
    expect(view.state.items.map((item) => item.seq)).toEqual([1, 2, 3, 4]);
    expect(view.saw).toEqual({ play: 4 });
    view.close();
  });

  it("is read over HTTP where no socket opens, and live again when one does", async () => {
    mock.noSockets = true;
    const one = connect({ pollMs: 20 });
    const view = new MatchView(one, match);
    const unread: number[] = []; // a log once read is never taken away again while the rest of it comes
    view.onChange((state) => state.status === "ready" && !state.logRead && unread.push(state.version));
    await until(() => view.state.status === "ready");
    mock.other(match, "match.start", {});
    mock.other(match, "football.goal", { side: "home", minute: 1, kind: "open_play" });
    await until(() => view.state.version === 2 && view.state.items.length === 2);
    expect(one.link.polling).toBe(true);
    expect(view.state.logRead).toBe(true);
    expect(view.state.scoreboard?.score).toEqual({ home: 1, away: 0 });
    mock.noSockets = false;
    await until(() => one.link.state === "live");
    const fivePolls = () => new Promise((done) => setTimeout(done, 100));
    await fivePolls(); // one that was under way when the socket opened may still come
    const reads = mock.reads.length;
    mock.other(match, "football.goal", { side: "home", minute: 2, kind: "open_play" });
    await until(() => view.state.version === 3);
    await fivePolls();
    expect(mock.reads.length).toBe(reads);
    expect(unread).toEqual([]);
    view.close();
  });

  it("that does not exist is said to be missing where no socket opens, and the others are read all the same", async () => {
    mock.noSockets = true;
    const one = connect({ pollMs: 20 });
    const nowhere = new MatchView(one, "0190a0a0-0000-7000-8000-0000000000ff");
    const view = new MatchView(one, match);
    await until(() => nowhere.state.status === "missing" && view.state.status === "ready");
    expect(nowhere.state.problem).toBe("There is nothing at this address.");
    expect(one.link.polling).toBe(true);
    for (const each of [nowhere, view]) each.close();
  });

  it("that cannot be read says why where no socket opens, until it can", async () => {
    mock.noSockets = true;
    mock.denyReads = 503;
    const one = connect({ pollMs: 20 });
    const view = new MatchView(one, match);
    await until(() => view.state.status === "failed");
    expect(view.state.problem).toBe("The database is busy.");
    expect(one.link.polling).toBe(false);
    mock.denyReads = 0;
    await until(() => view.state.status === "ready");
    mock.denyReads = 503; // a match on the screen stays there
    await until(() => !one.link.polling);
    expect(view.state).toMatchObject({ status: "ready", problem: null });
    view.close();
  });

  it("needs a token where no socket opens: it is said as a socket would, and what waited goes with the right one", async () => {
    mock.noSockets = true;
    mock.token = "right";
    const one = connect({ pollMs: 20 });
    const view = new MatchView(one, match);
    await until(() => one.link.reason?.code === "not_signed_in");
    const reasons = new Set<string | undefined>();
    one.onLink((link) => reasons.add(link.reason?.code));
    await new Promise((done) => setTimeout(done, 150)); // sockets that close meanwhile change nothing
    expect([...reasons]).toEqual(["not_signed_in"]);
    let known = 0;
    one.onSignedIn(() => (known += 1));
    one.setToken("right");
    await until(() => view.state.status === "ready");
    await until(() => one.link.reason?.code === "closed");
    expect(known).toBe(1);
    view.close();
  });

  it("loads the end of a long log first and the rest when asked", async () => {
    for (let i = 0; i < 40; i += 1) mock.other(match, "match.note", { text: String(i) });
    const one = connect();
    const view = new MatchView(one, match, { log: 10 });
    await until(() => view.state.items.length === 10);
    expect(view.state.items[0]!.seq).toBe(31);
    expect(await view.loadOlder()).toBe(false);
    expect(view.state.items.length).toBe(40);
    view.close();
  });

  it("loads a page of older rows once, though it is asked for twice", async () => {
    for (let i = 0; i < 40; i += 1) mock.other(match, "match.note", { text: String(i) });
    const view = new MatchView(connect(), match, { log: 10 });
    await until(() => view.state.items.length === 10);
    await Promise.all([view.loadOlder(), view.loadOlder()]);
    expect(view.state.items.map((item) => item.seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    view.close();
  });

  it("reads the log again when a read failed and the link stayed up", async () => {
    mock.other(match, "match.start", {});
    mock.failLogs = 2;
    const view = new MatchView(connect(), match, { backoff: { firstMs: 5, maxMs: 20 } });
    const problems = new Set<string | null>();
    view.onChange((state) => problems.add(state.problem));
    await until(() => view.state.logRead);
    expect(view.state.items.map((item) => item.seq)).toEqual([1]);
    expect([...problems]).toContain("The database is busy.");
    expect(view.state.problem).toBeNull();
    expect(mock.failLogs).toBe(0);
    view.close();
  });

  it("asks no more for a log once it is closed", async () => {
    mock.other(match, "match.start", {});
    mock.failLogs = 1_000;
    const view = new MatchView(connect(), match, { backoff: { firstMs: 5, maxMs: 5 } });
    await until(() => mock.failLogs < 998);
    view.close();
    await sleep(20); // a read that was under way
    const left = mock.failLogs;
    await sleep(50);
    expect(mock.failLogs).toBe(left);
  });

  it("says so when there is no such match", async () => {
    const one = connect();
    const view = new MatchView(one, "0190a0a0-0000-7000-8000-0000000000ff");
    await until(() => view.state.status === "missing"); // the server speaks of a topic
    view.close();
  });

  it("measures the server's clock from its own commands' rows", async () => {
    const one = connect({ now: () => Date.now() - 60_000 });
    const view = new MatchView(one, match);
    await until(() => view.state.status === "ready");
    for (let i = 0; i < 5; i += 1) await one.command(to, note(`clock-${i}`));
    await until(() => view.state.version === 5);
    expect(Math.abs(one.clock.offsetMs - 60_000)).toBeLessThan(100);
    view.close();
  });
});
