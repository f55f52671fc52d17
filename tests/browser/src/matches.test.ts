// A season of matches, far more than one page of them: what is shown of it, found in it, and told of it live.
import type { Browser, Page } from "playwright-core";
import { makeId, readSports } from "@omnium/bridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device, launch, live, requests } from "./pages";
import { OmniumServer, until } from "./server";

let server: OmniumServer;
let browser: Browser;
let one: Device;
const cups = 28;
const matchesEach = 13;
/** One has more than come at once. */
const large = { name: "Cup 5", matches: 25 };
const total = (cups - 1) * matchesEach + large.matches;
/** By competition, the oldest start first. */
const matches: string[][] = [];

beforeAll(async () => {
  server = await OmniumServer.start();
  for (let cup = 0; cup < cups; cup += 1) {
    const id = makeId();
    await server.must("games", "competition", id, "games.create_competition", { name: `Cup ${cup + 1}` });
    const made = Array.from({ length: `Cup ${cup + 1}` === large.name ? large.matches : matchesEach }, makeId);
    matches.push(made);
    for (const [i, match] of made.entries()) {
      const starts_at = new Date(Date.UTC(2026, cup % 12, 1 + i, 12)).toISOString();
      await server.must("games", "competition", id, "games.create_fixture", { id: match, sport: "football", home: { name: `Lions ${cup + 1}` }, away: { name: `Bears ${i + 1}` }, starts_at });
    }
  }
  await server.must("football", "fixture", matches[0]![0]!, "match.start", {});
  browser = await launch();
  one = await Device.open(browser, server, "desk-a");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const choose = (page: Page, name: string): Promise<void> => page.locator(".filters").getByText(name, { exact: true }).click();
const rows = (page: Page): Promise<string[]> => page.getByTestId("match").evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset["id"]!));

