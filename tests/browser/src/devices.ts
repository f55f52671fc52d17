// What the tests of a file share where each opens devices of its own.
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Device, launch } from "./pages";
import { OmniumServer } from "./server";

/** A server and a browser for the file, told to `started`. What is returned opens devices; each is closed behind its test, in which its pages must have had nothing to complain of. */
export function devices(started: (server: OmniumServer) => void): (name: string, token?: string) => Promise<Device> {
  let server: OmniumServer | undefined;
  let browser: Browser | undefined;
  const open: Device[] = [];
  beforeAll(async () => {
    server = await OmniumServer.start();
    started(server);
    browser = await launch();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) {
      expect(one.complaints).toEqual([]);
      await one.close();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  return async (name, token) => {
    const made = await Device.open(browser!, server!, name, token);
    open.push(made);
    return made;
  };
}
