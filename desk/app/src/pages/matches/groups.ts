// Which competitions the page shows, with which of the matches that were read. Pure.
import type { Competition, Fixture } from "@omnium/bridge";
import { hasWords, wordsOf, type Wanted } from "../../lib/match_search";

export type Show = "all" | "live" | "scheduled" | "ended";

export interface Filter {
  show: Show;
  sport: string;
  text: string;
}

export interface Group {
  competition: Competition;
  fixtures: Fixture[];
  /** The list of its matches, read once the group is looked at; null: what was found elsewhere is all it shows. */
  own: Wanted | null;
}

/** What the server is asked for all competitions at once; null: the competitions are looked at one by one. */
export function wideList({ show, sport, text }: Filter): Wanted | null {
  if (text.trim() !== "" || (show === "all" && sport === "")) return null;
  return { competition: "", sport, status: show === "all" ? "" : show };
}

/** The newest start first, as the server's pages come. */
function newer(a: Fixture, b: Fixture): number {
  return (b.starts_at ?? "").localeCompare(a.starts_at ?? "") || b.id.localeCompare(a.id);
}

/** Live ones first. */
function before(a: Fixture, b: Fixture): number {
  return Number(b.status === "live") - Number(a.status === "live") || newer(a, b);
}

/** `floor`: where the pages of the wide list end so far. What was read elsewhere and stands below comes in its turn. */
export function groupsOf(competitions: readonly Competition[], fixtures: Iterable<Fixture>, filter: Filter, floor: Fixture | null = null): Group[] {
  const { show, sport } = filter;
  const words = wordsOf(filter.text);
  const known = new Map(competitions.map((one) => [one.id, one]));
  const nameOf = (id: string): string => known.get(id)?.name ?? "";
  const groups = new Map<string, Group>();
  const wide = wideList(filter);
  const add = (competition: Competition, own: boolean): Group => {
    const made: Group = { competition, fixtures: [], own: own ? { competition: competition.id, sport, status: show === "all" ? "" : show } : null };
    groups.set(competition.id, made);
    return made;
  };
  if (wide === null) {
    for (const one of competitions) {
      if (hasWords(one.name, words) && (sport === "" || one.sport === null || one.sport === sport)) add(one, true);
    }
  }
  const fits = (one: Fixture): boolean =>
    (wide === null || floor === null || one.status === "live" || newer(one, floor) <= 0) &&
    (show === "all" || one.status === show) && (sport === "" || one.sport === sport) &&
    hasWords(`${one.sides.home.name} ${one.sides.away.name} ${nameOf(one.competition)}`, words);
  for (const one of [...fixtures].filter(fits).sort(before)) {
    const id = one.competition;
    const group = groups.get(id) ?? add(known.get(id) ?? { id, name: "Another competition", sport: null, version: 0, participants: [] }, wide === null && words.length === 0);
    group.fixtures.push(one);
  }
  return [...groups.values()];
}

/** A list without a match, in words. */
export function sayNone(show: Show, sport: string): string {
  const match = sport === "" ? "match" : `match of ${sport.toLowerCase()}`;
  return { all: `There is no ${match} yet.`, live: `No ${match} is live now.`, scheduled: `No ${match} is still to start.`, ended: `No ${match} has ended yet.` }[show];
}
