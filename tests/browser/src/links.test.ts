// What breaks in between: the network, the page, the server, the token.
import { makeId } from "@omnium/bridge";
import { describe, expect, it } from "vitest";
import { devices } from "./devices";
import { Desk, type Device, live } from "./pages";
import { type OmniumServer, sleep, until } from "./server";

let server: OmniumServer;
const device = devices((made) => (server = made));

describe("the network", () => {
  it("six changes keyed offline are six log rows in order once it is back, none twice (V1)", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await one.context.setOffline(true);
    await desk.sees(async () => /Offline/.test(await desk.text("link-state")), "the link is said to be down");
    for (const side of ["h", "a", "a", "h", "h", "a"]) {
      await desk.keys("g", side);
      await desk.page.waitForTimeout(200);
    }
    await desk.sees(async () => (await desk.text("waiting")) === "6 waiting", "six wait");
    expect(await server.goals(id)).toEqual([]);
    await one.context.setOffline(false);
    await desk.allSaved();
    expect(await server.goals(id)).toEqual(["home", "away", "away", "home", "home", "away"]);
    const keys = (await server.timeline(id)).map((item) => item.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("a reload with three waiting sends all three (F1)", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    // The page itself can be had again, commands cannot: as when the server's road is down.
    await one.context.route("**/commands", (route) => route.abort());
    await desk.page.routeWebSocket(/live/, (socket) => socket.close());
    await one.context.setOffline(true);
    await desk.keys("g", "h");
    await desk.page.waitForTimeout(200);
    await desk.keys("g", "a");
    await desk.page.waitForTimeout(200);
    await desk.keys("g", "h");
    await desk.sees(async () => (await desk.text("waiting")) === "3 waiting", "three wait");
    await desk.page.close();
    await one.context.unroute("**/commands");
    await one.context.setOffline(false);
    const again = await one.desk(id);
    await again.allSaved();
    expect(await server.goals(id)).toEqual(["home", "away", "home"]);
  });

  it("a reload without any network shows the page and the three that wait, and sends them when it is back", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await desk.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await until(() => desk.page.evaluate(async () => ((await (await caches.open("omnium-desk")).keys()).length >= 4)), 10_000, "the desk's files are kept");
    await one.context.setOffline(true);
    for (const side of ["h", "a", "a"]) await desk.keys("g", side);
    await desk.sees(async () => (await desk.text("waiting")) === "3 waiting", "three wait");
    await desk.page.reload();
    await until(async () => (await desk.page.getByTestId("waiting").textContent()) === "3 waiting", 15_000, "they wait after the reload");
    await one.context.setOffline(false);
    await desk.allSaved();
    expect(await server.goals(id)).toEqual(["home", "away", "away"]);
  });

  it("a sport whose commands cannot be read has no keys yet, and gets them by itself", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    let asked = 0;
    await one.context.route("**/sports", (route) => ((asked += 1) < 3 ? route.abort() : route.continue()));
    const page = await one.page(`#/match/${id}/desk`);
    await page.getByText("Reading the sport's commands…").waitFor();
    expect(await page.getByTestId("pad").count()).toBe(0);
    await page.getByTestId("pad").waitFor();
  });

  it("a screen that slept through changes catches up without a hole", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await one.context.setOffline(true);
    for (let i = 0; i < 5; i += 1) await server.must("football", "fixture", id, "football.goal", { side: "away", minute: i + 1, kind: "open_play" });
    await one.context.setOffline(false);
    await desk.sees(async () => (await desk.totals()) === "0–5", "all five");
    expect(await desk.rows()).toBe(7);
  });
});

describe("where no socket opens", () => {
  async function socketless(name: string, token?: string): Promise<Device> {
    const made = await device(name, token);
    await made.context.routeWebSocket(/live/, (socket) => socket.close());
    return made;
  }
  const reading = /No live link, reading every few seconds/;

  it("a match that does not exist is said not to, on the desk and on the board", async () => {
    const one = await socketless("desk-a");
    for (const what of ["desk", "board"]) {
      const page = await one.page(`#/match/0190a0a0-0000-7000-8000-0000000000ff/${what}`);
      await page.getByText("There is no such match").waitFor();
    }
  });

  it("what is keyed before the screen shows a take-over is kept back, and goes by hand", async () => {
    const id = await server.kickedOff();
    const one = await socketless("desk-a");
    const page = await one.page(`#/match/${id}/desk`);
    await page.getByTestId("desk").waitFor();
    const desk = new Desk(page);
    await desk.sees(async () => reading.test(await desk.text("link-state")), "it is read over HTTP");
    await server.must("football", "fixture", id, "match.note", { text: "Take-over: desk-other scores this match now." });
    await desk.keys("g", "h");
    await desk.page.getByTestId("conflict").waitFor();
    expect(await desk.text("conflict")).toMatch(/desk-other took this match over/);
    expect(await server.goals(id)).toEqual([]);
    await desk.sees(() => desk.page.getByTestId("conflict").locator("button").first().isEnabled(), "it can be decided");
    await desk.keys("m");
    await desk.allSaved();
    expect(await server.goals(id)).toEqual(["home"]);
  });

  it("a new match comes to the list by itself", async () => {
    const { competition } = await server.get<{ competition: string }>(`/fixtures/${await server.kickedOff()}`);
    const one = await socketless("desk-a");
    const page = await one.page("#/");
    await page.locator("[data-testid=match]").first().waitFor();
    await page.getByText(reading).waitFor();
    await sleep(4_500); // every competition was looked at once
    const id = makeId();
    await server.must("games", "competition", competition, "games.create_fixture", { id, sport: "football", home: { name: "Wolves" }, away: { name: "Bears" } });
    await page.locator(`[data-testid=match][data-id="${id}"]`).waitFor({ timeout: 12_000 });
  });

  it("a wrong token is said so and a right one taken", async () => {
    const id = await server.kickedOff();
    const one = await socketless("desk-a", "omn_wrong");
    const page = await one.page(`#/match/${id}/desk`);
    const field = page.getByLabel("Token");
    await field.waitFor({ timeout: 15_000 });
    await field.fill(server.token);
    await sleep(5_000); // sockets that close meanwhile do not take the field away
    expect(await field.inputValue()).toBe(server.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByTestId("desk").waitFor();
    expect(await page.locator("form.signin").count()).toBe(0);
  });
});

describe("the clock", () => {
  it("of a device that goes five seconds fast is mentioned, and the age of the last accepted entry is right (U1, U7)", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    await one.context.addInitScript(() => {
      const real = Date.now.bind(Date);
      const Real = Date;
      Date.now = () => real() + 5_000;
      globalThis.Date = new Proxy(Real, { construct: (made, args) => (args.length === 0 ? new made(Date.now()) : Reflect.construct(made, args)) });
    });
    const desk = await one.desk(id);
    const began = Date.now();
    await desk.keys("g", "h");
    await desk.allSaved();
    const saved = Date.now();
    await desk.page.getByText("This device's clock is 5 s fast").waitFor();
    await desk.sees(async () => /^Last accepted [4-9] s ago$/.test(await desk.text("last-accepted")), "the age goes on");
    const shown = Number(/(\d+) s ago/.exec(await desk.text("last-accepted"))![1]);
    expect(shown * 1000).toBeGreaterThan(Date.now() - saved - 2_000); // shown in whole seconds, renewed every second
    expect(shown * 1000).toBeLessThan(Date.now() - began + 1_000);
    const right = await device("desk-b");
    const other = await right.desk(id);
    await other.keys("g", "a");
    await other.allSaved();
    expect(await other.page.getByText("This device's clock").count()).toBe(0);
  });
});

