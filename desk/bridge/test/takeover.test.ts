// A desk that was away sends nothing of what it kept before it knows whether another desk took the match over meanwhile.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeId, MatchView, Outbox, takeOverText, type ClientOptions, type Entry, type OmniumClient, type OutboxOptions, type TimelineItem } from "../src/index.js";
import { Lookout } from "../src/lookout.js";
import { heed, heedRow, nextToSend } from "../src/takeover.js";
import type { MockServer } from "./mock/server.js";
import { client, Locks, match, outbox, server, sleep, until } from "./support.js";

let mock: MockServer;
let one: OmniumClient;
let view: MatchView;
const boxes: Outbox[] = [];
const clients: OmniumClient[] = [];

beforeEach(async () => {
  mock = await server();
  mock.other(match, "match.start", {});
  one = join();
  await until(() => one.link.state === "live");
  view = await screen(one);
});
afterEach(async () => {
  view.close();
  for (const box of boxes.splice(0)) box.stop();
  for (const each of clients.splice(0)) each.stop();
  await mock.stop();
});

function join(options: ClientOptions = {}): OmniumClient {
  const made = client(mock, options);
  clients.push(made);
  return made;
}

/** A desk's page: it holds the log to its end. */
async function screen(of: OmniumClient): Promise<MatchView> {
  const made = new MatchView(of, match);
  await until(() => made.state.logRead && made.seen === mock.subjects.get(match)!.items.length);
  return made;
}

async function open(options: Partial<OutboxOptions> = {}, sender = one): Promise<Outbox> {
  const box = await outbox(sender, options);
  boxes.push(box);
  return box;
}

const subject = `fixture/${match}`;
const to = { workflow: "football", kind: "fixture" as const, ref: match };
const goal = (minute: number) => ({
  ...to, code: "football.goal", input: { side: "home", minute, kind: "open_play" }, saw: view.saw, seen: view.seen, label: `Goal ${minute}`,
});
const shot = (minute: number) => ({ ...to, code: "match.note", input: { text: `Shot, ${minute}` }, seen: view.seen, label: `Shot ${minute}` }); // conflicts with nothing
const takeOver = (desk: string) => ({ ...to, code: "match.note", input: { text: takeOverText(desk) }, seen: view.seen, label: "Take-over" });
const takenBy = (desk: string): void => void mock.other(match, "match.note", { text: takeOverText(desk) }, desk);
const items = () => mock.subjects.get(match)!.items;
const ours = () => items().filter((item) => item.code === "football.goal" || /^Shot/.test(String(item.input["text"]))).map((item) => item.input["minute"] ?? item.input["text"]);
const states = (box: Outbox) => box.view.entries.map((entry) => [entry.label, entry.state]);
const logReads = () => mock.reads.filter((read) => read.includes("/timeline"));
const gone = (box: Outbox) => until(() => box.view.entries.length === 0);

async function away(): Promise<void> {
  await mock.stop();
  await until(() => one.link.state !== "live");
}
const back = async (): Promise<void> => {
  await mock.start();
  await until(() => one.link.state === "live");
};

/** Two entries kept offline, and another desk that has the match since. */
async function lost(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  const box = await open(options);
  await away();
  await box.push(shot(1));
  await box.push(shot(2));
  takenBy("desk-b");
  return box;
}

