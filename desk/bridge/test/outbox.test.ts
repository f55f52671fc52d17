import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeId, MatchView, Outbox, settledState, type OmniumClient, type OutboxOptions } from "../src/index.js";
import { OutboxStore } from "../src/outbox_store.js";
import type { MockServer } from "./mock/server.js";
import { client, Locks, match, outbox, server, sleep, until } from "./support.js";

let mock: MockServer;
let one: OmniumClient;
const boxes: Outbox[] = [];

beforeEach(async () => {
  mock = await server();
  one = client(mock);
  await until(() => one.link.state === "live");
});
afterEach(async () => {
  for (const box of boxes.splice(0)) box.stop();
  one.stop();
  await mock.stop();
});

async function open(options: Partial<OutboxOptions> = {}, sender = one): Promise<Outbox> {
  const box = await outbox(sender, options);
  boxes.push(box);
  return box;
}

const to = { workflow: "football", kind: "fixture" as const, ref: match };
const goal = (minute: number, play: number) => ({
  ...to, code: "football.goal", input: { side: "home", minute, kind: "open_play" }, saw: { play }, label: `Goal ${minute}`,
});
const start = { ...to, code: "match.start", input: {}, saw: { play: 0 } };
const items = () => mock.subjects.get(match)!.items;
const minutes = () => items().filter((item) => item.code === "football.goal").map((item) => item.input["minute"]);

