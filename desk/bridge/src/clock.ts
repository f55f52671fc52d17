/** The server's clock as this device can know it, without a time frame in the protocol.
 *
 * Offset = server minus device. A stamp the server made before a message arrived here is not in the future, so
 * offset >= stamp - arrival. The stamp the server put on a command of ours is not from before we sent it, so
 * offset <= stamp - sent.
 * The tightest bounds seen are kept; the middle of them is the estimate. Both drift apart slowly, so that a device whose
 * clock was set anew is followed. Unit: milliseconds. */
const driftPerMs = 1 / 10_000;
/** Commands of ours whose first sending is remembered until their item comes back. */
const sentMax = 64;

interface Bound {
  value: number;
  at: number;
}

export class ServerClock {
  #lower: Bound | null = null;
  #upper: Bound | null = null;
  #sent = new Map<string, number>();
  #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A command of ours is about to be sent. A retry does not move its time. */
  sending(key: string): void {
    if (!this.#sent.has(key)) this.#sent.set(key, this.#now());
    for (const old of this.#sent.keys()) {
      if (this.#sent.size <= sentMax) break;
      this.#sent.delete(old);
    }
  }

  /** A log row has just arrived, fresh from the server. */
  item(item: { key: string; at: string }): void {
    const stamp = Date.parse(item.at);
    if (Number.isNaN(stamp)) return;
    this.heard(stamp);
    const sent = this.#sent.get(item.key);
    if (sent !== undefined) this.stamped(sent, stamp);
  }

  /** A message that the server stamped with `stamp` has just arrived. */
  heard(stamp: number): void {
    const at = this.#now();
    const value = stamp - at;
    if (this.#lower === null || value >= this.#aged(this.#lower, -1)) this.#lower = { value, at };
    this.#settle();
  }

  /** A message of ours, sent at device time `sent`, was stamped `stamp` by the server. */
  stamped(sent: number, stamp: number): void {
    const value = stamp - sent;
    if (this.#upper === null || value <= this.#aged(this.#upper, 1)) this.#upper = { value, at: this.#now() };
    this.#settle();
  }

  /** Server minus device, in milliseconds; 0 before anything is known. */
  get offsetMs(): number {
    if (this.#lower !== null && this.#upper !== null) return (this.#lower.value + this.#upper.value) / 2;
    return this.#lower?.value ?? this.#upper?.value ?? 0;
  }

  /** Half the width of what is still possible; null while one side is unknown. */
  get uncertaintyMs(): number | null {
    if (this.#lower === null || this.#upper === null) return null;
    return Math.abs(this.#upper.value - this.#lower.value) / 2;
  }

  serverNow(): number {
    return this.#now() + this.offsetMs;
  }

  #aged(bound: Bound, direction: 1 | -1): number {
    return bound.value + direction * (this.#now() - bound.at) * driftPerMs;
  }

  // The device's clock was set when the bounds contradict each other by more than rounding: only the newer one is kept.
  #settle(): void {
    if (this.#lower === null || this.#upper === null) return;
    if (this.#lower.value <= this.#upper.value + 2) return;
    if (this.#lower.at >= this.#upper.at) this.#upper = null;
    else this.#lower = null;
  }
}