describe("a match taken over while this desk was offline", () => {
  it("gets nothing of the queue, its first entry included: it is kept, and says who has the match", async () => {
    const box = await lost();
    await back();
    await until(() => box.view.entries[0]!.state === "held");
    await sleep(50);
    expect(states(box)).toEqual([["Shot 1", "held"], ["Shot 2", "held"]]);
    expect(box.view.entries[0]!.hold).toEqual({ why: "taken", by: "desk-b", at: items()[1]!.at });
    expect(ours()).toEqual([]);
  });

  it("gets what the person sends by hand, and not what they drop", async () => {
    const box = await lost();
    await back();
    await until(() => box.view.entries[1]!.state === "held");
    await box.decide(box.view.entries[0]!.key, "theirs");
    await box.decide(box.view.entries[0]!.key, "mine");
    await gone(box);
    expect(ours()).toEqual(["Shot, 2"]);
  });

  it("that was scored there as well: what is sent by hand is a conflict to be decided", async () => {
    const box = await open();
    await away();
    await box.push(goal(1));
    takenBy("desk-b");
    mock.other(match, "football.goal", { side: "away", minute: 2, kind: "open_play" }, "desk-b");
    await back();
    await until(() => box.view.entries[0]!.state === "held");
    await box.decide(box.view.entries[0]!.key, "mine");
    await until(() => box.view.entries[0]!.state === "conflict");
    await box.decide(box.view.entries[0]!.key, "mine");
    await gone(box);
    expect(ours()).toEqual([2, 1]);
  });

  it("does not stop again what the person has sent, however often the link breaks or the page is loaded", async () => {
    const locks = new Locks() as unknown as LockManager;
    const box = await lost({ name: "released", locks });
    await back();
    await until(() => box.view.entries[1]!.state === "held");
    await away();
    await box.release(subject);
    box.stop();
    const after = await open({ name: "released", locks });
    await until(() => after.view.owner);
    await back();
    await gone(after);
    expect(ours()).toEqual(["Shot, 1", "Shot, 2"]);
  });

  it("and taken over anew after that is news: it stops what was not through", async () => {
    const box = await lost();
    await back();
    await until(() => box.view.entries[1]!.state === "held");
    await away();
    await box.release(subject);
    takenBy("desk-c");
    await back();
    await until(() => box.view.entries.every((entry) => entry.state === "held"));
    expect(box.view.entries[0]!.hold).toMatchObject({ by: "desk-c" });
    expect(ours()).toEqual([]);
  });

  it("is noticed by a page that shows another one, after a reload", async () => {
    const locks = new Locks() as unknown as LockManager;
    const box = await lost({ name: "other-page", locks });
    box.stop();
    view.close();
    const after = await open({ name: "other-page", locks });
    await back();
    await until(() => after.view.entries.every((entry) => entry.state === "held"));
    expect(ours()).toEqual([]);
  });

  it("before a page of an older kind kept the entry: its play counts as what it had seen", async () => {
    const box = await open();
    await away();
    const { key } = await box.push({ ...goal(1), key: makeId() });
    const { sure_at: _, seen: __, ...old } = box.view.entries[0]!;
    expect(heed({ ...old, key } as Entry, { from: 1, rows: [note(2, "desk-b")], sure: null }, me)?.state).toBe("held");
    expect(heed({ ...old, saw: { play: 2 } } as Entry, { from: 1, rows: [note(2, "desk-b")], sure: null }, me)?.state).toBe("waiting");
  });

  it("after the entry was keyed on a live link, but before it was sent", async () => {
    const locks = new Locks() as unknown as LockManager;
    let free = (): void => undefined;
    void locks.request("late-owner/queue", {}, () => new Promise<void>((resolve) => (free = resolve))); // a tab that is asleep
    const box = await open({ name: "late-owner", locks });
    await box.push(shot(1));
    expect(box.view.entries[0]!.sure_at).not.toBeNull();
    await away();
    takenBy("desk-b");
    view.close();
    await back();
    free();
    await until(() => box.view.entries[0]?.state === "held");
    expect(ours()).toEqual([]);
  });

  it("cannot be known without a live link", () => {
    const known = { kind: "fixture", state: "waiting", code: "x", input: {}, sure_at: 5 } as unknown as Entry;
    const asks = (state: "live" | "waiting", since: number) => new Lookout({ ...one, link: { state, since } } as unknown as OmniumClient).mustLook(known);
    expect([asks("live", 5), asks("live", 6), asks("waiting", 5)]).toEqual([false, true, true]);
  });

  it("is noticed where no socket opens", async () => {
    mock.noSockets = true;
    mock.cutLinks();
    await until(() => one.link.state !== "live");
    const box = await open();
    await (await box.push(shot(1))).settled;
    expect(mock.received.at(-1)?.via).toBe("http");
    takenBy("desk-b");
    await box.push(shot(2)); // keyed before the screen has read it
    await until(() => box.view.entries[0]?.state === "held");
    await box.release(subject);
    await gone(box);
    expect(ours()).toEqual(["Shot, 1", "Shot, 2"]);
  });

  it("is noticed by what is keyed when the link is back and the screen is not up to date yet", async () => {
    const box = await open();
    await away();
    takenBy("desk-b");
    const seen = view.seen;
    await back();
    await box.push({ ...shot(1), seen });
    await until(() => box.view.entries[0]?.state === "held");
    expect(ours()).toEqual([]);
  });

  it("reads the log from where it was known, however long it is", async () => {
    const box = await open();
    for (let i = 0; i < 2_000; i += 1) items().push({ ...items()[0]!, seq: items().length + 1, key: `old ${i}` });
    await away();
    await box.push({ ...shot(1), seen: 2_001 });
    for (let i = 0; i < 600; i += 1) items().push({ ...items()[0]!, seq: items().length + 1, key: `new ${i}` });
    takenBy("desk-b");
    view.close();
    mock.reads.length = 0;
    await back();
    await until(() => box.view.entries[0]?.state === "held");
    expect(logReads().map((read) => read.split("?")[1])).toEqual(["after=2001&limit=500", "after=2501&limit=500"]);
  });

  it("reads no row of the log twice while nothing stops the queue", async () => {
    mock.noSockets = true;
    const box = await open();
    await away();
    await box.push(shot(1));
    await box.push(shot(2));
    mock.other(match, "football.corner", { side: "away" });
    view.close();
    mock.reads.length = 0;
    await mock.start();
    one.setToken(""); // tried again at once
    await gone(box);
    expect(logReads().map((read) => read.split("?")[1])).toEqual(["after=1&limit=500", "after=2&limit=500"]);
  });
});

