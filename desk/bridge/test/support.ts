import "fake-indexeddb/auto";
import { webcrypto } from "node:crypto";
import { WebSocket } from "ws";
import { OmniumClient, Outbox, type ClientOptions, type OutboxOptions, type SocketLike } from "../src/index.js";
import { MockServer } from "./mock/server.js";

// Node 18 has no global of it; every browser does.
globalThis.crypto ??= webcrypto as unknown as Crypto;

export const match = "0190a0a0-0000-7000-8000-00000000000a";

export async function server(): Promise<MockServer> {
  const mock = new MockServer();
  await mock.start();
  mock.addFixture(match);
  return mock;
}

export function client(mock: MockServer, options: ClientOptions = {}): OmniumClient {
  const made = new OmniumClient({
    url: mock.url,
    backoff: { firstMs: 10, maxMs: 100 },
    openSocket: (url, protocol) => new WebSocket(url, protocol) as unknown as SocketLike,
    ...options,
  });
  made.start();
  return made;
}

let names = 0;
export async function outbox(sender: OmniumClient, options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  const made = new Outbox(sender, { sender: "desk-1", name: `outbox-${++names}`, backoff: { firstMs: 5, maxMs: 20 }, locks: new Locks() as unknown as LockManager, ...options });
  await made.start();
  return made;
}

export async function until(what: () => boolean, ms = 5_000): Promise<void> {
  const end = Date.now() + ms;
  while (!what()) {
    if (Date.now() > end) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 2));
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Web Locks as browsers have them, as far as one exclusive lock goes. */
export class Locks {
  #queues = new Map<string, Promise<unknown>>();

  request(name: string, options: { signal?: AbortSignal }, run: () => Promise<unknown>): Promise<unknown> {
    const before = this.#queues.get(name) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => {
      if (options.signal?.aborted) throw new Error("aborted");
      return run();
    });
    this.#queues.set(name, turn.catch(() => undefined));
    return turn;
  }
}
