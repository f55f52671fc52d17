// The list of matches: what is asked of the server, what is shown of what was read, and how far a search went.
import type { Competition, Fixture, OmniumClient } from "@omnium/bridge";
import { describe, expect, it } from "vitest";
import { addressOf, everyMatch, MatchSearch, saySearched, searchedMax, type Searched } from "../src/lib/match_search";
import { barred, roleIn } from "../src/lib/rights";
import { groupsOf, sayNone, wideList, type Filter } from "../src/pages/matches/groups";
import { matchCommands } from "../src/ui/palette";

const side = (name: string): Fixture["sides"]["home"] => ({ row: null, name, short: null, colour: null, participant: null, changed_seq: 0 });
const fixture = (id: string, competition: string, home: string, away: string, more: Partial<Fixture> = {}): Fixture => ({
  id, competition, sport: "football", release: "1", status: "scheduled", version: 0, last_play: 0, starts_at: null, settings: {}, scoreboard: null,
  sides: { home: side(home), away: side(away) }, ...more,
});
const competition = (id: string, name: string, sport: string | null = null): Competition => ({ id, name, sport, version: 1, participants: [] });
const cups = [competition("a", "Northern Cup"), competition("b", "Lake Open", "tennis")];
const filter = (more: Partial<Filter> = {}): Filter => ({ show: "all", sport: "", text: "", ...more });
const shown = (found: ReturnType<typeof groupsOf>): [string, string[]][] => found.map((one) => [one.competition.name, one.fixtures.map((each) => each.id)]);

describe("matches that are asked for", () => {
  it("are filtered by the server, page by page", () => {
    expect(addressOf({ competition: "c", sport: "", status: "live" }, 50)).toBe("/fixtures?competition=c&status=live&limit=50");
    expect(addressOf(everyMatch, 200, "2026 x|1")).toBe("/fixtures?limit=200&cursor=2026+x%7C1");
    expect(wideList(filter({ show: "live" }))).toEqual({ competition: "", sport: "", status: "live" });
    expect(wideList(filter({ sport: "tennis" }))).toEqual({ competition: "", sport: "tennis", status: "" });
    expect([wideList(filter()), wideList(filter({ show: "live", text: "oslo" }))]).toEqual([null, null]);
  });

  it("without a filter come competition by competition, each with a list of its own", () => {
    const found = groupsOf(cups, [fixture("1", "b", "Oslo", "Bergen")], filter());
    expect(shown(found)).toEqual([["Northern Cup", []], ["Lake Open", ["1"]]]);
    expect(found.map((one) => one.own?.competition)).toEqual(["a", "b"]);
  });

  it("show the live ones first, then the newest start", () => {
    const at = (id: string, starts_at: string, status = "scheduled"): Fixture => fixture(id, "a", "X", "Y", { starts_at, status });
    const all = [at("1", "2026-01-01"), at("2", "2026-03-01"), at("3", "2025-01-01", "live"), at("4", "2026-02-01", "ended")];
    expect(shown(groupsOf(cups, all, filter()))[0]).toEqual(["Northern Cup", ["3", "2", "4", "1"]]);
    expect(shown(groupsOf(cups, all, filter({ show: "live" })))).toEqual([["Northern Cup", ["3"]]]);
  });

  it("read elsewhere come in their turn, where the pages of a filter's list reach them", () => {
    const at = (id: string, starts_at: string, status = "scheduled"): Fixture => fixture(id, "a", "X", "Y", { starts_at, status });
    const all = [at("1", "2026-01-01"), at("2", "2026-03-01"), at("3", "2025-01-01", "live"), at("4", "2026-02-01")];
    expect(shown(groupsOf(cups, all, filter({ sport: "football" }), all[3]!))).toEqual([["Northern Cup", ["3", "2", "4"]]]);
    expect(shown(groupsOf(cups, all, filter(), all[3]!))[0]![1]).toEqual(["3", "2", "4", "1"]);
  });

  it("are found by the words of their sides and of their competition, and a competition by its name though nothing of it was read", () => {
    const all = [fixture("1", "a", "Oslo", "Bergen"), fixture("2", "b", "Oslo", "Turku"), fixture("3", "z", "Oslo", "Ghent")];
    expect(shown(groupsOf(cups, all, filter({ text: "osl berg" })))).toEqual([["Northern Cup", ["1"]]]);
    expect(shown(groupsOf(cups, all, filter({ text: "open oslo" })))).toEqual([["Lake Open", ["2"]]]);
    expect(shown(groupsOf(cups, all, filter({ text: "ghent" })))).toEqual([["Another competition", ["3"]]]);
    const named = groupsOf(cups, [], filter({ text: "lake", show: "live" }));
    expect(named.map((one) => one.own)).toEqual([{ competition: "b", sport: "", status: "live" }]);
    expect(groupsOf(cups, [], filter({ text: "lake", sport: "football" }))).toEqual([]);
  });

  it("are said to be none in the filter's own words", () => {
    expect([sayNone("live", ""), sayNone("all", "Speed climbing")]).toEqual(["No match is live now.", "There is no match of speed climbing yet."]);
  });
});

