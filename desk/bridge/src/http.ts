import { parseJson, writeJson } from "./json.js";
import type { Answer, CommandIn, Preview, SubjectKind } from "./generated/wire.js";

/** The link failed, not the command: nobody knows whether it arrived, so it is sent again with the same key. */
export class NetworkError extends Error {
  override name = "NetworkError";
}

/** A read that the server answered with problem details (RFC 9457). */
export class ReadError extends Error {
  override name = "ReadError";
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
  ) {
    super(detail || title || `The server answered ${status}.`);
  }
}

export interface Address {
  workflow: string;
  kind: SubjectKind;
  ref: string;
}

export interface HttpOptions {
  /** Where the server is, e.g. "http://127.0.0.1:8400"; empty for the page's own origin. */
  url: string;
  token: () => string;
  fetch?: typeof fetch;
  /** How long an answer may take before the link counts as broken. Milliseconds. */
  timeoutMs?: number;
}

export class Http {
  #options: HttpOptions;
  #fetch: typeof fetch;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  async command(to: Address, body: CommandIn): Promise<Answer> {
    const answer = await this.#post(`${commandPath(to)}`, body);
    if (!isAnswer(answer.body)) throw new NetworkError(`No answer of Omnium (status ${answer.status}).`);
    return answer.body;
  }

  /** What the command would do; nothing is written. The key is not needed. */
  async preview(to: Address, body: Omit<CommandIn, "key">): Promise<Preview> {
    const answer = await this.#post(`${commandPath(to)}:preview`, body);
    if (isPreview(answer.body)) return answer.body;
    if (isAnswer(answer.body)) {
      return { would: answer.body.outcome === "conflict" ? "conflict" : "refused", reason: answer.body.reason, conflict: answer.body.conflict };
    }
    throw new NetworkError(`No preview of Omnium (status ${answer.status}).`);
  }

  /** Something an operator asks of the node itself: POST /ops/…. */
  act(path: string, body: object): Promise<{ status: number; body: unknown }> {
    return this.#post(path, body);
  }

  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.#request(path, { method: "GET", headers: this.#headers() });
    if (status >= 200 && status < 300) return body as T;
    throw problemOf(status, body);
  }

  /** A read that costs next to nothing when the version held is still the newest: null then. */
  async getNewer<T>(path: string, version: number | null): Promise<T | null> {
    const held: Record<string, string> = version === null ? {} : { "If-None-Match": `"${version}"` };
    const reply = await this.#reach(path, { method: "GET", headers: { ...this.#headers(), ...held } });
    if (reply.status === 304) return null;
    const body = await bodyOf(reply);
    if (!reply.ok) throw problemOf(reply.status, body);
    return body as T;
  }

  async text(path: string): Promise<{ status: number; text: string }> {
    const reply = await this.#reach(path, { method: "GET", headers: this.#headers() });
    return { status: reply.status, text: await reply.text() };
  }

  #headers(): Record<string, string> {
    const token = this.#options.token();
    return token === "" ? {} : { Authorization: `Bearer ${token}` };
  }

  #post(path: string, body: object): Promise<{ status: number; body: unknown }> {
    return this.#request(path, {
      method: "POST",
      headers: { ...this.#headers(), "Content-Type": "application/json" },
      body: writeJson(body),
    });
  }

  async #request(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    const reply = await this.#reach(path, init);
    return { status: reply.status, body: await bodyOf(reply) };
  }

  async #reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(this.#options.url + path, {
        ...init,
        cache: "no-store",
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? 15_000),
      });
    } catch (error) {
      throw new NetworkError(error instanceof Error ? error.message : "The server cannot be reached.");
    }
  }
}

async function bodyOf(reply: Response): Promise<unknown> {
  try {
    const text = await reply.text();
    return text === "" ? null : parseJson(text);
  } catch {
    throw new NetworkError(`The answer broke off (status ${reply.status}).`);
  }
}

function problemOf(status: number, body: unknown): ReadError {
  const problem = (body ?? {}) as { title?: string; detail?: string };
  return new ReadError(status, problem.title ?? "", problem.detail ?? "");
}

export function commandPath(to: Address): string {
  return `/workflows/${encodeURIComponent(to.workflow)}/subjects/${to.kind}/${encodeURIComponent(to.ref)}/commands`;
}

export function isAnswer(body: unknown): body is Answer {
  return typeof body === "object" && body !== null && typeof (body as Answer).outcome === "string";
}

function isPreview(body: unknown): body is Preview {
  return typeof body === "object" && body !== null && typeof (body as Preview).would === "string";
}
