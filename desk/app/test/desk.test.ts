import type { Entry, LogRow, Scoreboard, SportCommand, TimelineItem } from "@omnium/bridge";
import { readLog } from "@omnium/bridge";
import { describe, expect, it } from "vitest";
import { describe as say } from "../src/lib/describe";
import { clockText, footballClock, pauseText } from "../src/lib/football_clock";
import { ClickGuard, PressGuard, WordGuard } from "../src/lib/keys";
import { readRoute } from "../src/lib/router";
import { besideScore, clockTime, sayHeld, scored, unplayed } from "../src/lib/words";
import { ballText } from "../src/pages/desk/cricket_ball";
import { readCricket } from "../src/pages/desk/cricket_tracker";
import { hammerAhead } from "../src/pages/desk/curling";
import { readSubstitution } from "../src/pages/desk/football";
import { givenUpNext, matchStart, rowsAhead, statusAhead, type Desk } from "../src/pages/desk/model";
import { waitsFor } from "../src/pages/desk/page";
import { whoScores } from "../src/pages/desk/presence";
import { assignKeys, commandAction, quickMember } from "../src/pages/desk/generic";
import { readParts } from "../src/pages/ops/health";
import { fullName, readTree } from "../src/pages/ops/tree";
import { quantile, readMetrics } from "../src/pages/ops/metrics";
import { lacking, pruned, typeOf } from "../src/ui/schema_form";

const names = { home: "Lions", away: "Bears" };

function log(...events: [string, Record<string, unknown>, string?][]): LogRow[] {
  return readLog(
    events.map(([code, input, at], i): TimelineItem => ({
      seq: i + 1, code, input, play: true, sender: "d", key: `k${i}`, at: at ?? "2026-01-01T12:00:00.000Z",
      ...(code === "match.void" ? { voids: [input["seq"] as number] } : {}),
    })),
  );
}

describe("presses", () => {
  it("within 150 ms are one, 400 ms apart two, and different keys are never one", () => {
    const guard = new PressGuard();
    expect([0, 80, 149].map((at) => guard.press("4", at))).toEqual([true, false, false]);
    expect(guard.press("4", 549)).toBe(true);
    expect(guard.press("g", 550)).toBe(true);
    expect(guard.press("h", 552)).toBe(true);
  });
});

describe("a word half typed", () => {
  it("goes on as no keys when its field is taken away, until the person stops", () => {
    const guard = new WordGuard();
    const field = { isConnected: true };
    guard.typed(field, "W", 1_000);
    expect(guard.goesOn(1_200)).toBe(false); // a press beside the field that is still there
    field.isConnected = false;
    expect([1_300, 2_000, 2_900, 3_900].map((at) => guard.goesOn(at))).toEqual([true, true, true, false]);
  });

  it("is over with Enter: the next press is a key at once", () => {
    const guard = new WordGuard();
    guard.typed({ isConnected: false }, "d", 1_000);
    guard.typed({ isConnected: false }, "Enter", 1_100);
    expect(guard.goesOn(1_150)).toBe(false);
  });
});

describe("clicks", () => {
  it("count once each: not the second half of a double click, nor what lands on a key that has just come", () => {
    const guard = new ClickGuard();
    expect([1, 2, 3].map((detail) => guard.counts(detail, 1_000))).toEqual([true, false, false]);
    guard.moved(2_000); // the question for the side came where the goal's key was
    expect([2_100, 2_299, 2_300].map((at) => guard.counts(1, at))).toEqual([false, false, true]);
    expect(guard.counts(0, 2_010)).toBe(true); // Enter on a key is no click
  });
});