describe("a season", () => {
  it("is read competition by competition as one looks at it, and no competition is said to be without matches", async () => {
    const page = await one.page("#/");
    const asked = requests(page);
    await page.getByRole("region", { name: `Cup ${cups}`, exact: true }).getByTestId("match").first().waitFor();
    expect(await page.getByRole("region").count()).toBe(cups);
    expect(asked.filter((address) => /competition=/.test(address)).length).toBeLessThan(cups);
    const last = page.getByRole("region", { name: "Cup 1", exact: true });
    expect(await last.innerText()).not.toMatch(/0 matches|No match/);
    await last.scrollIntoViewIfNeeded();
    await until(async () => (await last.getByTestId("match").count()) === matchesEach, 10_000, "the last one's matches come when it is looked at");
    await until(async () => /13 matches/.test(await last.innerText()), 5_000, "how many is said once all are known");
    expect(await page.locator("main").innerText()).not.toMatch(/\b0 matches|No match here/);
    await page.close();
  });

  it("of many matches of a competition the newest come first, and the others when asked for", async () => {
    const page = await one.page("#/");
    const cup = page.getByRole("region", { name: large.name, exact: true });
    await cup.scrollIntoViewIfNeeded();
    await until(async () => (await cup.getByTestId("match").count()) === 20, 10_000, "a page of them");
    expect(await cup.locator("header").innerText()).not.toMatch(/\d+ match/);
    await page.getByRole("button", { name: `More matches of ${large.name}` }).click();
    await until(async () => (await cup.getByTestId("match").count()) === large.matches, 10_000, "all of them");
    await until(async () => /25 matches/.test(await cup.innerText()), 5_000, "how many is known now");
    await page.close();
  });

  it("Live is what the server says is live, and another match that starts comes by itself, with its goals", async () => {
    const page = await one.page("#/");
    await live(page);
    await choose(page, "Live");
    await until(async () => (await rows(page)).join() === matches[0]![0], 10_000, "the one match that is live");
    const other = matches[3]![2]!; // of a competition that was never on the screen
    await server.must("football", "fixture", other, "match.start", {});
    await until(async () => (await rows(page)).includes(other), 25_000, "the other one");
    await server.must("football", "fixture", other, "football.period", { action: "start", period: "H1" });
    await server.must("football", "fixture", other, "football.goal", { side: "away", minute: 1, kind: "open_play" });
    const row = page.locator(`[data-id="${other}"]`);
    await until(async () => (await row.getByTestId("score-away").innerText()) === "1", 3_000, "its goal");
    await server.must("football", "fixture", other, "match.end", { reason: "abandoned" });
    await until(async () => (await rows(page)).join() === matches[0]![0], 3_000, "it leaves when it is over");
    await page.close();
  });

  it("every sport of the server can be chosen, and one without matches says so", async () => {
    const page = await one.page("#/");
    const sports = readSports(await server.get("/sports"));
    await until(async () => (await page.getByLabel("Sport").locator("option").count()) === sports.length + 1, 10_000, "all sports");
    await page.getByLabel("Sport").selectOption("curling");
    await page.getByText("There is no match of curling yet.").waitFor();
    await page.getByLabel("Sport").selectOption("football");
    await until(async () => (await rows(page)).length >= 50 && (await rows(page)).length <= 52, 10_000, "one page of them");
    await page.getByRole("button", { name: "More matches", exact: true }).click();
    await until(async () => (await rows(page)).length >= 100 && (await rows(page)).length <= 102, 10_000, "and the next");
    await page.close();
  });

  it("a competition and a team are found wherever they stand, and what is nowhere is said to be nowhere", async () => {
    const page = await one.page("#/");
    await page.getByLabel("Find").fill("cup 2 bears 13");
    await until(async () => (await rows(page)).includes(matches[1]![12]!), 10_000, "a match of the second cup");
    await page.getByLabel("Find").fill("Cup 3");
    await until(async () => (await page.getByRole("region", { name: "Cup 3", exact: true }).getByTestId("match").count()) === matchesEach, 10_000, "all of the third cup");
    await page.getByLabel("Find").fill("nobody");
    await page.getByText(`Nothing found for “nobody”. All ${total} matches were searched.`).waitFor();
    await page.close();
  });

  it("the palette finds a match that no page has read, and opens its desk", async () => {
    const page = await one.page("#/ops");
    await live(page);
    await page.keyboard.press("Control+k");
    await page.locator(".palette input:focus").waitFor();
    await page.keyboard.type("lions 2 bears 7 desk");
    const found = page.locator(".palette [role=option]").filter({ hasText: /Lions 2 – Bears 7/ });
    await found.first().waitFor();
    await page.getByText(`All ${total} matches were searched.`).waitFor();
    await found.first().click();
    await page.getByTestId("desk").waitFor();
    expect(page.url()).toContain(matches[1]![6]!);
    await page.close();
  });

  it("a match that is not there is said not to be, with the way back", async () => {
    for (const id of [makeId(), "nonsense"]) {
      const page = await one.page(`#/match/${id}/desk`);
      await page.getByRole("heading", { name: "There is no such match" }).waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(/topic/);
      await page.getByRole("link", { name: "All matches" }).click();
      await page.getByRole("heading", { name: "Matches" }).waitFor();
      await page.close();
    }
  });
});

describe("a viewer", () => {
  it("finds off what only others may, with the role it needs", async () => {
    const id = matches[0]![0]!;
    const device = await Device.open(browser, server, "guest", await server.newToken("guest", "viewer"));
    const page = await device.page("#/");
    await page.getByText("Making competitions and matches needs a token of the role integrator or higher; this one is viewer.").waitFor();
    for (const name of ["New competition", "New match", "Add a match"]) expect(await page.getByRole("button", { name }).first().isDisabled()).toBe(true);
    await page.goto(`${server.url}/#/match/${id}/desk`);
    await page.getByText("Scoring needs a token of the role scorer or higher; this one is viewer. Keys are off here.").waitFor();
    expect(await page.getByTestId("pad").getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.waitForTimeout(300);
    expect(await page.getByTestId("waiting").innerText()).toBe("None waiting");
    expect(await server.codes(id)).toEqual(["match.start"]);
    expect(device.complaints).toEqual([]);
    await device.close();
  });

  it("and a scorer has the keys, but makes no match", async () => {
    const device = await Device.open(browser, server, "scorer", await server.newToken("scorer-b"));
    const page = await device.page("#/");
    await page.getByText(/this one is scorer/).waitFor();
    await page.goto(`${server.url}/#/match/${matches[0]![0]!}/desk`);
    await page.getByTestId("pad").waitFor();
    expect(await page.getByTestId("pad").getAttribute("aria-disabled")).toBe("false");
    expect(await page.getByTestId("barred").count()).toBe(0);
    await device.close();
  });
});

it("no page complained, and none asked a foreign host", () => {
  expect(one.complaints).toEqual([]);
});
