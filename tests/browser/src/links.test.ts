// What breaks in between: the network, the page, the tab, the server, the token; and two people at one match.
import { makeId } from "@omnium/bridge";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Desk, Device, launch, live } from "./pages";
import { OmniumServer, sleep, until } from "./server";

let server: OmniumServer;
let browser: Browser;
const devices: Device[] = [];

const device = async (name: string): Promise<Device> => {
  const made = await Device.open(browser, server, name);
  devices.push(made);
  return made;
};

beforeAll(async () => {
  server = await OmniumServer.start();
  browser = await launch();
});
afterEach(async () => {
  for (const one of devices.splice(0)) {
    expect(one.complaints).toEqual([]);
    await one.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function kickedOff(): Promise<string> {
  const id = await server.match("football");
  await server.must("football", "fixture", id, "match.start", {});
  await server.must("football", "fixture", id, "football.period", { action: "start", period: "H1" });
  return id;
}

const goals = async (id: string): Promise<string[]> => (await server.timeline(id)).filter((item) => item.code === "football.goal").map((item) => String(item.input["side"]));

describe("the network", () => {
  it("six changes keyed offline are six log rows in order once it is back, none twice (V1)", async () => {
    const id = await kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await one.context.setOffline(true);
    await desk.sees(async () => /Offline/.test(await desk.text("link-state")), "the link is said to be down");
    for (const side of ["h", "a", "a", "h", "h", "a"]) {
      await desk.keys("g", side);
      await desk.page.waitForTimeout(200);
    }
    await desk.sees(async () => (await desk.text("waiting")) === "6 waiting", "six wait");
    expect(await goals(id)).toEqual([]);
    await one.context.setOffline(false);
    await desk.allSaved();
    expect(await goals(id)).toEqual(["home", "away", "away", "home", "home", "away"]);
    const keys = (await server.timeline(id)).map((item) => item.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("a reload with three waiting sends all three (F1)", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["home", "away", "home"]);
  });

  it("a reload without any network shows the page and the three that wait, and sends them when it is back", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["home", "away", "away"]);
  });

  it("a sport whose commands cannot be read has no keys yet, and gets them by itself", async () => {
    const id = await kickedOff();
    const one = await device("desk-a");
    let asked = 0;
    await one.context.route("**/sports", (route) => ((asked += 1) < 3 ? route.abort() : route.continue()));
    const page = await one.page(`#/match/${id}/desk`);
    await page.getByText("Reading the sport's commands…").waitFor();
    expect(await page.getByTestId("pad").count()).toBe(0);
    await page.getByTestId("pad").waitFor();
  });

  it("a screen that slept through changes catches up without a hole", async () => {
    const id = await kickedOff();
    const one = await device("desk-a");
    const desk = await one.desk(id);
    await one.context.setOffline(true);
    for (let i = 0; i < 5; i += 1) await server.must("football", "fixture", id, "football.goal", { side: "away", minute: i + 1, kind: "open_play" });
    await one.context.setOffline(false);
    await desk.sees(async () => (await desk.totals()) === "0–5", "all five");
    expect(await desk.rows()).toBe(7);
  });
});

describe("two desks", () => {
  async function conflict(): Promise<{ id: string; desk: Desk }> {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["away"]);
    await decidable(desk);
    await desk.keys("m");
    await desk.allSaved();
    expect(await goals(id)).toEqual(["away", "home"]);
  });

  it("T keeps theirs and drops mine", async () => {
    const { id, desk } = await conflict();
    await decidable(desk);
    await desk.keys("t");
    await desk.allSaved();
    expect(await desk.text("last-keyed")).toMatch(/^Taken back/);
    await sleep(200);
    expect(await goals(id)).toEqual(["away"]);
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
    expect(await goals(id)).toEqual(["away"]);
    await desk.keys("m");
    await desk.allSaved();
    expect(await server.codes(id)).toEqual(["match.start", "football.period", "football.goal", "football.goal"]);
  });

  it("see each other, and one takes over: the other's keys are off until it takes the match back", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["home"]);
    expect(await first.page.getByLabel("Write a note").isDisabled()).toBe(true);
    await first.page.getByRole("button", { name: "Take it back" }).click();
    await until(async () => (await first.page.getByTestId("pad").getAttribute("aria-disabled")) === "false", 10_000, "keys are on again");
    await first.keys("g", "a");
    await first.allSaved();
    expect(await goals(id)).toEqual(["home", "away"]);
  });

  it("what one keyed offline is kept and shown when the other took over meanwhile, and goes or is dropped by hand", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["home", "away"]);
    await decidable(first);
    await first.keys("m");
    await until(async () => (await goals(id)).length === 3, 10_000, "it is saved");
    await first.sees(async () => (await first.text("waiting")) === "2 waiting, 2 to decide", "the others are still kept");
    await decidable(first);
    await first.keys("t");
    await first.sees(async () => (await first.text("waiting")) === "1 waiting, 1 to decide", "the second one is dropped");
    await decidable(first);
    await first.keys("m"); // a corner conflicts with nothing
    await first.allSaved();
    expect(await goals(id)).toEqual(["home", "away", "home"]);
    expect(await server.codes(id)).toEqual([...theirs, "football.goal", "football.corner"]);
  });

  it("a match that is taken back goes on at once, with what was kept still to be decided", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual([]);
    await decidable(first);
    await first.keys("m");
    await first.allSaved();
    expect(await goals(id)).toEqual(["home"]);
  });

  it("an editor's name and a goal do not block each other; two names of one side conflict", async () => {
    const id = await kickedOff();
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

describe("where no socket opens", () => {
  async function socketless(name: string, token?: string): Promise<Device> {
    const made = await Device.open(browser, server, name, token);
    devices.push(made);
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
    const id = await kickedOff();
    const one = await socketless("desk-a");
    const page = await one.page(`#/match/${id}/desk`);
    await page.getByTestId("desk").waitFor();
    const desk = new Desk(page);
    await desk.sees(async () => reading.test(await desk.text("link-state")), "it is read over HTTP");
    await server.must("football", "fixture", id, "match.note", { text: "Take-over: desk-other scores this match now." });
    await desk.keys("g", "h");
    await desk.page.getByTestId("conflict").waitFor();
    expect(await desk.text("conflict")).toMatch(/desk-other took this match over/);
    expect(await goals(id)).toEqual([]);
    await desk.sees(() => desk.page.getByTestId("conflict").locator("button").first().isEnabled(), "it can be decided");
    await desk.keys("m");
    await desk.allSaved();
    expect(await goals(id)).toEqual(["home"]);
  });

  it("a new match comes to the list by itself", async () => {
    const { competition } = await server.get<{ competition: string }>(`/fixtures/${await kickedOff()}`);
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
    const id = await kickedOff();
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

describe("two tabs of one device", () => {
  it("share one queue: what both key is saved once each, in order", async () => {
    const id = await kickedOff();
    const one = await device("desk-a");
    const first = await one.desk(id);
    const second = await one.desk(id);
    await second.keys("g", "a");
    await second.allSaved();
    await first.page.bringToFront();
    await first.sees(async () => (await first.totals()) === "0–1", "the first tab shows it");
    await first.keys("g", "h");
    await first.allSaved();
    expect(await goals(id)).toEqual(["away", "home"]);
    await first.page.close(); // the tab that owned the queue
    await second.page.bringToFront();
    await second.sees(async () => (await second.totals()) === "1–1", "the second tab is up to date");
    await second.keys("g", "a");
    await second.allSaved();
    expect(await goals(id)).toEqual(["away", "home", "away"]);
  });
});

describe("the clock", () => {
  it("of a device that goes five seconds fast is mentioned, and the age of the last accepted entry is right (U1, U7)", async () => {
    const id = await kickedOff();
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
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(["home"]);
    const form = page.locator("form.signin");
    expect(await form.innerText()).toContain("The server does not know this token");
    await page.getByLabel("Token").fill("omn_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await until(async () => (await desk.text("link-state")) === "Not signed in", 20_000, "a wrong one is no better");
    await page.getByLabel("Token").fill(await server.newToken("berta"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await live(page);
    await desk.allSaved();
    expect(await goals(id)).toEqual(["home", "home"]);
    expect(await form.count()).toBe(0);
  });

  it("given anew in one tab is taken up by the tab that sends", async () => {
    const id = await kickedOff();
    const one = await Device.open(browser, server, "desk-a", await server.newToken("carla"));
    devices.push(one);
    const sends = await one.desk(id);
    const other = await one.desk(id);
    await server.revoke("carla");
    for (const tab of [sends, other]) await until(async () => (await tab.text("link-state")) === "Not signed in", 20_000, "signed out");
    await other.keys("g", "h");
    await other.page.getByLabel("Token").fill(await server.newToken("dora"));
    await other.page.getByRole("button", { name: "Sign in" }).click();
    await other.allSaved();
    expect(await goals(id)).toEqual(["home"]);
    expect(await sends.text("link-state")).toBe("Live");
  });

  it("a stranger's page says in words that it needs a token, and takes one", async () => {
    const one = await Device.open(browser, server, "desk-s", "");
    devices.push(one);
    const page = await one.page("#/");
    await page.getByText("Not signed in.").waitFor();
    expect(await page.locator("form.signin").innerText()).toContain("needs a token");
    await page.getByLabel("Token").fill(server.token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await live(page);
  });

  it("a viewer sees the match and is told in words that it may not score", async () => {
    const id = await kickedOff();
    const one = await Device.open(browser, server, "desk-v", await server.newToken("vera", "viewer"));
    devices.push(one);
    const desk = await one.desk(id);
    await desk.keys("g", "h");
    await desk.page.getByText(/needs a token of the role scorer/).first().waitFor();
    expect(await goals(id)).toEqual([]);
  });
});

describe("the server", () => {
  it("killed and started again while scoring: nothing is lost, nothing is doubled", async () => {
    const id = await kickedOff();
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
    expect(await goals(id)).toEqual(keyed);
    expect((await server.timeline(id)).map((item) => item.seq)).toEqual(Array.from({ length: keyed.length + 2 }, (_, i) => i + 1));
  }, 120_000);
});