describe("the desk ahead of the server", () => {
  const entry = (key: string, more: Partial<Entry> = {}): Entry => ({
    n: 1, key, subject: "fixture/a", workflow: "x", kind: "fixture", ref: "a", code: "x.event", input: {}, sender: "d", saw: {}, play: true,
    refs: [], made_at: "2026-01-01T00:00:00.000Z", tries: 0, state: "waiting", answer: null, label: "", ...more,
  });

  it("counts what waits, and what was accepted but has not come back", () => {
    const rows = log(["match.start", {}]);
    expect(statusAhead("scheduled", rowsAhead(rows, [entry("k0")], 0))).toBe("live");
    expect(statusAhead("scheduled", rowsAhead(rows, [], 0))).toBe("live"); // settled: the row is there, the board is not
    expect(statusAhead("ended", rowsAhead(rows, [], 1))).toBe("ended"); // the server's board knows better than an old row
    expect(matchStart({ standing: rows } as Desk)).toEqual([]); // not started twice
    expect(statusAhead("scheduled", rowsAhead(log(["match.start", {}], ["match.void", { seq: 1 }]), [], 0))).toBe("scheduled");
  });

  it("says what an entry waits for", () => {
    const entries = [entry("a", { n: 1, state: "conflict" }), entry("b", { n: 2 }), entry("c", { n: 3, state: "held" })];
    expect(waitsFor({ entries }, entries[1]!, true)).toBe("sent once what stands before it is decided");
    expect(waitsFor({ entries }, entries[2]!, true)).toBe("to be sent or dropped by hand");
    expect([true, false].map((live) => waitsFor({ entries: [] }, entries[1]!, live))).toEqual(["the server is asked again", "sent when the server can be reached"]);
  });

  it("gives up the newest entry behind a conflict that was never sent, and never the conflict", () => {
    const queue = [entry("a", { state: "conflict", tries: 1 }), entry("b"), entry("c")];
    expect(givenUpNext(queue)?.key).toBe("c");
    expect(givenUpNext(queue.slice(0, 1))).toBeNull();
    expect(givenUpNext([queue[0]!, entry("b", { tries: 2 })])).toBeNull();
  });

  it("knows who has the hammer after ends that the server has not answered yet, or that it must ask", () => {
    const scored = (side: string, points: number): [string, Record<string, unknown>] => ["curling.end_score", { side, points }];
    expect(hammerAhead("away", log(), false)).toBe("away");
    expect(hammerAhead("away", log(scored("away", 2)), false)).toBe("home");
    expect(hammerAhead("away", log(scored("home", 1)), false)).toBe("away");
    expect(hammerAhead("away", log(["curling.end_score", { points: 0 }]), false)).toBe("away");
    expect(hammerAhead("away", log(["curling.end_score", { points: 0 }]), true)).toBe("home");
    expect(hammerAhead(null, log(["curling.hammer", { side: "home" }], ["curling.end", { action: "start" }]), false)).toBe("home");
    expect(hammerAhead("away", log(scored("away", 2), ["match.void", { seq: 1 }]), false)).toBeNull();
  });
});

describe("a substitution as it is typed", () => {
  it("names both players, or is asked for again", () => {
    expect(readSubstitution("Smith / Jones")).toEqual({ off: "Smith", on: "Jones" });
    for (const text of ["Smith for Jones", "Smith /", "/ Jones", "a / b / c"]) expect(readSubstitution(text)).toBeNull();
  });
});

describe("scores in words", () => {
  const board = (line: string, more: object = {}): Scoreboard => ({ status: "live", period: null, score: { home: 0, away: 0 }, line, ...more });

  it("say beside the score only what it does not", () => {
    expect([`0–0 (1')`, "0-0", "0–0, Lions serve", "0–0 (full time), away won", "17/1 (2.1)"].map((line) => besideScore(board(line)))).toEqual(["1'", "", "Lions serve", "full time, away won", "17/1 (2.1)"]);
  });

  it("give no figures for a match that was never played", () => {
    const never = board("abandoned", { status: "ended", outcome: { reason: "abandoned" } });
    expect(unplayed(never)).toBe("Abandoned");
    expect(scored("ended", never)).toBe(false);
    expect(unplayed(board("0–0 (abandoned)", { status: "ended", outcome: { reason: "abandoned" } }))).toBeNull();
    expect(scored("scheduled", board(""))).toBe(false);
  });

  it("give the figures of a match that was played, whatever words its sport puts into the line", () => {
    const drawn = board("drawn", { status: "ended", outcome: { reason: "completed" } });
    expect([unplayed(drawn), scored("ended", drawn)]).toEqual([null, true]);
    expect(unplayed(board("no result", { status: "ended", outcome: { reason: "no_result" } }))).toBe("No result");
    expect(unplayed(board("forfeited, home won", { status: "ended", outcome: { reason: "forfeited" } }))).toBe("Forfeited, home won");
  });
});

