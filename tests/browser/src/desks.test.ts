// Two who score one match: two desks, and two tabs of one device.
import { describe, expect, it } from "vitest";
import { devices } from "./devices";
import { type Desk, live } from "./pages";
import { type OmniumServer, sleep, until } from "./server";

let server: OmniumServer;
const device = devices((made) => (server = made));

describe("two desks", () => {
  async function conflict(): Promise<{ id: string; desk: Desk }> {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await one.context.setOffline(true);
    await desk.sees(async () => /Offline/.test(await desk.text("link-state")), "offline");
    await server.must("football", "fixture", id, "football.goal", { side: "away", minute: 2, kind: "open_play" });
    await desk.keys("g", "h");
    await one.context.setOffline(false);
    await desk.page.getByTestId("conflict").waitFor();
    return { id, desk };
  }

  /** What has just appeared takes no press: it was meant for something else. */
  async function decidable(desk: Desk): Promise<void> {
    await desk.sees(() => desk.page.getByTestId("conflict").locator("button").first().isEnabled(), "the conflict can be decided");
  }

  it("a conflict shows mine and theirs; M saves mine after theirs", async () => {
    const { id, desk } = await conflict();
    expect(await desk.text("conflict-mine")).toMatch(/Goal Lions/);
    expect(await desk.text("conflict-theirs")).toMatch(/Goal Bears[^]*desk-other/);
    expect(await server.goals(id)).toEqual(["away"]);
    await decidable(desk);
    await desk.keys("m");
    await desk.allSaved();
    expect(await server.goals(id)).toEqual(["away", "home"]);
  });

  it("T keeps theirs and drops mine", async () => {
    const { id, desk } = await conflict();
    await decidable(desk);
    await desk.keys("t");
    await desk.allSaved();
    expect(await desk.text("last-keyed")).toMatch(/^Taken back/);
    await sleep(200);
    expect(await server.goals(id)).toEqual(["away"]);
    await desk.sees(async () => (await desk.totals()) === "0–1", "theirs is shown");
  });

  it("undo during a conflict is about this device's own entries, and M is no answer to it within another key", async () => {
    const { id, desk } = await conflict();
    await desk.keys("g", "h");
    await desk.sees(async () => /^2 waiting/.test(await desk.text("waiting")), "one waits behind the conflict");
    await desk.keys("u");
    await desk.sees(async () => /^1 waiting/.test(await desk.text("waiting")), "it is given up");
    await desk.keys("u");
    expect(await desk.text("key-off")).toMatch(/Undo: decide/);
    await decidable(desk);
    await desk.keys("g", "m", "Escape");
    expect(await server.goals(id)).toEqual(["away"]);
    await desk.keys("m");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "football.period", "football.goal", "football.goal"]);
  });

  it("see each other, and one takes over: the other's keys are off until it takes the match back", async () => {
    const id = await server.kickedOff();
    const first = await (await device("desk-a")).desk(id);
    const second = await (await device("desk-b")).desk(id);
    await first.keys("g", "h");
    await first.allSaved();
    await until(async () => /desk-a/.test(await second.text("presence")), 10_000, "the second sees the first");
    await first.keys("s"); // a question that is open is not answered any more
    await second.page.getByRole("button", { name: "Take over" }).click();
    await until(async () => /desk-b took this match over/.test(await first.text("presence")), 10_000, "the first is told");
    await first.keys("g", "h");
    await sleep(300);
    expect(await server.goals(id)).toEqual(["home"]);
    expect(await first.page.getByLabel("Write a note").isDisabled()).toBe(true);
    await first.page.getByRole("button", { name: "Take it back" }).click();
    await until(async () => (await first.page.getByTestId("pad").getAttribute("aria-disabled")) === "false", 10_000, "keys are on again");
    await first.keys("g", "a");
    await first.allSaved();
    expect(await server.goals(id)).toEqual(["home", "away"]);
  });

  it("what one keyed offline is kept and shown when the other took over meanwhile, and goes or is dropped by hand", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const first = await one.desk(id);
    const second = await (await device("desk-b")).desk(id);
    await first.keys("g", "h");
    await first.allSaved();
    await one.context.setOffline(true);
    await first.sees(async () => /Offline/.test(await first.text("link-state")), "offline");
    await first.keys("g", "h", "g", "h", "c", "a");
    await first.sees(async () => (await first.text("waiting")) === "3 waiting", "three wait");
    await until(async () => /desk-a/.test(await second.text("presence")), 10_000, "the second sees the first");
    await second.page.getByRole("button", { name: "Take over" }).click();
    await second.keys("g", "a");
    await second.allSaved();
    await second.sees(async () => /You are desk-b and have this match\./.test(await second.text("presence")), "the second is told that it has the match");
    const theirs = await server.codes(id);
    await one.context.setOffline(false);
    await first.page.getByTestId("conflict").waitFor();
    await live(first.page);
    expect(await first.text("presence")).toMatch(/desk-b took this match over.*Your 3 waiting entries are kept below/s);
    expect(await first.text("conflict")).toMatch(/desk-b took this match over at \d\d:\d\d:\d\d\. Your entry is kept.*2 more wait/s);
    expect(await first.text("waiting")).toBe("3 waiting, 3 to decide");
    await sleep(300);
    expect(await server.codes(id)).toEqual(theirs);
    await first.page.goto(`${server.url}/#/`);
    await first.page.reload(); // it is no different after one, and each page says where to decide
    await first.page.getByRole("link", { name: "3 to decide" }).click();
    await first.page.getByTestId("conflict").waitFor();
    await sleep(300);
    expect(await server.codes(id)).toEqual(theirs);
    await decidable(first);
    await first.keys("m"); // sent by hand: a goal that stood on what the other desk scored past
    await first.sees(async () => /Somebody else scored meanwhile/.test(await first.text("conflict")), "it is a conflict");
    expect(await server.goals(id)).toEqual(["home", "away"]);
    await decidable(first);
    await first.keys("m");
    await until(async () => (await server.goals(id)).length === 3, 10_000, "it is saved");
    await first.sees(async () => (await first.text("waiting")) === "2 waiting, 2 to decide", "the others are still kept");
    await decidable(first);
    await first.keys("t");
    await first.sees(async () => (await first.text("waiting")) === "1 waiting, 1 to decide", "the second one is dropped");
    await decidable(first);
    await first.keys("m"); // a corner conflicts with nothing
    await first.allSaved();
    expect(await server.goals(id)).toEqual(["home", "away", "home"]);
    expect(await server.codes(id)).toEqual([...theirs, "football.goal", "football.corner"]);
  });

  it("a match that is taken back goes on at once, with what was kept still to be decided", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const first = await one.desk(id);
    await one.context.setOffline(true);
    await first.sees(async () => /Offline/.test(await first.text("link-state")), "offline");
    await first.keys("g", "h");
    await server.must("football", "fixture", id, "match.note", { text: "Take-over: desk-other scores this match now." });
    await one.context.setOffline(false);
    await first.page.getByTestId("conflict").waitFor();
    await first.page.getByRole("button", { name: "Take it back" }).click();
    await until(async () => (await first.page.getByTestId("pad").getAttribute("aria-disabled")) === "false", 10_000, "keys are on again");
    await first.sees(async () => (await first.text("waiting")) === "1 waiting, 1 to decide", "the take-over is through, the goal is kept");
    expect(await server.goals(id)).toEqual([]);
    await decidable(first);
    await first.keys("m");
    await first.allSaved();
    expect(await server.goals(id)).toEqual(["home"]);
  });

  it("an editor's name and a goal do not block each other; two names of one side conflict", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const list = await one.page("#/");
    const listed = list.locator(`[data-testid=match][data-id="${id}"]`);
    await listed.waitFor();
    const desk = await one.desk(id);
    await desk.page.getByRole("button", { name: "Lions" }).click();
    const field = desk.page.getByLabel("Name, home");
    await field.fill("Tigers");
    await field.press("Enter");
    await field.press("Tab");
    await until(async () => (await desk.page.locator(".head-name").first().innerText()) === "Tigers", 10_000, "the new name");
    const home = async (): Promise<any> => (await server.get<any>(`/fixtures/${id}`)).sides.home;
    expect((await home()).name).toBe("Tigers");
    await desk.allSaved();
    expect((await server.codes(id)).filter((code) => code === "games.edit_competitor").length).toBe(1);
    await until(async () => /Tigers/.test(await listed.innerText()), 10_000, "the list has the new name");
    await list.close();
    await field.fill("Pan");
    await server.must("games", "fixture", id, "games.edit_competitor", { row: (await home()).row, name: "Wolves" });
    await until(async () => (await desk.page.locator(".head-name").first().innerText()) === "Wolves", 10_000, "another's name");
    expect(await field.inputValue()).toBe("Pan"); // what is being typed is not taken away
    await field.fill("Panthers");
    await field.press("Enter");
    await desk.page.getByText("Somebody else set: Wolves").waitFor();
    expect((await home()).name).toBe("Wolves");
    await desk.page.locator("dialog").getByRole("button", { name: "Mine" }).click();
    await until(async () => (await home()).name === "Panthers", 10_000, "decided for mine");
  });
});

describe("two tabs of one device", () => {
  it("share one queue: what both key is saved once each, in order", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const first = await one.desk(id);
    const second = await one.desk(id);
    await second.keys("g", "a");
    await second.allSaved();
    await first.page.bringToFront();
    await first.sees(async () => (await first.totals()) === "0–1", "the first tab shows it");
    await first.keys("g", "h");
    await first.allSaved();
    expect(await server.goals(id)).toEqual(["away", "home"]);
    await first.page.close(); // the tab that owned the queue
    await second.page.bringToFront();
    await second.sees(async () => (await second.totals()) === "1–1", "the second tab is up to date");
    await second.keys("g", "a");
    await second.allSaved();
    expect(await server.goals(id)).toEqual(["away", "home", "away"]);
  });
});
