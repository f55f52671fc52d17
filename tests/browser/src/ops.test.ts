// The operations page: what it shows, where it has it from, and what an operator does there.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device, launch, requests } from "./pages";
import { OmniumServer, sleep, until, type Prompt } from "./server";

let server: OmniumServer;
let browser: Browser;
let operator: Device;
const prompts: Prompt[] = [];

beforeAll(async () => {
  server = await OmniumServer.start();
  browser = await launch();
  operator = await Device.open(browser, server, "operator");
});
afterAll(async () => {
  for (const one of prompts) await one.end();
  await browser?.close();
  await server?.stop();
});

const reading = (page: Page): Promise<string> => page.getByTestId("reading").innerText();

describe("operations", () => {
  it("shows whether the server is ready and its figures, brought by the live socket: it asks for nothing more but the histograms' buckets", async () => {
    await server.match("football");
    const page = await operator.page("#/ops");
    await page.getByText("Ready", { exact: true }).waitFor();
    await until(async () => (await page.locator(".metrics tbody tr").count()) > 5, 10_000, "metrics are listed");
    await until(async () => (await reading(page)) === "live", 10_000, "the topic brings it");
    await until(async () => /p95 [\d.]+ (ms|µs|s)/.test(await page.locator(".metrics").innerText()), 10_000, "a histogram's quantiles");
    await page.getByText("the aim is under 30 ms").waitFor();
    const asked = requests(page);
    await sleep(4_000);
    expect(await reading(page)).toBe("live");
    expect(asked.filter((one) => !one.endsWith("/metrics"))).toEqual([]);
    await page.close();
  });

  it("tells the time of a command of the last minutes, as soon as there are two readings", async () => {
    const page = await operator.page("#/ops");
    const figure = page.locator(".figure").filter({ hasText: "Time of a command" });
    await figure.waitFor();
    expect(await figure.innerText()).toMatch(/since the start; the aim is under 30 ms/);
    await server.match("football");
    await until(async () => /\d (ms|µs|s)\n[^]*over the last \d+ s; the aim is under 30 ms/.test(await figure.innerText()), 20_000, "the last minutes");
    await page.close();
  });

  it("shows which rule is silenced, until when and by whom, and ends the silence", async () => {
    const prompt = server.prompt("omnium");
    prompts.push(prompt);
    prompt.say("INSERT INTO alert_signal (rule, key, count, detail, node) VALUES ('disk-low', 'host', 1, 'Nearly full.', 'host/1');");
    const page = await operator.page("#/ops");
    const alerts = page.getByRole("region", { name: "Alerts" });
    await alerts.getByText("Nearly full.").waitFor();
    expect(await alerts.innerText()).toMatch(/Once, open for \d+ s/);
    await alerts.getByRole("button", { name: "Silence 1 h" }).click();
    const silence = alerts.getByTestId("silence");
    await silence.waitFor();
    expect(await silence.innerText()).toMatch(/Silenced disk-low host, until \d\d:\d\d:\d\d \((59 min|1 h) more\), by first-/);
    expect(await alerts.innerText()).toMatch(/silenced until \d\d:\d\d/);
    expect(await alerts.getByRole("button", { name: "Silence 1 h" }).count()).toBe(0);
    await sleep(2_500); // pictures of the socket later it still stands
    await alerts.getByRole("button", { name: "End the silence of disk-low" }).click();
    await alerts.getByRole("button", { name: "Silence 1 h" }).waitFor();
    expect(await silence.count()).toBe(0);
    await page.close();
  });

  it("asks over HTTP where no socket opens", async () => {
    const device = await Device.open(browser, server, "operator-behind-a-proxy");
    const page = await device.page("icon.svg");
    await page.routeWebSocket(/live/, (socket) => socket.close());
    await page.goto(`${server.url}/#/ops`);
    await page.getByText("Ready", { exact: true }).waitFor();
    expect(await reading(page)).toBe("asked over HTTP");
    await until(async () => (await page.locator(".metrics tbody tr").count()) > 5, 10_000, "metrics are listed");
    await device.close();
  });

  it("ends the session that others wait for, after a second question", async () => {
    const id = await server.match("football");
    const holder = server.prompt("omnium");
    const waiter = server.prompt("omnium_app");
    prompts.push(holder, waiter);
    holder.say("SET application_name = 'forgotten prompt';");
    holder.say(`BEGIN; SELECT 'held' FROM fixture WHERE id = '${id}' FOR UPDATE;`);
    await until(() => holder.said.includes("held"), 10_000, "the row is held");
    waiter.say(`BEGIN; SELECT 'mine' FROM fixture WHERE id = '${id}' FOR NO KEY UPDATE;`);
    const page = await operator.page("#/ops");
    const locks = page.getByRole("region", { name: "Locks" });
    await locks.getByText("forgotten prompt").waitFor();
    expect(await locks.innerText()).toMatch(/psql \(\d+\) waits [\d.]+ s for forgotten prompt \(\d+\), idle in transaction, open for [\d.]+ s/);
    await locks.getByRole("button", { name: /End session/ }).click();
    const dialog = page.getByRole("dialog", { name: "End this session" });
    if (process.env["OMNIUM_TEST_SHOT"] !== undefined) await page.screenshot({ path: process.env["OMNIUM_TEST_SHOT"] });
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await sleep(500);
    expect(waiter.said).toBe("");
    await locks.getByRole("button", { name: /End session/ }).click();
    await dialog.getByRole("button", { name: "End the session" }).click();
    await locks.getByText(/Session \d+ was ended\./).waitFor();
    await until(() => waiter.said.includes("mine"), 10_000, "the one that waited goes on");
    await until(async () => !(await locks.innerText()).includes("forgotten prompt"), 10_000, "nobody waits any more");
    await page.close();
  });

  it("a scorer sees no button and no session, and is told which role does", async () => {
    const device = await Device.open(browser, server, "scorer", await server.newToken("desk-z"));
    const page = await device.page("#/ops");
    await page.getByText("Ready", { exact: true }).waitFor();
    await page.getByText("Seeing them needs a token of the role operator or higher; this one is scorer.").waitFor();
    expect(await page.getByRole("region", { name: "Locks" }).count()).toBe(0);
    expect(await page.getByRole("region", { name: "Supervision tree" }).count()).toBe(0);
    await device.close();
  });

  it("no page complained, and none asked a foreign host", () => {
    expect(operator.complaints).toEqual([]);
  });
});