describe("a search", () => {
  /** A server with so many matches, that counts what it is asked. */
  const serving = (matches: number, asked: string[] = []): OmniumClient =>
    ({
      http: {
        get: (address: string) => {
          asked.push(address);
          const query = new URLSearchParams(address.split("?")[1]);
          const from = Number(query.get("cursor") ?? 0);
          const to = Math.min(matches, from + Number(query.get("limit")));
          const items = Array.from({ length: to - from }, (_, i) => ({ id: String(from + i), sides: { home: { name: `Home ${from + i}` }, away: { name: "Away" } } }));
          return Promise.resolve({ items, next: to < matches ? String(to) : null });
        },
      },
    }) as unknown as OmniumClient;
  const ended = (search: MatchSearch): Promise<Searched> =>
    new Promise((done) => {
      const look = (): void => (search.state.state === "reading" ? undefined : done(search.state));
      search.onChange(look);
      look();
    });

  it("pages through all there is, with the filter that was chosen", async () => {
    const asked: string[] = [];
    const found = await ended(new MatchSearch(serving(353, asked), { ...everyMatch, sport: "tennis" }));
    expect([found.state, found.fixtures.length, asked]).toEqual(["whole", 353, ["/fixtures?sport=tennis&limit=200", "/fixtures?sport=tennis&limit=200&cursor=200"]]);
    expect(saySearched(found)).toBe("All 353 matches were searched.");
    const one = matchCommands(found).filter((command) => command.label.startsWith("Home 352 "));
    expect(one.map((command) => command.group)).toEqual(["Desk", "Scoreboard"]);
  });

  it("stops at its bound and says so", async () => {
    const found = await ended(new MatchSearch(serving(searchedMax + 1), everyMatch));
    expect([found.state, found.fixtures.length]).toEqual(["bound", searchedMax]);
    expect(saySearched(found)).toBe("Only the 2,000 matches with the newest start were searched; there are more.");
    expect((await ended(new MatchSearch(serving(searchedMax), everyMatch))).state).toBe("whole");
  });
});

describe("a token's role", () => {
  it("is read from the server's own sentence, and says what it is too low for", () => {
    const role = roleIn("This needs a token of the role operator or higher; this one is viewer.");
    expect(role).toBe("viewer");
    expect(barred(role, "score")).toBe("Scoring needs a token of the role scorer or higher; this one is viewer.");
    expect([barred("scorer", "score"), barred("integrator", "create"), barred("admin", "operate")]).toEqual([null, null, null]);
    expect(barred("scorer", "create")).toMatch(/integrator or higher; this one is scorer/);
  });

  it("that is not known forbids nothing here", () => {
    expect([roleIn("No."), roleIn(undefined), barred(null, "operate")]).toEqual([null, null, null]);
  });
});