describe("addresses", () => {
  it("name a page, and the overlay in either place", () => {
    expect(readRoute("#/match/x/board?overlay=1", "")).toEqual({ page: "board", id: "x", overlay: true });
    expect(readRoute("#/match/x/board", "?overlay=1")).toEqual({ page: "board", id: "x", overlay: true });
    expect(readRoute("", "")).toEqual({ page: "matches" });
    expect(readRoute("#/nowhere/at/all", "")).toEqual({ page: "missing" });
  });
});

describe("football's clock", () => {
  const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);
  const kickOff: [string, Record<string, unknown>, string] = ["football.period", { action: "start", period: "H1" }, "2026-01-01T12:00:00.000Z"];

  it("runs from the period's start by the server's time", () => {
    expect(footballClock(log(kickOff), at("12:11:59"))).toMatchObject({ running: true, seconds: 719, minute: "12" });
  });

  it("says added time as 45+3", () => {
    expect(footballClock(log(kickOff), at("12:47:30")).minute).toBe("45+3");
  });

  it("stands still while play is stopped and goes on from there", () => {
    const rows = log(kickOff, ["match.suspend", { reason: "rain" }, "2026-01-01T12:10:00.000Z"], ["match.resume", {}, "2026-01-01T12:40:00.000Z"]);
    expect(footballClock(rows, at("12:41:00")).seconds).toBe(660);
  });

  it("tells a half that is over from play stopped in it", () => {
    const stopped = footballClock(log(kickOff, ["match.suspend", { reason: "rain" }, "2026-01-01T12:10:00.000Z"]), at("12:30:00"));
    expect([stopped.running, stopped.over, pauseText(stopped)]).toEqual([false, false, "First half, stopped"]);
    const over = footballClock(log(kickOff, ["football.period", { action: "end", period: "H1" }, "2026-01-01T12:46:00.000Z"]), at("12:50:00"));
    expect([over.running, over.over, pauseText(over)]).toEqual([false, true, "Half time"]);
  });

  it("forgets a period that was undone", () => {
    expect(footballClock(log(kickOff, ["match.void", { seq: 1 }]), at("12:10:00")).period).toBeNull();
  });

  it("is written in minutes and seconds", () => {
    expect(clockText(45 * 60 + 7)).toBe("45:07");
  });
});

describe("cricket's next ball", () => {
  const start: [string, Record<string, unknown>] = ["cricket.innings", { action: "start", batting: "home", kind: "normal" }];
  const ball = (batter: string, other: string, runs: object, more: object = {}): [string, Record<string, unknown>] => ["cricket.ball", { batter, non_striker: other, bowler: "X", runs, ...more }];

  it("changes ends on odd runs, and on byes, but not on the wide's own run", () => {
    expect(readCricket(log(start, ball("A", "B", { batter: 1 }))).striker).toBe("B");
    expect(readCricket(log(start, ball("A", "B", { batter: 0, extras: { byes: 3 } }))).striker).toBe("B");
    expect(readCricket(log(start, ball("A", "B", { batter: 0, extras: { wides: 1 } }))).striker).toBe("A");
    expect(readCricket(log(start, ball("A", "B", { batter: 0, extras: { wides: 2 } }))).striker).toBe("B");
  });

  it("counts six legal balls, changes ends and wants another bowler", () => {
    const balls = Array.from({ length: 6 }, () => ball("A", "B", { batter: 0 }));
    const now = readCricket(log(start, ball("A", "B", { batter: 0, extras: { noballs: 1 } }), ...balls));
    expect(now).toMatchObject({ overDone: true, inOver: 0, striker: "B", bowler: null, lastBowler: "X" });
    expect(now.over.length).toBe(7);
  });

  it("asks for a batter after a wicket, also on the last ball of an over", () => {
    const balls = Array.from({ length: 5 }, () => ball("A", "B", { batter: 0 }));
    const now = readCricket(log(start, ...balls, ball("A", "B", { batter: 0 }, { wickets: [{ kind: "bowled", player_out: "A" }] })));
    expect(now).toMatchObject({ striker: "B", nonStriker: null });
    expect(now.out).toEqual(new Set(["A"]));
  });

  it("does not take retired hurt for out", () => {
    expect(readCricket(log(start, ball("A", "B", { batter: 0 }), ["cricket.retire", { batter: "A", kind: "hurt" }])).out.size).toBe(0);
  });

  it("reads balls as a scoresheet does", () => {
    expect(ballText({ runs: { batter: 0 } })).toMatchObject({ short: "•", words: "No run" });
    expect(ballText({ runs: { batter: 4, extras: { noballs: 1 } } })).toMatchObject({ short: "4 nb", words: "No-ball, Four" });
    expect(ballText({ runs: { batter: 0 }, wickets: [{ kind: "run out", player_out: "A" }] })).toMatchObject({ short: "W", words: "Out, run out: A" });
  });
});

