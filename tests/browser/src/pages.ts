// Chromium, and the desk's pages as a person sees them.
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { existsSync } from "node:fs";
import { until, type OmniumServer } from "./server";

const flags = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

function chromiumPath(): string {
  const places = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].filter((one): one is string => one !== undefined);
  const found = places.find((one) => existsSync(one));
  if (found === undefined) throw new Error(`No chromium (looked for ${places.join(", ")}).`);
  return found;
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

/** One device: its own storage, as another person's machine has. Collects what must not happen on any page. */
export class Device {
  readonly complaints: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly server: OmniumServer,
  ) {}

  /** Signed in with the server's first token, as a device that was here before; "" leaves it a stranger. */
  static async open(browser: Browser, server: OmniumServer, name: string, token = server.token): Promise<Device> {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
    if (token !== "") await context.addInitScript((kept) => localStorage.getItem("omnium.token") ?? localStorage.setItem("omnium.token", kept), token);
    await context.addInitScript((desk) => localStorage.getItem("omnium.desk") ?? localStorage.setItem("omnium.desk", desk), name);
    return new Device(context, server);
  }

  async page(hash: string): Promise<Page> {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() !== "error") return;
      // Broken links are what several tests are about.
      if (/net::ERR_|WebSocket connection|Failed to load resource/.test(text)) return;
      this.complaints.push(text);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.server.url)) this.complaints.push(`foreign request: ${request.url()}`);
    });
    await page.goto(`${this.server.url}/${hash}`);
    return page;
  }

  async desk(id: string, more = ""): Promise<Desk> {
    const page = await this.page(`#/match/${id}/desk${more}`);
    await page.getByTestId("desk").waitFor();
    await live(page);
    return new Desk(page);
  }

  async board(id: string): Promise<Page> {
    const page = await this.page(`#/match/${id}/board`);
    await page.getByTestId("board").waitFor();
    return page;
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

export async function live(page: Page): Promise<void> {
  await until(async () => (await page.getByTestId("link-state").textContent()) === "Live", 20_000, "the link is live");
}

/** Addresses a page asks for from now on. */
export function requests(page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request) => seen.push(request.url()));
  return seen;
}

export class Desk {
  readonly #pressed = new Map<string, number>();

  constructor(readonly page: Page) {}

  /** Presses keys one after the other, as fast as a practised hand: the same key twice takes it 170 ms. */
  async keys(...keys: string[]): Promise<void> {
    for (const key of keys) {
      const since = Date.now() - (this.#pressed.get(key) ?? 0);
      if (since < 170) await this.page.waitForTimeout(170 - since);
      this.#pressed.set(key, Date.now());
      await this.page.keyboard.press(key);
      await this.page.waitForTimeout(30);
    }
  }

  /** Answers a question for a name, and goes on when the keys take presses again. */
  async name(text: string): Promise<void> {
    const input = this.page.locator(".player.asking input, .step input");
    await input.fill(text);
    await input.press("Enter");
    await until(() => this.page.evaluate(() => (document.querySelector<HTMLInputElement>(".player.asking input, .step input")?.value ?? "") === ""), 10_000, "the name was taken");
  }

  text(id: string): Promise<string> {
    return this.page.getByTestId(id).innerText();
  }

  /** Home and away totals over the keys. */
  async totals(): Promise<string> {
    return `${await this.text("total-home")}–${await this.text("total-away")}`;
  }

  sees(what: () => Promise<boolean>, say: string, ms = 15_000): Promise<boolean> {
    return until(what, ms, say);
  }

  async allSaved(ms = 20_000): Promise<void> {
    await until(async () => (await this.text("waiting")) === "None waiting", ms, "nothing waits any more");
  }

  rows(): Promise<number> {
    return this.page.getByTestId("log-row").count();
  }
}
