/** How long to wait before try number `attempt` (0 is the first retry): doubling, bounded, with jitter so that a
 * thousand screens do not come back in the same instant. Unit: milliseconds. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

export const socketBackoff: Backoff = { firstMs: 500, maxMs: 30_000 };
export const sendBackoff: Backoff = { firstMs: 200, maxMs: 30_000 };

export function backoffMs(attempt: number, backoff: Backoff, random: () => number = Math.random): number {
  const full = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full * (0.5 + random() * 0.5));
}