describe("the token", () => {
  it("leaves the address bar at once; a wrong one is said so, nothing keyed is lost, and a right one lets it go", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const first = await server.newToken("anna");
    const page = await one.page(`?token=${first}#/match/${id}/desk`);
    await page.getByTestId("desk").waitFor();
    await live(page);
    expect(page.url()).not.toContain("token");
    expect(page.url()).not.toContain("omn_");
    const desk = new Desk(page);
    await desk.keys("g", "h");
    await desk.allSaved();
    expect((await server.timeline(id)).pop()!.sender).toBe("anna"); // a scorer's commands carry its own name
    const asked = Date.now();
    await server.revoke("anna");
    await until(async () => (await desk.text("link-state")) === "Not signed in", 20_000, "it is said that nobody is signed in");
    expect(Date.now() - asked).toBeLessThan(5_000);
    await desk.keys("g", "h");
    await until(async () => /1 waiting/.test(await desk.text("waiting")), 10_000, "the goal is kept");
    expect(await server.goals(id)).toEqual(["home"]);
    const form = page.locator("form.signin");
    expect(await form.innerText()).toContain("The server does not know this token");
    await page.getByLabel("Token").fill("omn_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await until(async () => (await desk.text("link-state")) === "Not signed in", 20_000, "a wrong one is no better");
    await page.getByLabel("Token").fill(await server.newToken("berta"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await live(page);
    await desk.allSaved();
    expect(await server.goals(id)).toEqual(["home", "home"]);
    expect(await form.count()).toBe(0);
  });

  it("given anew in one tab is taken up by the tab that sends", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a", await server.newToken("carla"));
    const sends = await one.desk(id);
    const other = await one.desk(id);
    await server.revoke("carla");
    for (const tab of [sends, other]) await until(async () => (await tab.text("link-state")) === "Not signed in", 20_000, "signed out");
    await other.keys("g", "h");
    await other.page.getByLabel("Token").fill(await server.newToken("dora"));
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.allSaved();
    expect(await server.goals(id)).toEqual(["home"]);
    expect(await sends.text("link-state")).toBe("Live");
  });

  it("a stranger's page says in words that it needs a token, and takes one", async () => {
    const one = await device("desk-s", "");
    const page = await one.page("#/");
    await page.getByText("Not signed in.").waitFor();
    expect(await page.locator("form.signin").innerText()).toContain("needs a token");
    await page.getByLabel("Token").fill(server.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await live(page);
  });

  it("a viewer sees the match and is told in words that it may not score", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-v", await server.newToken("vera", "viewer"));
    const desk = await one.desk(id);
    await desk.keys("g", "h");
    await desk.page.getByText(/needs a token of the role scorer/).first().waitFor();
    expect(await server.goals(id)).toEqual([]);
  });
});

describe("the server", () => {
  it("killed and started again while scoring: nothing is lost, nothing is doubled", async () => {
    const id = await server.kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    const keyed: string[] = [];
    const score = async (side: "h" | "a"): Promise<void> => {
      await desk.keys("g", side);
      keyed.push(side === "h" ? "home" : "away");
      await desk.page.waitForTimeout(180);
    };
    for (const side of ["h", "a"] as const) await score(side);
    const killed = server.kill9();
    for (const side of ["a", "a", "h"] as const) await score(side);
    await killed;
    await server.run();
    await live(desk.page);
    for (const side of ["h", "a"] as const) await score(side);
    await desk.allSaved(40_000);
    expect(await server.goals(id)).toEqual(keyed);
    expect((await server.timeline(id)).map((item) => item.seq)).toEqual(Array.from({ length: keyed.length + 2 }, (_, i) => i + 1));
  }, 120_000);
});
