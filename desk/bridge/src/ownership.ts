import { makeId } from "./ids.js";
import type { OutboxStore } from "./outbox_store.js";

/** Which tab owns the queue: one at a time, the next one at once when it goes.
 *
 * Web Locks where the page has them (any secure page), else a lease in the outbox's own database. */
export interface Ownership {
  stop(): void;
}

const leaseMs = 5_000;
const renewMs = 1_000;

export function ownQueue(name: string, store: OutboxStore, onOwner: (owner: boolean) => void, locks: LockManager | undefined): Ownership {
  return locks === undefined ? byLease(store, onOwner) : byLock(name, onOwner, locks);
}

function byLock(name: string, onOwner: (owner: boolean) => void, locks: LockManager): Ownership {
  const abort = new AbortController();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks
    .request(`${name}/queue`, { signal: abort.signal }, async () => {
      onOwner(true);
      await held;
      onOwner(false);
    })
    .catch(() => undefined); // aborted while it waited for its turn
  return {
    stop: () => {
      abort.abort();
      release();
    },
  };
}

function byLease(store: OutboxStore, onOwner: (owner: boolean) => void): Ownership {
  const holder = makeId();
  let owner = false;
  let stopped = false;
  const turn = async (): Promise<void> => {
    const now = Date.now();
    const mine = !stopped && (await store.lease(holder, now, now + leaseMs).catch(() => false));
    if (stopped || mine === owner) return;
    owner = mine;
    onOwner(owner);
  };
  const timer = setInterval(() => void turn(), renewMs);
  void turn();
  return {
    stop: () => {
      stopped = true;
      clearInterval(timer);
      if (owner) void store.lease(holder, Date.now(), 0).catch(() => undefined);
      onOwner(false);
    },
  };
}