const me = { sender: "desk-1", keys: new Set<string>() };
const waiting = { key: "k", kind: "fixture", ref: match, seen: 1, state: "waiting", code: "x", input: {}, saw: {} } as unknown as Entry;
const note = (seq: number, desk: string, sender = desk): TimelineItem => ({
  seq, code: "match.note", play: false, input: { text: takeOverText(desk) }, sender, key: `note ${seq}`, at: "2026-01-01T00:00:00.000Z",
});

describe("a take-over of this desk's own", () => {
  it("does not stop its queue: not its other tab's, and not where the server names it after the token", async () => {
    mock.tokenName = "anna";
    const locks = new Locks() as unknown as LockManager;
    const first = await open({ name: "own", locks });
    await until(() => first.view.owner);
    const second = await open({ name: "own", locks, sender: "desk-1 as it was called" }, one);
    await (await second.push(takeOver("desk-1 as it was called"))).settled;
    expect(items().at(-1)!.sender).toBe("anna");
    await away();
    await first.push({ ...shot(1), seen: 1 });
    await back();
    await gone(first);
    expect(ours()).toEqual(["Shot, 1"]);
  });

  it("is told from another desk's with the same token by the name in the note", async () => {
    mock.tokenName = "anna";
    const box = await open();
    await (await box.push(shot(1))).settled;
    await away();
    await box.push(shot(2));
    mock.other(match, "match.note", { text: takeOverText("desk-b") }, "anna");
    await back();
    await until(() => box.view.entries[0]?.state === "held");
    expect(box.view.entries[0]!.hold).toMatchObject({ by: "desk-b (anna)" });
  });

  const heeded = (...rows: TimelineItem[]) => heed(waiting, { from: 1, rows, sure: null }, me)?.state;

  it("is known by its sender or by the name in it, when its key is forgotten", () => {
    expect(heeded(note(2, "desk-1", "anna"))).toBe("waiting");
    expect(heeded(note(2, "the second umpire", "desk-1"))).toBe("waiting");
    expect(heeded(note(2, "desk-b", "anna"))).toBe("held");
  });

  it("that is the last one ends another desk's", () => {
    expect(heeded(note(2, "desk-b"), note(3, "desk-1"))).toBe("waiting");
    expect(heeded(note(2, "desk-1"), note(3, "desk-b"))).toBe("held");
  });

  it("goes out at once as the head of the queue: the match is taken back", async () => {
    const box = await open();
    await away();
    takenBy("desk-b");
    await box.push(takeOver("desk-1"));
    await back();
    await gone(box);
    expect(items().at(-1)!.input["text"]).toBe(takeOverText("desk-1"));
  });

  it("goes out where the log may not be read", async () => {
    const box = await open();
    await away();
    await box.push(takeOver("desk-1"));
    mock.denyLogs = 403;
    await back();
    await gone(box);
    expect(items().at(-1)!.input["text"]).toBe(takeOverText("desk-1"));
  });

  it("keyed offline behind what is kept back when it returns, goes out all the same", async () => {
    const box = await lost();
    await box.push(takeOver("desk-1"));
    await back();
    await until(() => box.view.entries.length === 2);
    expect(items().at(-1)!.input["text"]).toBe(takeOverText("desk-1"));
    expect(states(box)).toEqual([["Shot 1", "held"], ["Shot 2", "held"]]);
  });

  it("passes what is kept back, which stays for the person to decide", async () => {
    const box = await lost();
    await back();
    await until(() => box.view.entries[1]!.state === "held");
    const taken = await box.push(takeOver("desk-1"));
    expect((await taken.settled).outcome).toBe("accepted");
    await sleep(30);
    expect(states(box)).toEqual([["Shot 1", "held"], ["Shot 2", "held"]]);
    expect(nextToSend(box.view.entries)).toBeNull();
  });
});

