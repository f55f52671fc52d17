// A scorer's work: passages of matches on the desk, shown on another device's scoreboard as they are keyed.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device, launch, requests } from "./pages";
import { OmniumServer, until } from "./server";

let server: OmniumServer;
let browser: Browser;
let scorer: Device;
let viewer: Device;

beforeAll(async () => {
  server = await OmniumServer.start();
  browser = await launch();
  scorer = await Device.open(browser, server, "desk-a");
  viewer = await Device.open(browser, server, "desk-v");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("football", () => {
  it("a passage is keyed with two keys an event, and the other page shows each with no request of its own", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    const board = await viewer.board(id);
    await desk.keys("n"); // kick off: two log rows
    await desk.allSaved();
    const asked = requests(board);
    const score = () => board.getByTestId("board-score").innerText();
    for (const [key, side, wanted] of [["g", "h", "1–0"], ["g", "a", "1–1"], ["g", "ArrowLeft", "2–1"]] as const) {
      await desk.keys(key, side);
      await until(async () => (await score()).replace(/\s/g, "") === wanted, 15_000, `the board shows ${wanted}`);
    }
    await desk.keys("s", "h", "c", "a", "f", "h", "o", "a");
    await desk.allSaved();
    expect(asked).toEqual([]);
    expect(await server.codes(id)).toEqual([
      "match.start", "football.period", "football.goal", "football.goal", "football.goal", "football.shot", "football.corner", "football.foul", "football.offside",
    ]);
    expect((await server.scoreboard(id)).score).toEqual({ home: 2, away: 1 });
  });

  it("undo is one key, replace two, and redo brings back", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    await desk.keys("n", "g", "h", "g", "h");
    await desk.allSaved();
    await desk.keys("u");
    await desk.sees(async () => (await desk.totals()) === "1–0", "one goal is undone");
    await desk.keys("r", "a");
    await desk.sees(async () => (await desk.totals()) === "0–1", "the goal is the other side's");
    await desk.allSaved();
    await desk.keys("u"); // takes the replacement back
    await desk.sees(async () => (await desk.totals()) === "1–0", "the goal is as it was keyed");
    await desk.keys("z");
    await desk.sees(async () => (await desk.totals()) === "0–1", "redo");
  });

  it("undo says that there is nothing yet, and sends nothing", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    const undo = desk.page.getByTestId("key-undo");
    expect(await undo.innerText()).toMatch(/nothing yet/);
    expect(await undo.isDisabled()).toBe(true);
    await desk.keys("z", "u");
    expect(await desk.text("key-off")).toMatch(/Undo: nothing yet/); // a press that does nothing says why
    await desk.keys("n"); // the first act, taken back: the start and the half
    await desk.allSaved();
    expect(await undo.isDisabled()).toBe(false);
    await desk.keys("u");
    await desk.keys("u");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "football.period", "match.void", "match.void"]);
    expect(await undo.innerText()).toMatch(/nothing yet/);
  });

  it("two undos in a row take back two events, though the device has not shown the first one yet", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    await desk.keys("n");
    await desk.allSaved();
    await scorer.context.setOffline(true);
    await desk.keys("g", "h", "g", "a");
    await desk.sees(async () => (await desk.text("waiting")) === "2 waiting", "two wait");
    await desk.page.evaluate(() => {
      for (let presses = 0; presses < 2; presses += 1) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true }));
        for (const end = performance.now() + 165; performance.now() < end; ); // busy: nothing is drawn, nothing is written down
      }
    });
    await scorer.context.setOffline(false);
    await desk.allSaved();
    await desk.sees(async () => (await desk.totals()) === "0–0", "neither goal stands");
  });

  it("a double click on a key opens its question and answers nothing; a substitution that cannot be read stays asked", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    await desk.keys("n");
    await desk.allSaved();
    await desk.page.getByTestId("key-goal").dblclick();
    await desk.page.getByTestId("step").waitFor();
    await desk.page.waitForTimeout(350);
    await desk.page.getByTestId("key-goal-home").click();
    await desk.sees(async () => (await desk.totals()) === "1–0", "one goal, for the side that was meant");
    await desk.keys("b", "h");
    const step = desk.page.getByTestId("step");
    await step.locator("input").fill("Smith for Jones");
    await desk.keys("Enter");
    expect(await step.getByRole("alert").innerText()).toMatch(/Not sent/);
    await step.locator("input").fill("Smith / Jones");
    await desk.keys("Enter");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "football.period", "football.goal", "football.substitution"]);
  });

  it("a card asks for the player, and the letters of the name score nothing", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    await desk.keys("n", "y", "h");
    await desk.page.getByRole("combobox", { name: "Player" }).waitFor();
    await desk.page.keyboard.type("Gaga Shcoz");
    await desk.keys("Enter");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "football.period", "football.card"]);
    expect((await server.timeline(id))[2]!.input).toMatchObject({ player: "Gaga Shcoz", card: "yellow", side: "home" });
  });

  it("a held key and a bounce make one event, two presses 400 ms apart two", async () => {
    const id = await server.match("curling");
    const desk = await scorer.desk(id);
    await desk.keys("n", "m", "a", "e");
    await desk.allSaved();
    await desk.sees(async () => /Lions/.test(await desk.text("key-stone")), "the side without the hammer throws first");
    const before = (await server.codes(id)).length;
    await desk.page.evaluate(async () => {
      const press = (repeat: boolean) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, cancelable: true, repeat }));
      const spin = (ms: number) => {
        for (const end = performance.now() + ms; performance.now() < end; );
      };
      press(false);
      press(true);
      press(true);
      spin(40);
      press(false); // the contact bounced
      await new Promise((done) => setTimeout(done, 400));
      press(false);
    });
    await desk.allSaved();
    expect((await server.codes(id)).slice(before)).toEqual(["curling.stone", "curling.stone"]);
  });

  it("a refusal is said with the rule's sentence and changes nothing", async () => {
    const id = await server.match("football");
    await server.must("football", "fixture", id, "match.start", {});
    await server.must("football", "fixture", id, "football.period", { action: "start", period: "H1" });
    const desk = await scorer.desk(id);
    await desk.keys("2", "h"); // a second yellow without a first
    await desk.name("Nobody");
    const last = desk.page.getByTestId("last-keyed");
    await until(async () => /Refused/.test(await last.innerText()), 10_000, "the refusal is shown in words");
    expect(await last.innerText()).toMatch(/Nothing was changed/);
    expect(await server.codes(id)).toEqual(["match.start", "football.period"]);
  });
});

