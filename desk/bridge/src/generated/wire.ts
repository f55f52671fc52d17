// Generated from schema/json/wire.schema.json by scripts/generate.mjs. Do not edit.
export type SubjectKind = "fixture" | "competition";
export type Outcome = "accepted" | "duplicate" | "refused" | "conflict" | "try_again";
export type Side = "home" | "away";
export type ClientFrame = Hello | CommandFrame | Watch | Unwatch | Pong;
export type ServerFrame = Welcome | AnswerFrame | Snapshot | ChangeFrame | Beat | ErrorFrame | Bye;

export interface Subject {
  kind: SubjectKind;
  ref: string;
}
/**
 * What the sender had seen when it made the command. Empty for a pure add.
 */
export interface Saw {
  /**
   * seq of the last play event it saw
   */
  play?: number;
  /**
   * row uuid -> changed_seq
   */
  rows?: {
    [k: string]: number;
  };
}
/**
 * One request to change one subject.
 */
export interface CommandIn {
  /**
   * made once by the sender, same on every retry
   */
  key: string;
  code: string;
  input: {
    [k: string]: unknown;
  };
  sender: string;
  saw?: Saw;
  /**
   * RFC 3339
   */
  sent_at?: string;
}
export interface Reason {
  code: string;
  /**
   * one plain sentence for a person
   */
  message: string;
  /**
   * JSON pointer into the body
   */
  at?: string | null;
  /**
   * clause of the sport's law
   */
  law?: string;
  /**
   * rule release that said so
   */
  release?: string;
  [k: string]: unknown;
}
export interface TimelineItem {
  seq: number;
  code: string;
  play: boolean;
  input: {
    [k: string]: unknown;
  };
  sender: string;
  key: string;
  /**
   * RFC 3339, the server's time of receipt
   */
  at: string;
  voids?: number[];
  replaces?: number;
  [k: string]: unknown;
}
export interface Conflict {
  play: number | null;
  /**
   * the log after what the sender saw; of more than 200 rows or 256 KiB the newest, and the rest is in the timeline
   */
  since: TimelineItem[];
  rows: {
    [k: string]: unknown;
  }[];
  [k: string]: unknown;
}
/**
 * The one body of all five answers.
 */
export interface Answer {
  outcome: Outcome;
  key: string | null;
  code: string | null;
  subject: Subject | null;
  seq: number | null;
  reason: Reason | null;
  conflict: Conflict | null;
  first: Answer | null;
  retry_after_ms: number | null;
  trace: string;
  [k: string]: unknown;
}
/**
 * Small, complete for a viewer; a sport adds members of its own.
 */
export interface Scoreboard {
  status: string;
  period: string | number | null;
  score: {
    home: number | null;
    away: number | null;
    [k: string]: unknown;
  };
  /**
   * one short text for a list
   */
  line: string;
  [k: string]: unknown;
}
/**
 * One value that a previewed command would change.
 */
export interface Change {
  path: string;
  from?: unknown;
  to?: unknown;
}
export interface Preview {
  would: "accepted" | "refused" | "conflict";
  reason: Reason | null;
  conflict: Conflict | null;
  scoreboard?: Scoreboard | null;
  changes?: Change[];
  voids?: number[];
  [k: string]: unknown;
}
export interface Hello {
  t: "hello";
  token: string;
  client: string;
}
export interface CommandFrame {
  t: "command";
  /**
   * names the answer: printable ASCII without a backslash; anything else is answered by an error without an id
   */
  id: string;
  workflow: string;
  kind: SubjectKind;
  ref: string;
  body: CommandIn;
}
export interface Watch {
  t: "watch";
  id: string;
  topic: string;
  /**
   * the version the screen already holds
   */
  have?: number;
}
export interface Unwatch {
  t: "unwatch";
  topic: string;
}
export interface Pong {
  t: "pong";
}
export interface Welcome {
  t: "welcome";
  session: string;
  node: string;
  beat_ms: number;
  [k: string]: unknown;
}
export interface AnswerFrame {
  t: "answer";
  id: string;
  answer: Answer;
  [k: string]: unknown;
}
export interface Snapshot {
  t: "snapshot";
  topic: string;
  version: number;
  data: unknown;
  [k: string]: unknown;
}
/**
 * data of a snapshot of topic ops: how the node is
 */
export interface OpsData {
  at: string;
  ready: boolean;
  /**
   * as GET /readyz has them; null: not known
   */
  parts: {
    [k: string]: unknown;
  } | null;
  /**
   * with an actor awake in this process
   */
  live_matches: number;
  /**
   * as GET /ops/tree, with at most 50 matches, those that want a look first; left_out counts the others; null: a supervisor did not answer
   */
  tree: {
    [k: string]: unknown;
  } | null;
  /**
   * the samples of GET /metrics by name and labels, without the histograms' buckets
   */
  figures: {
    [k: string]: number;
  };
  /**
   * of each histogram that has counted anything: p50, p95, p99 since the start
   */
  quantiles?: {
    [k: string]: {
      [k: string]: number;
    };
  };
  /**
   * as GET /ops/health; null: not known, or too long for a frame: ask over HTTP
   */
  health?: {
    [k: string]: unknown;
  } | null;
  /**
   * as GET /ops/locks; null: not known, or too long for a frame: ask over HTTP
   */
  locks?: {
    [k: string]: unknown;
  } | null;
  /**
   * as GET /ops/failures; null: not known, or too long for a frame: ask over HTTP
   */
  failures?: {
    [k: string]: unknown;
  } | null;
  /**
   * as GET /ops/alerts; null: not known, or too long for a frame: ask over HTTP
   */
  alerts?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}
export interface ChangeFrame {
  t: "change";
  topic: string;
  version: number;
  prev: number;
  code: string;
  play?: boolean;
  item: TimelineItem;
  scoreboard?: Scoreboard | null;
  /**
   * trace id of the command that made it
   */
  trace?: string;
  [k: string]: unknown;
}
export interface Beat {
  t: "beat";
  versions: {
    [k: string]: number;
  };
  [k: string]: unknown;
}
export interface ErrorFrame {
  t: "error";
  id?: string;
  reason: unknown;
  [k: string]: unknown;
}
export interface Bye {
  t: "bye";
  reason: unknown;
  [k: string]: unknown;
}