describe("an entry whose answer got lost", () => {
  it("is sent again for its answer when its row is in the log, whoever has the match since", async () => {
    const box = await open();
    mock.silent = true;
    const pushed = await box.push(shot(1));
    await until(() => ours().length === 1);
    await away();
    mock.silent = false;
    takenBy("desk-b");
    await back();
    expect(await pushed.settled).toMatchObject({ outcome: "accepted", seq: 2 });
    expect(ours()).toEqual(["Shot, 1"]);
  });

  it("is not stopped by a take-over after it either, when that second answer gets lost as well", async () => {
    const box = await open();
    mock.loseAnswers = 2;
    const pushed = await box.push(shot(1));
    await until(() => ours().length === 1);
    takenBy("desk-b");
    expect(await pushed.settled).toMatchObject({ outcome: "accepted", seq: 2 });
  });

  it("and that never arrived is kept back, and goes when the person says so", async () => {
    const box = await open();
    mock.tryAgain = 1;
    mock.dropChanges = 1;
    await away();
    const pushed = await box.push(shot(1));
    takenBy("desk-b");
    await back();
    await until(() => box.view.entries[0]?.state === "held");
    await box.release(subject);
    expect((await pushed.settled).outcome).toBe("accepted");
  });

  it("needs no other look at the log once its row was found there", () => {
    const entry = { ...waiting, logged: true };
    expect(heed(entry, { from: 1, rows: [note(2, "desk-b")], sure: null }, me)).toBeNull();
    expect(new Lookout(one).mustLook(entry)).toBe(false);
  });

  it("that was held back and turns up in the log after all is settled by itself", async () => {
    const box = await lost();
    await back();
    await until(() => box.view.entries[1]!.state === "held");
    const { key, code, input } = box.view.entries[0]!;
    const late = await one.command(to, { key, code, input, sender: "desk-1" }); // as from the link that broke
    expect(late.outcome).toBe("accepted");
    await until(() => box.view.entries.length === 1);
    expect(await box.outcome(key)).toMatchObject({ outcome: "accepted", seq: late.seq });
    expect(ours()).toEqual(["Shot, 1"]);
  });
});