describe("cricket", () => {
  it("two overs with a wicket, extras and a new bowler are keyed and shown ball by ball", async () => {
    const id = await server.match("cricket", "India", "England");
    const desk = await scorer.desk(id);
    const board = await viewer.board(id);
    await desk.keys("i", "h");
    await desk.page.getByTestId("player-striker").waitFor();
    for (const name of ["Sharma", "Gill", "Anderson"]) await desk.name(name);
    await desk.allSaved();
    const asked = requests(board);
    const shown = (text: string) => until(async () => (await board.getByTestId("board-score").innerText()).trim() === text, 15_000, `the board shows ${text}`);
    await desk.keys("1");
    await shown("1/0");
    await desk.keys("4", "0");
    await shown("5/0");
    await desk.keys("d", "0"); // wide
    await desk.keys("w", "b");
    await shown("6/1");
    await desk.name("Kohli");
    await desk.keys("6", "2");
    await shown("14/1");
    await desk.name("Broad"); // six legal balls: the next over needs another bowler
    await desk.keys("b", "2", "l", "1", "n", "4");
    await shown("22/1");
    expect(asked).toEqual([]);
    await desk.allSaved();
    const balls = (await server.timeline(id)).filter((item) => item.code === "cricket.ball").map((item) => item.input as any);
    expect(balls.map((ball) => [ball.batter, ball.bowler])).toEqual([
      ["Sharma", "Anderson"], ["Gill", "Anderson"], ["Gill", "Anderson"], ["Gill", "Anderson"], ["Gill", "Anderson"],
      ["Kohli", "Anderson"], ["Kohli", "Anderson"], ["Sharma", "Broad"], ["Sharma", "Broad"], ["Kohli", "Broad"],
    ]);
    const board2 = await server.scoreboard(id);
    expect(board2.innings[0]).toMatchObject({ runs: 22, wickets: 1, overs: "1.2" });
    await desk.keys("r", "0"); // no: the last one was a dot ball
    await desk.sees(async () => /17\/1/.test(await desk.text("head-line")), "the ball was replaced");
  });
});

