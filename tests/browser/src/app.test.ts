// The pages themselves: lists that live, making things from the page, the palette, what a keyboard and a screen reader find.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSports } from "@omnium/bridge";
import { Device, launch, live } from "./pages";
import { OmniumServer, until } from "./server";

let server: OmniumServer;
let browser: Browser;
let one: Device;

beforeAll(async () => {
  server = await OmniumServer.start();
  browser = await launch();
  one = await Device.open(browser, server, "desk-a");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("matches", () => {
  it("a competition and a match are made from the page, and another page's list shows the match and its goals without a reload", async () => {
    const page = await one.page("#/");
    await page.getByRole("button", { name: "New competition" }).first().click();
    await page.getByLabel("Name").fill("Northern Cup");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Northern Cup" }).waitFor();
    const other = await (await Device.open(browser, server, "desk-b")).page("#/");
    await other.getByRole("heading", { name: "Northern Cup" }).waitFor();
    await page.getByRole("button", { name: "Add a match" }).first().click();
    await page.locator("dialog select[name=sport]").selectOption("football");
    await page.locator("input[name=home]").fill("Oslo");
    await page.locator("input[name=away]").fill("Bergen");
    await page.getByRole("button", { name: /Create and open/ }).click();
    await page.getByTestId("desk").waitFor();
    const row = other.getByTestId("match").filter({ hasText: "Oslo" });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Not started/);
    await page.keyboard.press("n");
    await page.waitForTimeout(100);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await until(async () => (await row.getByTestId("score-home").innerText()) === "1", 10_000, "the list shows the goal");
    expect(await row.innerText()).toMatch(/Live/);
    await other.context().close();
  });

  it("is filtered by status, sport and name", async () => {
    await server.match("curling", "Sweden", "Canada");
    const page = await one.page("#/");
    const rows = page.getByTestId("match");
    await until(async () => (await rows.count()) >= 2, 10_000, "two matches");
    await page.getByLabel("Find").fill("swed");
    await until(async () => (await rows.count()) === 1, 5_000, "one fits");
    await page.getByLabel("Find").fill("");
    await page.locator(".filters").getByText("Live", { exact: true }).click();
    await until(async () => (await rows.allInnerTexts()).every((text) => /Live/.test(text)), 5_000, "only live ones");
  });
});

describe("the palette", () => {
  it("opens with Ctrl+K, finds a command by its words and runs it", async () => {
    const page = await one.page("#/");
    await live(page);
    await page.keyboard.press("Control+k");
    await page.locator(".palette input:focus").waitFor();
    await page.keyboard.type("operat");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Operations" }).waitFor();
  });
});

describe("for everybody", () => {
  const unnamed = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const name = (element: Element): string =>
        element.getAttribute("aria-label") ?? (element as HTMLElement).innerText?.trim() ?? "";
      const labelled = (element: Element): boolean => element instanceof HTMLInputElement && (element.labels?.length ?? 0) > 0;
      return [...document.querySelectorAll("button, a[href], input, select, textarea")]
        .filter((element) => name(element) === "" && !labelled(element) && !(element instanceof HTMLSelectElement && element.labels.length > 0))
        .map((element) => element.outerHTML.slice(0, 120));
    });

  it("each control of each page has a name", async () => {
    const id = await server.match("football");
    for (const hash of ["#/", "#/ops", `#/match/${id}/desk`, `#/match/${id}/desk?generic=1`, `#/match/${id}/board`]) {
      const page = await one.page(hash);
      await page.waitForTimeout(800);
      expect([hash, await unnamed(page)]).toEqual([hash, []]);
      await page.close();
    }
  });

  it("nothing is wider than a phone", async () => {
    const id = await server.match("cricket");
    for (const hash of ["#/", "#/ops", `#/match/${id}/desk`, `#/match/${id}/board`]) {
      const page = await one.page(hash);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.waitForTimeout(600);
      expect([hash, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([hash, 360]);
      await page.close();
    }
  });

  it("an overlay is transparent and shows the score alone", async () => {
    const id = await server.match("football", "Lions", "Bears");
    await server.must("football", "fixture", id, "match.start", {});
    const page = await one.page(`?overlay=1#/match/${id}/board`);
    await page.getByTestId("overlay").waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgba(0, 0, 0, 0)");
    expect(await page.getByTestId("overlay").innerText()).toMatch(/LIO\s*0\s*BEA\s*0/);
  });
});

describe("what clients are typed from", () => {
  it("the committed schemas are those the server publishes", async () => {
    const committed = JSON.parse(await readFile(fileURLToPath(new URL("../../../schema/json/sports.snapshot.json", import.meta.url)), "utf8"));
    const now: Record<string, unknown> = {};
    for (const sport of readSports(await server.get("/sports"))) now[sport.code] = sport.commands.map(({ schema, ...rest }) => ({ ...rest, input: schema }));
    expect(now).toEqual(committed);
  });

  it("the client in docs/desk-protocol.md works as printed", async () => {
    const text = await readFile(fileURLToPath(new URL("../../../docs/desk-protocol.md", import.meta.url)), "utf8");
    const code = /```js\n([^]*?)```/.exec(text)![1]!;
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(30);
    const id = await server.match("football");
    const page = await one.page("icon.svg");
    await page.evaluate(`;${code}; window.follow = follow; window.send = send;`);
    const boards = await page.evaluate(async ([fixture, token]) => {
      const seen: string[] = [];
      const global = window as any;
      global.follow(fixture, token, (scoreboard: any, version: number) => seen.push(`${version}:${scoreboard?.score?.home ?? "-"}`));
      const wait = (n: number) => new Promise<void>((done) => { const timer = setInterval(() => seen.length >= n && (clearInterval(timer), done()), 20); });
      await wait(1);
      await global.send(fixture, "football", "match.start", {}, 0, token);
      const period = await global.send(fixture, "football", "football.period", { action: "start", period: "H1" }, 1, token);
      await global.send(fixture, "football", "football.goal", { side: "home", minute: 1, kind: "open_play" }, period.seq, token);
      await wait(4);
      return seen;
    }, [id, server.token] as const);
    expect(boards.map((one) => one.split(":")[0])).toEqual(["0", "1", "2", "3"]);
    expect(boards[3]).toBe("3:1");
  });
});

it("no page complained, and none asked a foreign host", () => {
  expect(one.complaints).toEqual([]);
});