describe("a log that cannot be read", () => {
  it("because this token may not: the entry is kept back with the server's words, and goes when the person says so", async () => {
    const box = await open();
    await away();
    const pushed = await box.push(shot(1));
    mock.denyLogs = 403;
    await back();
    await until(() => box.view.entries[0]?.state === "held");
    expect(box.view.entries[0]!.hold).toEqual({ why: "unread", status: 403, message: "This token may not read this match." });
    expect(ours()).toEqual([]);
    await box.decide(pushed.key, "mine");
    expect((await pushed.settled).outcome).toBe("accepted");
  });

  it("because nobody is signed in: it goes by itself with the right token, unless the match was taken over", async () => {
    const box = await open();
    const other = "0190a0a0-0000-7000-8000-00000000000b";
    mock.addFixture(other);
    await away();
    await box.push(shot(1));
    await box.push({ ...shot(2), ref: other, seen: 0 });
    takenBy("desk-b");
    mock.token = "right";
    await mock.start();
    await until(() => box.view.entries.every((entry) => entry.state === "held" && entry.hold?.why === "unread"));
    expect(mock.received).toEqual([]);
    one.setToken("right");
    await until(() => mock.subjects.get(other)!.items.length === 1);
    await until(() => box.view.entries[0]!.hold?.why === "taken");
    expect(ours()).toEqual([]);
  });

  it("because nobody is signed in, and no socket opens either: it goes by itself with the right token", async () => {
    mock.noSockets = true;
    mock.token = "right";
    const two = join({ pollMs: 20 });
    const shown = new MatchView(two, match);
    const box = await open({}, two);
    await box.push({ ...shot(1), seen: 1 });
    await until(() => box.view.entries[0]?.state === "held");
    two.setToken("right");
    await gone(box);
    expect(ours()).toEqual(["Shot, 1"]);
    shown.close();
  });

  it("for a while, or answered by something in between, is read again, and nothing is sent before", async () => {
    const box = await open();
    await away();
    await box.push(shot(1));
    takenBy("desk-b");
    view.close(); // no take-over comes over the link
    mock.denyLogs = 503;
    await back();
    await sleep(60);
    mock.denyLogs = 200; // a portal's own page, as JSON
    await sleep(60);
    expect(states(box)).toEqual([["Shot 1", "waiting"]]);
    mock.denyLogs = 0;
    await until(() => box.view.entries[0]!.state === "held");
    expect(mock.received).toEqual([]);
  });

  it("because there is no such match: the server says so to the command", async () => {
    const box = await open();
    await away();
    const pushed = await box.push({ ...shot(1), ref: "0190a0a0-0000-7000-8000-00000000000f", seen: 0 });
    await back();
    expect(await pushed.settled).toMatchObject({ outcome: "refused", answer: { reason: { code: "unknown_subject" } } });
  });

  it("because it is a competition, which has none: its entries go as they are", async () => {
    const box = await open();
    const ref = "0190a0a0-0000-7000-8000-00000000000c";
    await away();
    const pushed = await box.push({ workflow: "games", kind: "competition", ref, code: "games.create_competition", input: { name: "Cup" } });
    view.close();
    mock.reads.length = 0;
    await back();
    expect((await pushed.settled).outcome).toBe("accepted");
    expect(mock.reads).toEqual([]);
  });
});