describe("a sport without a layout of its own", () => {
  const command = (code: string, label: string, key: string | null, schema: object): SportCommand => ({ code, label, key, play: true, schema: schema as Record<string, unknown> });

  it("gets the plugin's key where it is free, and a letter of the label where it is not", () => {
    const keys = assignKeys([command("a.point", "Point", "p", {}), command("a.pause", "Pause", "p", {}), command("a.undo", "Upset", "u", {})]);
    expect(Object.fromEntries(keys)).toEqual({ "a.point": "P", "a.pause": "A", "a.undo": "S" });
  });

  it("takes no keys after the end", () => {
    const point = command("a.point", "Point", "p", {});
    const off = (status: string): string | undefined => commandAction({ status, names } as Desk, point, "P", () => undefined).off;
    expect(["scheduled", "live", "ended"].map(off)).toEqual([undefined, undefined, "the match is over"]);
  });

  it("needs a second key only, when one required choice is all it asks", () => {
    expect(quickMember({ required: ["winner"], properties: { winner: { enum: ["home", "away"] }, how: { type: "string" } } })).toEqual({ name: "winner", choices: ["home", "away"] });
    expect(quickMember({ required: ["winner", "how"], properties: { winner: { enum: ["home", "away"] } } })).toBeNull();
  });

  it("says what happened from labels and values", () => {
    const sport = { code: "a", label: "A", releases: [], settings: {}, commands: [command("a.point", "Point", null, {})] };
    expect(say("a.point", { winner: "away", how: "ace" }, names, sport)).toEqual({ title: "Point", detail: "ace", side: "away" });
    expect(say("b.odd_thing", { minute: 3 }, names, sport)).toEqual({ title: "Odd thing", detail: "3′", side: null });
    expect(say("a.point", { n: 1152921504606846977n }, names, sport).detail).toBe("n 1152921504606846977");
    expect(say("a.point", { how: "ace", umpire: "seen by two" }, names, sport).detail).toBe("ace"); // the log says the reason itself
  });
});

describe("who scores a match", () => {
  const rows = (...all: [sender: string, key: string, text?: string][]): TimelineItem[] =>
    all.map(([sender, key, text], i) => ({ seq: i + 1, code: text === undefined ? "x.event" : "match.note", input: text === undefined ? {} : { text }, play: true, sender, key, at: `2026-01-01T12:00:0${i}.000Z` }));
  const bTakes = "Take-over: desk-b scores this match now.";

  it("is read from the log: others and when, and who took it over last", () => {
    const { last, mine, taken } = whoScores(rows(["desk-a", "k1"], ["desk-b", "k2"], ["desk-b", "k3", bTakes]), "desk-a", new Set(["k1"]));
    expect([...last.keys()].filter((sender) => !mine.has(sender))).toEqual(["desk-b"]);
    expect(taken).toMatchObject({ by: "desk-b", seq: 3 });
    const back = rows(["desk-b", "k2", bTakes], ["desk-a", "k1", "Take-over: desk-a scores this match now."]);
    expect(whoScores(back, "desk-a", new Set(["k1"]))).toMatchObject({ taken: null, holds: true });
    expect(whoScores(back.slice(0, 1), "desk-a", new Set(["k1"])).holds).toBe(false);
    expect(whoScores(rows(["desk-b", "k2"]), "desk-a", new Set())).toMatchObject({ taken: null, holds: false });
  });

  it("is told of two desks with one token, whose rows carry its name", () => {
    const { last, mine, taken } = whoScores(rows(["anna", "k1"], ["anna", "k2", bTakes], ["anna", "k3"]), "desk-a", new Set(["k1"]));
    expect(mine.has("anna")).toBe(true);
    expect(taken).toMatchObject({ by: "desk-b (anna)", sender: "anna" });
    expect(last.get("anna")).toBe(Date.parse("2026-01-01T12:00:02.000Z")); // seen at work after its note
  });

  it("is said where an entry is held back, and why otherwise", () => {
    const at = "2026-01-01T12:00:00.000Z";
    expect(sayHeld({ hold: { why: "taken", by: "desk-b", at }, answer: null })).toBe(`desk-b took this match over at ${clockTime(at)}.`);
    expect(sayHeld({ hold: { why: "unread", status: 403, message: "Not yours." }, answer: null })).toBe("Whether another desk took this match over cannot be read: Not yours.");
    expect(sayHeld({ answer: { reason: { code: "not_signed_in", message: "Sign in first." } } as Entry["answer"] })).toBe("Sign in first.");
  });
});

