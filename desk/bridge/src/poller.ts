import type { Snapshot } from "./generated/wire.js";
import { ReadError, type Http } from "./http.js";

/** Where a network lets HTTP through but no socket: what is watched is read now and then, only while the page is shown.
 * Milliseconds; the second is the jitter on top. */
const everyMs = 3_000;
const jitterMs = 1_000;

export interface Polled {
  topic: string;
  version: number | null;
}

/** Reads watched topics over HTTP while there is no live link. Off as soon as there is one. */
export class Poller {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #on = false;

  constructor(
    private readonly http: Http,
    private readonly watched: () => Polled[],
    private readonly found: (snapshot: Snapshot) => void,
    /** Did the last round reach the server? */
    private readonly reached: (yes: boolean) => void,
    /** The server was reached, and refused the read. */
    private readonly refused: (topic: string, error: ReadError) => void,
    private readonly intervalMs = everyMs,
  ) {}

  start(): void {
    if (this.#on) return;
    this.#on = true;
    this.#next();
  }

  stop(): void {
    this.#on = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Something has just changed: the next round is now. */
  nudge(): void {
    if (!this.#on || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    void this.#round();
  }

  #next(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#round();
    }, this.intervalMs + Math.random() * Math.min(jitterMs, this.intervalMs));
  }

  async #round(): Promise<void> {
    if (globalThis.document?.visibilityState !== "hidden") {
      for (const one of this.watched()) if (!(await this.#read(one))) break;
    }
    if (this.#on) this.#next();
  }

  // False: the server was not reached, and need not be asked for the rest.
  async #read({ topic, version }: Polled): Promise<boolean> {
    const [kind, ref] = topic.split("/");
    if (kind !== "fixture" && kind !== "competition") return true;
    try {
      const body = await this.http.getNewer<{ version: number }>(`/${kind}s/${ref}`, version);
      if (!this.#on) return false;
      this.reached(true);
      if (body !== null && body.version !== version) this.found({ t: "snapshot", topic, version: body.version, data: body });
      return true;
    } catch (error) {
      if (!this.#on) return false;
      if (!(error instanceof ReadError)) {
        this.reached(false);
        return false;
      }
      this.refused(topic, error);
      return error.status === 403 || error.status === 404; // of this topic; else the others would fare no better
    }
  }
}