describe("on a live link", () => {
  it("what is keyed on a screen that is up to date goes without a read, from either tab", async () => {
    const locks = new Locks() as unknown as LockManager;
    const first = await open({ name: "tabs-live", locks });
    const two = join();
    await until(() => two.link.state === "live" && first.view.owner);
    const second = await open({ name: "tabs-live", locks }, two);
    const shown = await screen(two);
    mock.reads.length = 0;
    await (await first.push(goal(1))).settled;
    await until(() => view.seen === 2 && shown.seen === 2);
    await (await second.push({ ...goal(2), saw: shown.saw, seen: shown.seen })).settled;
    expect(ours()).toEqual([1, 2]);
    expect(logReads()).toEqual([]);
    shown.close();
  });

  it("a take-over stops at once what still waits", async () => {
    const box = await open();
    mock.other(match, "football.corner", { side: "away" }); // a play, for the mock
    await box.push({ ...goal(1), saw: { play: 1 } });
    await box.push(shot(2));
    await until(() => box.view.entries[0]!.state === "conflict");
    takenBy("desk-b");
    await until(() => box.view.entries[1]!.state === "held");
    await box.decide(box.view.entries[0]!.key, "mine"); // the take-over is on the screen
    await until(() => box.view.entries.length === 1);
    expect(ours()).toEqual([1]);
    expect(states(box)).toEqual([["Shot 2", "held"]]);
  });

  it("a take-over that the screen had shown stops nothing keyed after it", async () => {
    const box = await open();
    takenBy("desk-b");
    await until(() => view.seen === 2);
    await (await box.push(shot(1))).settled;
    await away();
    await box.push(shot(2));
    await back();
    await gone(box);
    expect(ours()).toEqual(["Shot, 1", "Shot, 2"]);
  });

  it("every retry looks at the log first", async () => {
    const box = await open();
    mock.tryAgain = 1_000_000;
    await box.push(shot(1));
    view.close();
    await until(() => box.view.entries[0]!.tries > 2);
    takenBy("desk-b");
    await until(() => box.view.entries[0]!.state === "held");
    expect(ours()).toEqual([]);
  });

  it("that came back, a screen counts as up to date when the server has said so", async () => {
    await until(() => one.held(subject)?.current === true);
    mock.cutLinks();
    await until(() => one.link.state !== "live");
    await until(() => one.link.state === "live");
    expect(one.held(subject)).toEqual({ version: 1, current: false });
    await until(() => one.held(subject)?.current === true);
  });

  it("a look counts for what comes after it only where the link stayed up all the while", async () => {
    const change = async (breaks: boolean) => {
      const reader = { link: { state: "live", since: 1 }, held: () => null, timeline: async () => (breaks && (reader.link = { state: "live", since: 2 }), []) };
      return (await new Lookout(reader as unknown as OmniumClient).look([waiting]))!(waiting, me);
    };
    expect([(await change(false))?.sure_at, (await change(true))?.sure_at]).toEqual([expect.any(Number), null]);
  });

  it("an entry that came while the log was read has a look of its own, and one on its way is left to its answer", () => {
    expect(heed(waiting, { from: 5, rows: [], sure: 1 }, me)).toBeNull();
    expect(heedRow({ ...waiting, state: "sending" }, note(2, "desk-b"), me)).toBeNull();
    expect(heedRow(waiting, note(2, "desk-b"), me)?.state).toBe("held");
  });

  it("the whole log is known on a screen that shows all of what the link has brought", () => {
    const sure = (version: number, current: boolean) => new Lookout({ ...one, held: () => ({ version, current }) } as unknown as OmniumClient).known(subject, { seen: 1 }).sure_at !== null;
    expect([sure(1, true), sure(1, false), sure(2, true)]).toEqual([true, false, false]);
  });

  it("what stood behind a decision is looked at again before it goes", async () => {
    const box = await open();
    mock.other(match, "football.corner", { side: "away" });
    await box.push({ ...goal(1), saw: { play: 1 } });
    await box.push(shot(2));
    await until(() => box.view.entries[0]!.state === "conflict");
    view.close(); // no page shows the match
    await sleep(30);
    takenBy("desk-b");
    await box.decide(box.view.entries[0]!.key, "theirs");
    await until(() => box.view.entries[0]!.state === "held");
    expect(ours()).toEqual([]);
  });
});