describe("forms from a schema", () => {
  it("see through null and anyOf", () => {
    expect(typeOf({ anyOf: [{ type: "null" }, { type: "integer" }] })).toBe("integer");
    expect(typeOf({ type: ["string", "null"] })).toBe("string");
    expect(typeOf({ enum: ["a"] })).toBe("enum");
    expect(typeOf({ anyOf: [{ type: "integer" }, { type: "string" }] })).toBe("scalar");
  });

  it("leave out what is empty and name what is missing", () => {
    expect(pruned({ a: "", b: 0, c: { d: "" }, e: ["x", ""] })).toEqual({ b: 0, c: {}, e: ["x"] });
    expect(lacking({ required: ["a", "b"] }, { a: 1 })).toBe("b");
    expect(lacking({ required: ["a"] }, { a: 0 })).toBeNull();
  });
});

describe("operations", () => {
  const text = `# HELP omnium_seconds Time.\n# TYPE omnium_seconds histogram\nomnium_seconds_bucket{le="0.01"} 90\nomnium_seconds_bucket{le="0.1"} 100\nomnium_seconds_bucket{le="+Inf"} 100\nomnium_seconds_sum 1\nomnium_seconds_count 100\n# TYPE omnium_x counter\nomnium_x{a="b\\"c"} 4\n`;

  it("reads Prometheus text, quantiles included", () => {
    const [seconds, x] = readMetrics(text);
    expect(seconds).toMatchObject({ name: "omnium_seconds", help: "Time.", type: "histogram" });
    expect(quantile(seconds!, 0.95)).toBeCloseTo(0.055);
    expect(x!.samples).toEqual([{ name: "omnium_x", labels: { a: 'b\\"c' }, value: 4 }]);
  });

  it("reads the supervision tree, and names what is in trouble", () => {
    const tree = readTree({ name: "root", strategy: "rest_for_one", children: [{ name: "sport/x/1", breaker: "open", waiting: 2, workers: [{ name: "worker/0", pid: 15793, busy: false, kills: 3 }] }] });
    expect(tree.children[0]).toMatchObject({ name: "sport/x/1", trouble: "breaker open" });
    expect(tree.children[0]!.children[0]).toEqual({ name: "worker/0", facts: [["Pid", "15793"], ["Kills", "3"]], trouble: null, children: [] });
  });

  it("reads the parts of readyz in the forms they come in", () => {
    expect(readParts({ ready: false, parts: { database: { ok: false, reason: "no answer" } } })).toEqual([{ name: "database", ok: false, why: "no answer" }]);
    expect(readParts({ status: "ok", database: "ok" })).toEqual([{ name: "database", ok: true, why: "" }]);
    expect(readParts({ parts: [{ name: "outbox", state: "down" }] })[0]).toMatchObject({ name: "outbox", ok: false });
    const since = new Date(Date.now() - 90_000).toISOString();
    expect(readParts({ parts: [{ part: "disk", state: "low", since, reason: "1 MiB free" }] })[0]).toEqual({ name: "disk", ok: false, why: "1 MiB free, for 1 min" });
    expect(readParts({ parts: [{ part: "watch", state: "ok", since, reason: null }] })[0]).toMatchObject({ name: "watch", ok: true });
  });

  it("names what is to be restarted as the server does", () => {
    expect(fullName("", "sports")).toBe("sports");
    expect(fullName("sports", "sport/football/1.0.0")).toBe("sport/football/1.0.0");
    expect(fullName("sport/football/1.0.0", "worker/0")).toBe("sport/football/1.0.0/worker/0");
    expect(fullName("matches", "match/fixture/1")).toBe("match/fixture/1");
  });
});
