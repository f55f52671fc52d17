import type { ChangeFrame, ClientFrame, Snapshot } from "./generated/wire.js";
import type { PlainReason } from "./reason.js";

export interface TopicHandler {
  /** The topic from scratch: everything known before is replaced. */
  snapshot?: (snapshot: Snapshot) => void;
  /** The next change. Handed out in version order, each once, without holes. */
  change?: (change: ChangeFrame) => void;
  /** A hole was noticed and is being repaired (true), or is repaired (false). */
  gap?: (open: boolean) => void;
  failed?: (reason: PlainReason) => void;
}

export interface Watching {
  readonly topic: string;
  readonly version: number | null;
  close(): void;
}

interface Topic {
  name: string;
  version: number | null;
  /** The last snapshot, for a watcher that comes later. */
  last: Snapshot | null;
  /** Changes since `last`, for the same purpose. */
  since: ChangeFrame[];
  /** The question under way; a beat that passes it unanswered twice asks again. */
  asking: { id: string; beats: number } | null;
  gap: boolean;
  /** Beats in a row that named an older version than ours: a database was put back. */
  behind: number;
  handlers: Set<TopicHandler>;
}

/** Changes kept for late watchers of one topic; beyond it the topic is asked for anew instead. */
const sinceMax = 500;

/** What this page watches, and the version it holds of each. Owns no socket: it writes frames and is fed with them. */
export class Topics {
  #topics = new Map<string, Topic>();
  #live = false;

  constructor(
    private readonly write: (frame: ClientFrame) => void,
    private readonly nextId: () => string,
  ) {}

  watch(name: string, handler: TopicHandler): Watching {
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      topic = { name, version: null, last: null, since: [], asking: null, gap: false, behind: 0, handlers: new Set([handler]) };
      this.#topics.set(name, topic);
      this.#ask(topic);
    } else {
      topic.handlers.add(handler);
      this.#catchUp(topic, handler);
    }
    const found = topic;
    return {
      topic: name,
      get version() {
        return found.version;
      },
      close: () => this.#leave(found, handler),
    };
  }

  welcomed(): void {
    this.#live = true;
    for (const topic of this.#topics.values()) this.#ask(topic);
  }

  /** What is held is of another database: everything is asked for from the start. */
  forget(): void {
    for (const topic of this.#topics.values()) topic.version = null;
  }

  lost(): void {
    this.#live = false;
    for (const topic of this.#topics.values()) topic.asking = null;
  }

  snapshot(frame: Snapshot): void {
    const topic = this.#topics.get(frame.topic);
    if (topic === undefined) return;
    topic.version = frame.version;
    topic.last = frame;
    topic.since = [];
    topic.behind = 0;
    this.#answered(topic);
    each(topic, (handler) => handler.snapshot?.(frame));
  }

  change(frame: ChangeFrame): void {
    const topic = this.#topics.get(frame.topic);
    if (topic === undefined || topic.version === null || frame.version <= topic.version) return;
    if (frame.prev !== topic.version) return this.#repair(topic);
    topic.version = frame.version;
    topic.behind = 0;
    topic.since.push(frame);
    if (topic.since.length > sinceMax) topic.last = null;
    this.#answered(topic);
    each(topic, (handler) => handler.change?.(frame));
  }

  beat(versions: Record<string, number>): void {
    for (const topic of this.#topics.values()) {
      const version = versions[topic.name];
      if (topic.asking !== null && ++topic.asking.beats > 1) topic.asking = null;
      if (topic.version === null || version === undefined) this.#askOnce(topic);
      else if (version > topic.version) this.#repair(topic);
      else if (version < topic.version) this.#overtaken(topic);
      else this.#level(topic);
    }
  }

  /** The version held of a topic. `current`: nothing of it is missing but what is on the wire. */
  held(name: string): { version: number; current: boolean } | null {
    const topic = this.#topics.get(name);
    if (topic === undefined || topic.version === null) return null;
    return { version: topic.version, current: this.#live && topic.asking === null && !topic.gap };
  }

  /** What is watched, for a reader that stands in for the socket. */
  watched(): { topic: string; version: number | null }[] {
    return [...this.#topics.values()].map(({ name, version }) => ({ topic: name, version }));
  }

  failed(id: string, reason: PlainReason): void {
    for (const topic of this.#topics.values()) {
      if (topic.asking?.id !== id) continue;
      topic.asking = null;
      each(topic, (handler) => handler.failed?.(reason));
    }
  }

  /** A topic of which nothing is held was asked for over HTTP, in vain. */
  refused(name: string, reason: PlainReason): void {
    const topic = this.#topics.get(name);
    if (topic?.version === null) each(topic, (handler) => handler.failed?.(reason));
  }

  #leave(topic: Topic, handler: TopicHandler): void {
    if (!topic.handlers.delete(handler) || topic.handlers.size > 0) return;
    if (this.#topics.get(topic.name) !== topic) return;
    this.#topics.delete(topic.name);
    if (this.#live) this.write({ t: "unwatch", topic: topic.name });
  }

  #ask(topic: Topic): void {
    if (!this.#live) return;
    const id = this.nextId();
    topic.asking = { id, beats: 0 };
    this.write({ t: "watch", id, topic: topic.name, ...(topic.version === null ? {} : { have: topic.version }) });
  }

  #askOnce(topic: Topic): void {
    if (topic.asking === null) this.#ask(topic);
  }

  #repair(topic: Topic): void {
    if (!topic.gap) {
      topic.gap = true;
      each(topic, (handler) => handler.gap?.(true));
    }
    this.#askOnce(topic);
  }

  #overtaken(topic: Topic): void {
    topic.behind += 1;
    if (topic.behind < 2) return;
    topic.version = null;
    this.#ask(topic);
  }

  #level(topic: Topic): void {
    topic.behind = 0;
    this.#answered(topic);
  }

  #answered(topic: Topic): void {
    topic.asking = null;
    if (!topic.gap) return;
    topic.gap = false;
    each(topic, (handler) => handler.gap?.(false));
  }

  #catchUp(topic: Topic, handler: TopicHandler): void {
    if (topic.version === null) return;
    if (topic.last === null) {
      topic.version = null;
      this.#ask(topic);
      return;
    }
    const { last, since } = topic;
    handler.snapshot?.(last);
    for (const change of since) handler.change?.(change);
  }
}

function each(topic: Topic, call: (handler: TopicHandler) => void): void {
  for (const handler of [...topic.handlers]) call(handler);
}
