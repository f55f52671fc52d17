// Finding a match by the names of its sides: the server filters by competition, sport and status, so names are looked for
// here, in pages that are read one after the other in the background, the newest start first.
import { readFixture, readPage, type Fixture, type OmniumClient } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { sayCount } from "./words";

/** Which matches of the server's; "" is any. */
export interface Wanted {
  competition: string;
  sport: string;
  status: string;
}

export const everyMatch: Wanted = { competition: "", sport: "", status: "" };

export function addressOf(wanted: Wanted, limit: number, cursor: string | null = null): string {
  const query = new URLSearchParams();
  for (const name of ["competition", "sport", "status"] as const) if (wanted[name] !== "") query.set(name, wanted[name]);
  query.set("limit", String(limit));
  if (cursor !== null) query.set("cursor", cursor);
  return `/fixtures?${query}`;
}

/** Matches one search looks through; beyond, it stops and says so. */
export const searchedMax = 2000;
/** Rows of a page: the most the server gives. */
const pageSize = 200;
/** A search that is through is gone through again after this. Milliseconds. */
const keptMs = 30_000;

export interface Searched {
  fixtures: readonly Fixture[];
  state: "reading" | "whole" | "bound" | "failed";
}

export class MatchSearch {
  #state: Searched = { fixtures: [], state: "reading" };
  #listeners = new Set<() => void>();
  endedAt: number | null = null;

  constructor(client: OmniumClient, wanted: Wanted) {
    void this.#run(client, wanted);
  }

  get state(): Searched {
    return this.#state;
  }

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async #run(client: OmniumClient, wanted: Wanted): Promise<void> {
    try {
      let cursor: string | null = null;
      do {
        const left = searchedMax - this.#state.fixtures.length;
        const page: ReturnType<typeof readPage> = readPage(await client.http.get<unknown>(addressOf(wanted, Math.min(pageSize, left), cursor)), "fixtures");
        cursor = page.next;
        this.#set({ state: "reading", fixtures: [...this.#state.fixtures, ...page.rows.map(readFixture)] });
      } while (cursor !== null && this.#state.fixtures.length < searchedMax);
      this.#end(cursor === null ? "whole" : "bound");
    } catch {
      this.#end("failed");
    }
  }

  #end(state: Searched["state"]): void {
    this.endedAt = Date.now();
    this.#set({ ...this.#state, state });
  }

  #set(state: Searched): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

const running = new WeakMap<OmniumClient, Map<string, MatchSearch>>();

/** One search for all who look for the same: the page and the palette. */
export function searchOf(client: OmniumClient, wanted: Wanted): MatchSearch {
  const all = running.get(client) ?? new Map<string, MatchSearch>();
  running.set(client, all);
  const address = addressOf(wanted, pageSize);
  const held = all.get(address);
  if (held !== undefined && (held.endedAt === null || (held.state.state !== "failed" && Date.now() - held.endedAt < keptMs))) return held;
  const made = new MatchSearch(client, wanted);
  all.set(address, made);
  return made;
}

const never = (): (() => void) => () => undefined;

/** What was looked through so far; null while nobody looks. `turn` begins anew what had failed or is old. */
export function useSearch(wanted: Wanted | null, turn: unknown = null): Searched | null {
  const { client } = useOmnium();
  const [search, setSearch] = useState<MatchSearch | null>(null);
  const address = wanted === null ? null : addressOf(wanted, pageSize);
  const what = useMemo(() => wanted, [address]);
  useEffect(() => setSearch(what === null ? null : searchOf(client, what)), [client, what, turn]);
  return useSyncExternalStore(search?.onChange ?? never, () => search?.state ?? null);
}

export const wordsOf = (text: string): string[] => text.trim().toLowerCase().split(/\s+/).filter(Boolean);
export const hasWords = (text: string, words: readonly string[]): boolean => words.every((word) => text.toLowerCase().includes(word));

export function saySearched({ fixtures, state }: Searched): string {
  const n = fixtures.length;
  switch (state) {
    case "reading":
      return `Searching: ${sayCount(n, "match", "matches")} so far…`;
    case "whole":
      return n === 1 ? "The only match was searched." : `All ${sayCount(n, "match", "matches")} were searched.`;
    case "bound":
      return `Only the ${sayCount(n, "match", "matches")} with the newest start were searched; there are more.`;
    case "failed":
      return `The search broke off after ${sayCount(n, "match", "matches")}: the server could not be read.`;
  }
}