describe("a name half typed", () => {
  it("stays where it is typed when another desk's ball comes", async () => {
    const id = await server.match("cricket", "India", "England");
    const ball = { batter: "Sharma", non_striker: "Gill", bowler: "Anderson", runs: { batter: 0 } };
    await server.must("cricket", "fixture", id, "match.start", {});
    await server.must("cricket", "fixture", id, "cricket.innings", { action: "start", batting: "home", kind: "normal" });
    await server.must("cricket", "fixture", id, "cricket.ball", ball);
    const desk = await scorer.desk(id);
    await desk.keys("k");
    await desk.page.keyboard.type("Wo");
    const rows = await desk.rows();
    await server.must("cricket", "fixture", id, "cricket.ball", ball);
    await desk.sees(async () => (await desk.rows()) === rows + 1, "the other desk's ball is here");
    await desk.page.keyboard.type("od 4");
    expect(await desk.page.locator(".player.asking input").inputValue()).toBe("Wood 4");
    await desk.keys("Escape");
    await desk.sees(async () => (await desk.text("player-bowler")) === "Anderson", "the field is closed");
    expect((await server.codes(id)).filter((code) => code === "cricket.ball").length).toBe(2);
  });
});

describe("curling and other sports", () => {
  it("an end's score is two keys, also when nobody started the end, and is replaced with two", async () => {
    const id = await server.match("curling", "Sweden", "Canada");
    const desk = await scorer.desk(id);
    await desk.keys("n", "m", "a", "h", "2");
    await desk.sees(async () => (await desk.totals()) === "2–0", "two for home");
    await desk.allSaved();
    await desk.keys("r", "3");
    await desk.sees(async () => (await desk.totals()) === "3–0", "three instead");
    await desk.keys("b");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "curling.hammer", "curling.end", "curling.end_score", "match.amend", "curling.end", "curling.end_score"]);
  });

  it("tennis has a desk drawn from its plugin's schema alone", async () => {
    const id = await server.match("tennis", "Sinner", "Alcaraz");
    const desk = await scorer.desk(id);
    const key = async (name: string): Promise<string> => (await desk.page.getByTestId(`key-${name}`).getAttribute("aria-keyshortcuts"))!;
    await desk.keys(await key("match.start"));
    await desk.allSaved();
    const point = await key("tennis.point");
    for (const side of ["h", "h", "a", "h", "h"]) await desk.keys(point, side);
    await desk.allSaved();
    expect((await server.codes(id)).filter((code) => code === "tennis.point").length).toBe(5);
    expect((await server.scoreboard(id)).sets[0]).toMatchObject({ home: 1, away: 0 });
  });

  it("the log says an umpire's reason once, and an integer of any size digit by digit", async () => {
    const id = await server.match("tennis", "Sinner", "Alcaraz");
    await server.must("tennis", "fixture", id, "match.start", {});
    await server.must("tennis", "fixture", id, "tennis.point", { winner: "home", umpire: "seen by the line judge" });
    // As a plugin whose inputs hold such a number would have it.
    await scorer.context.route("**/timeline*", async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ response: reply, body: (await reply.text()).replace(/("winner": ?"home")/, '$1,"serial":1152921504606846976') });
    });
    const desk = await scorer.desk(id);
    const row = desk.page.locator("[data-testid=log-row][data-seq='2']");
    await row.waitFor();
    expect(await row.innerText()).toMatch(/serial 1152921504606846976/);
    expect((await row.innerText()).match(/seen by the line judge/g)).toHaveLength(1);
    await scorer.context.unroute("**/timeline*");
    await desk.page.close();
  });

  it("a match that was never played has no score on its board, one that ended level has", async () => {
    const [never, level] = [await server.match("basketball"), await server.match("basketball")];
    await server.must("basketball", "fixture", never, "match.end", { reason: "abandoned" });
    await server.must("basketball", "fixture", level, "match.start", {});
    await server.must("basketball", "fixture", level, "match.end", { reason: "abandoned" });
    const board = await viewer.board(never);
    await board.locator(".board").getByText("Abandoned").waitFor();
    expect(await board.locator(".board").innerText()).not.toMatch(/[–\d]/);
    await board.close();
    const other = await viewer.board(level);
    expect(await other.getByTestId("board-home").innerText()).toBe("0");
    await other.close();
  });
});