describe("the outbox", () => {
  it("answers with what the server said", async () => {
    const box = await open();
    const started = await (await box.push(start)).settled;
    expect(started).toMatchObject({ outcome: "accepted", seq: 1 });
    const refused = await (await box.push({ ...to, code: "match.note", input: { text: "x" } })).settled;
    expect(refused.outcome).toBe("accepted");
    expect(box.view.entries).toEqual([]);
  });

  it("has saved the command before it is sent", async () => {
    const box = await open();
    await mock.stop();
    const { key } = await box.push(start);
    expect(box.view.entries.map((entry) => entry.key)).toEqual([key]);
    expect(mock.received).toEqual([]);
  });

  it("shows an entry at once, while the device is still writing it down", async () => {
    const box = await open();
    await mock.stop();
    const pushed = [box.push(start), box.push(goal(1, 0))];
    expect(box.view.entries.map((entry) => entry.code)).toEqual(["match.start", "football.goal"]);
    await Promise.all(pushed);
    expect(box.view.entries.map((entry) => [entry.code, entry.n])).toEqual([["match.start", 1], ["football.goal", 2]]);
  });

  it("does not send what the device could not keep, and says so", async () => {
    const box = await open();
    const broken = { ...start, input: { never: () => undefined } }; // IndexedDB cannot hold a function
    await expect(box.push(broken)).rejects.toThrow();
    expect(box.view.entries).toEqual([]);
    expect(box.view.problem).toMatch(/could not keep/);
    await (await box.push(start)).settled;
    expect(box.view.problem).toBeNull();
    expect(mock.received.length).toBe(1);
  });

  it("sends six changes made offline in order, none twice, each on top of the one before (V1)", async () => {
    const box = await open();
    await mock.stop();
    await until(() => one.link.state !== "live");
    await box.push(start);
    for (let minute = 1; minute <= 5; minute += 1) await box.push(goal(minute, 0));
    await sleep(50);
    expect(box.view.entries.length).toBe(6);
    await mock.start();
    await until(() => box.view.entries.length === 0);
    expect(items().map((item) => item.code)).toEqual(["match.start", ...Array(5).fill("football.goal")]);
    expect(minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  it("sends the three that waited when the page was loaded again (F1)", async () => {
    const locks = new Locks() as unknown as LockManager;
    const before = await open({ name: "reload", locks });
    await mock.stop();
    await until(() => one.link.state !== "live");
    await before.push(start);
    await before.push(goal(1, 0));
    await before.push(goal(2, 0));
    before.stop();
    await mock.start();
    const after = await open({ name: "reload", locks });
    await until(() => after.view.owner && after.view.entries.length === 0);
    expect(minutes()).toEqual([1, 2]);
  });

  it("makes one row of a command whose answer got lost", async () => {
    const box = await open();
    mock.loseAnswers = 2;
    const done = await (await box.push(start)).settled;
    expect(done).toMatchObject({ outcome: "accepted", seq: 1 });
    expect(done.answer?.outcome).toBe("duplicate");
    expect(items().length).toBe(1);
    expect(new Set(mock.received.map((command) => command.body.key)).size).toBe(1);
  });

  it("tries again with the same key when the server asks for it", async () => {
    const box = await open();
    mock.tryAgain = 3;
    const done = await (await box.push(start)).settled;
    expect(done.outcome).toBe("accepted");
    expect(mock.received.length).toBe(4);
    expect(new Set(mock.received.map((command) => command.body.key)).size).toBe(1);
  });

  it("knows its own last play though the screen has not shown it yet", async () => {
    const box = await open();
    await (await box.push(start)).settled;
    await (await box.push(goal(1, 0))).settled;
    expect((await (await box.push(goal(2, 0))).settled).outcome).toBe("accepted");
    expect(minutes()).toEqual([1, 2]);
  });

  it("goes on after a refusal, which is kept to be shown", async () => {
    const box = await open();
    const refused = await (await box.push(goal(1, 0))).settled;
    const started = await (await box.push(start)).settled;
    expect(refused).toMatchObject({ outcome: "refused", label: "Goal 1" });
    expect(refused.answer?.reason?.law).toBe("Law 10");
    expect(started.outcome).toBe("accepted");
    expect(box.view.settled.map((done) => done.outcome)).toEqual(["refused", "accepted"]);
  });

  it("sends the last entry's undo only after that entry, with its log position", async () => {
    const box = await open();
    await (await box.push(start)).settled;
    await mock.stop();
    await until(() => one.link.state !== "live");
    const keyed = await box.push(goal(1, 1));
    await sleep(30);
    const undo = await box.push({ ...to, code: "match.void", input: { seq: 0 }, saw: { play: 1 }, refs: [{ member: "seq", key: keyed.key }] });
    await mock.start();
    expect(await undo.settled).toMatchObject({ outcome: "accepted", seq: 3 });
    expect(items()[2]).toMatchObject({ code: "match.void", input: { seq: 2 } });
  });

  it("does not send an undo of something that was refused", async () => {
    const box = await open();
    mock.tryAgain = 2;
    const keyed = await box.push(goal(1, 0));
    const undo = await box.push({ ...to, code: "match.void", input: { seq: 0 }, saw: { play: 0 }, refs: [{ member: "seq", key: keyed.key }] });
    expect((await keyed.settled).outcome).toBe("refused");
    expect((await undo.settled).outcome).toBe("dropped");
    expect(items()).toEqual([]);
  });

  it("gives up what stands on something that was refused, and keeps the reason", async () => {
    const box = await open();
    const key = makeId();
    const keyed = box.push({ ...goal(1, 0), key }); // refused: the match is not started
    const after = box.push({ ...to, code: "match.note", input: { text: "x" }, refs: [{ member: null, key }] });
    expect((await (await keyed).settled).outcome).toBe("refused");
    const given = await (await after).settled;
    expect(given).toMatchObject({ key: (await after).key, outcome: "dropped" });
    expect(given.answer?.reason?.law).toBe("Law 10");
    expect(items()).toEqual([]);
  });

  it("sends what stands on something that was accepted as it was keyed", async () => {
    const box = await open();
    const key = makeId();
    void box.push({ ...start, key });
    const after = await box.push({ ...goal(1, 0), refs: [{ member: null, key }] });
    expect((await after.settled).outcome).toBe("accepted");
    expect(items()[1]!.input).toEqual({ side: "home", minute: 1, kind: "open_play" });
  });

  it("takes back what was never sent, and says no when it was", async () => {
    const box = await open();
    await (await box.push(start)).settled;
    mock.silent = true; // the first one arrives, its answer does not
    const first = await box.push(goal(1, 1));
    await until(() => box.view.entries[0]!.tries > 0);
    await mock.stop();
    await until(() => one.link.state !== "live");
    mock.silent = false;
    const second = await box.push(goal(2, 1));
    expect(await box.withdraw(second.key)).toBe(true);
    expect(settledState(box.view.settled.find((done) => done.key === second.key)!)).toBe("dropped"); // no refusal
    expect(await box.withdraw(first.key)).toBe(false);
    await mock.start();
    await until(() => box.view.entries.length === 0);
    expect(minutes()).toEqual([1]);
  });
});

describe("the device's storage", () => {
  async function closedUnder(name: string): Promise<Outbox> {
    const box = await open({ name });
    await until(() => box.view.owner);
    mock.tryAgain = 1_000_000;
    await box.push(start);
    await until(() => box.view.entries[0]!.tries > 1);
    const newer = indexedDB.open(name, 2); // as a newer desk in another tab would: it closes ours
    await new Promise((done) => (newer.onsuccess = done));
    newer.result.close();
    return box;
  }

  it("closed while an entry waits: it is said, and the page goes on", async () => {
    const box = await closedUnder("closed");
    await until(() => box.view.problem !== null);
    expect(box.view.problem).toMatch(/lost its storage/);
    expect(box.view.owner).toBe(false);
    expect(box.view.entries.map((entry) => entry.code)).toEqual(["match.start"]);
  });

  it("that fails for a moment is tried again, with a wait between", async () => {
    const box = await open();
    await until(() => box.view.owner);
    let failures = 0;
    const fails = vi.spyOn(OutboxStore.prototype, "ofSubject").mockImplementation(async () => {
      failures += 1;
      throw new Error("The disk is busy.");
    });
    const pushed = await box.push(start);
    await sleep(100);
    fails.mockRestore();
    expect(failures).toBeGreaterThan(1);
    expect(failures).toBeLessThan(25); // waits of 20 ms at most, 5 at first
    expect((await pushed.settled).outcome).toBe("accepted");
  });
});

describe("a conflict", () => {
  async function conflicted(): Promise<Outbox> {
    const box = await open();
    await (await box.push(start)).settled;
    mock.other(match, "football.corner", { side: "away" }); // a play, for the mock
    await box.push(goal(1, 1));
    await box.push(goal(2, 1));
    await until(() => box.view.entries[0]?.state === "conflict");
    return box;
  }

  it("stops the queue of that match and shows what happened meanwhile", async () => {
    const box = await conflicted();
    await sleep(30);
    expect(box.view.entries.map((entry) => entry.state)).toEqual(["conflict", "waiting"]);
    expect(box.view.entries[0]!.answer?.conflict?.since.map((item) => item.code)).toEqual(["football.corner"]);
    expect(minutes()).toEqual([]);
  });

  it("leaves other matches alone", async () => {
    const box = await conflicted();
    mock.addFixture("0190a0a0-0000-7000-8000-00000000000b");
    const other = await box.push({ ...start, ref: "0190a0a0-0000-7000-8000-00000000000b" });
    expect((await other.settled).outcome).toBe("accepted");
  });

  it("decided for mine sends the same key on top of theirs, and what waited behind it", async () => {
    const box = await conflicted();
    const { key } = box.view.entries[0]!;
    await box.decide(key, "mine");
    await until(() => box.view.entries.length === 0);
    expect(minutes()).toEqual([1, 2]);
    expect(items()[2]!.key).toBe(key);
  });

  it("decided for theirs drops mine, and asks again for what was keyed on top of it", async () => {
    const box = await conflicted();
    const { key } = box.view.entries[0]!;
    await box.decide(key, "theirs");
    await until(() => box.view.entries[0]?.state === "conflict");
    expect(await box.outcome(key)).toMatchObject({ outcome: "dropped" });
    expect(box.view.entries.map((entry) => entry.label)).toEqual(["Goal 2"]);
    expect(minutes()).toEqual([]);
  });
});

describe("two tabs", () => {
  it("have one sender; the other's entries are sent by it, and the other sees the outcome", async () => {
    const locks = new Locks() as unknown as LockManager;
    const first = await open({ name: "tabs", locks });
    await until(() => first.view.owner);
    const second = await open({ name: "tabs", locks });
    expect(second.view.owner).toBe(false);
    const done = await (await second.push(start)).settled;
    expect(done.outcome).toBe("accepted");
    expect(mock.received.length).toBe(1);
  });

  it("go on with the second when the first is closed", async () => {
    const locks = new Locks() as unknown as LockManager;
    const first = await open({ name: "heirs", locks });
    await until(() => first.view.owner);
    const second = await open({ name: "heirs", locks });
    await mock.stop();
    await until(() => one.link.state !== "live");
    const pushed = await second.push(start);
    first.stop();
    await mock.start();
    await until(() => second.view.owner);
    expect((await pushed.settled).outcome).toBe("accepted");
    expect(items().length).toBe(1);
  });

  it("share the queue by a lease where the page has no Web Locks", async () => {
    const first = await open({ name: "leases", locks: undefined });
    await until(() => first.view.owner);
    const second = await open({ name: "leases", locks: undefined });
    await sleep(50);
    expect(second.view.owner).toBe(false);
    first.stop();
    await until(() => second.view.owner, 8_000);
  });
});

describe("held back", () => {
  it("by a take-over: signing in sends only what waited for that", async () => {
    mock.token = "right";
    mock.cutLinks();
    await until(() => one.link.state === "not_signed_in");
    const box = await open();
    const other = "0190a0a0-0000-7000-8000-00000000000b";
    mock.addFixture(other);
    await box.push(start);
    await until(() => box.view.entries[0]?.state === "held");
    await box.push(goal(1, 0));
    await box.push({ ...start, ref: other });
    await until(() => box.view.entries[2]?.state === "held");
    await box.hold(`fixture/${match}`);
    one.setToken("right");
    await until(() => mock.subjects.get(other)!.items.length === 1 && items().length === 1);
    await sleep(30);
    expect(box.view.entries.map((entry) => [entry.label, entry.state])).toEqual([["Goal 1", "held"]]);
  });

  it("a queue whose match another desk took over is kept, and sent when the person says so", async () => {
    const box = await open();
    await (await box.push(start)).settled;
    await mock.stop();
    await until(() => one.link.state !== "live");
    await box.push(goal(1, 1));
    await box.push(goal(2, 1));
    await box.hold(`fixture/${match}`);
    await mock.start();
    await until(() => one.link.state === "live");
    await sleep(60);
    expect(box.view.entries.filter((entry) => entry.state === "held").length).toBeGreaterThanOrEqual(1);
    await box.release(`fixture/${match}`);
    await until(() => box.view.entries.length === 0);
    expect(minutes()).toEqual([1, 2]);
  });

  it("nobody signed in: nothing is lost, and all of it goes with the right token", async () => {
    mock.token = "right";
    mock.cutLinks();
    await until(() => one.link.state === "not_signed_in");
    const box = await open();
    await box.push(start);
    await until(() => box.view.entries[0]?.state === "held");
    one.setToken("right");
    await until(() => box.view.entries.length === 0);
    expect(items().length).toBe(1);
  });
});

describe("with a match on the screen", () => {
  it("a burst keyed faster than the answers come is accepted whole", async () => {
    const box = await open();
    const view = new MatchView(one, match);
    await until(() => view.state.status === "ready");
    await box.push(start);
    const pushed = [];
    for (let minute = 1; minute <= 20; minute += 1) pushed.push(await box.push({ ...goal(minute, 0), saw: view.saw }));
    const outcomes = await Promise.all(pushed.map((one) => one.settled));
    expect(new Set(outcomes.map((done) => done.outcome))).toEqual(new Set(["accepted"]));
    expect(minutes()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    view.close();
  });
});