describe("the log", () => {
  it("shows what a change, an undo and an insert would do before they are made", async () => {
    const id = await server.match("football");
    const desk = await scorer.desk(id);
    await desk.keys("n", "g", "h", "g", "a");
    await desk.allSaved();
    const open = async (seq: number) => {
      await desk.page.locator(`[data-testid=log-row][data-seq="${seq}"] > button`).click();
      return desk.page.getByTestId("row-editor");
    };
    let editor = await open(3);
    await editor.getByText("Bears", { exact: true }).click();
    await editor.getByTestId("preview").waitFor();
    expect(await editor.getByTestId("preview").innerText()).toMatch(/would change/);
    expect(await server.scoreboard(id).then((board) => board.score)).toEqual({ home: 1, away: 1 });
    await editor.getByTestId("apply").click();
    await desk.sees(async () => (await desk.totals()) === "0–2", "changed");
    await desk.allSaved();
    editor = await open(4);
    await editor.getByText("Undo this", { exact: true }).click();
    await editor.getByTestId("preview").waitFor();
    await editor.getByTestId("apply").click();
    await desk.sees(async () => (await desk.totals()) === "0–1", "undone");
    await desk.allSaved();
    editor = await open(3);
    await editor.getByText("Put in before", { exact: true }).click();
    await editor.locator("select").selectOption("football.goal");
    await editor.getByText("Lions", { exact: true }).click();
    await editor.getByLabel("Minute").fill("1");
    await editor.getByText("Open play", { exact: true }).click();
    await editor.getByTestId("preview").waitFor();
    await editor.getByTestId("apply").click();
    await desk.sees(async () => (await desk.totals()) === "1–1", "put in");
    await desk.allSaved();
    expect((await server.codes(id)).slice(4)).toEqual(["match.amend", "match.void", "match.insert"]);
  });

  it("a change that breaks a later event says so and offers to undo that one too", async () => {
    const id = await server.match("football");
    for (const [code, input] of [
      ["match.start", {}], ["football.period", { action: "start", period: "H1" }],
      ["football.goal", { side: "home", minute: 3, kind: "open_play" }],
    ] as const) await server.must("football", "fixture", id, code, input);
    const desk = await scorer.desk(id);
    await desk.page.locator('[data-testid=log-row][data-seq="2"] > button').click(); // without its half, no goal
    const editor = desk.page.getByTestId("row-editor");
    await editor.getByText("Undo this", { exact: true }).click();
    const preview = editor.getByTestId("preview");
    await until(async () => /Would be refused/.test(await preview.innerText()), 10_000, "it would break a later event");
    await editor.getByLabel(/later events/).check();
    await until(async () => /Undone with it/.test(await preview.innerText()), 10_000, "both would go");
    await editor.getByTestId("apply").click();
    await desk.allSaved();
    expect((await server.timeline(id)).pop()!.voids).toEqual(expect.arrayContaining([2, 3]));
  });
});

it("no page complained, and none asked a foreign host", () => {
  expect([...scorer.complaints, ...viewer.complaints]).toEqual([]);
});
