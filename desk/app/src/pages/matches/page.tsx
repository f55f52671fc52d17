import type { Competition, Fixture, Sport } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from "react";
import { useSports, useTitle } from "../../lib/hooks";
import { boardOf, deskOf, go } from "../../lib/router";
import { plain } from "../../lib/words";
import { Empty } from "../../ui/bits";
import { useOffers } from "../../ui/palette";
import { NewCompetition, NewMatch } from "./create";
import { MatchRow } from "./row";
import { MatchList } from "./store";

type Show = "all" | "live" | "scheduled" | "ended";
const shows: [Show, string][] = [["all", "All"], ["live", "Live"], ["scheduled", "Not started"], ["ended", "Ended"]];

function useList(): MatchList | null {
  const { client } = useOmnium();
  const [list, setList] = useState<MatchList | null>(null);
  useEffect(() => {
    const made = new MatchList(client);
    setList(made);
    return () => made.close();
  }, [client]);
  return list;
}

const nothing = { status: "loading" as const, problem: null, competitions: [], fixtures: new Map<string, Fixture>(), more: false };
const never = (): (() => void) => () => undefined;

export function MatchesPage(): ReactNode {
  useTitle("Matches");
  const list = useList();
  const state = useSyncExternalStore(list?.onChange ?? never, () => list?.state ?? nothing);
  const sports = useSports();
  const [show, setShow] = useState<Show>("all");
  const [sport, setSport] = useState("");
  const [text, setText] = useState("");
  const [dialog, setDialog] = useState<{ what: "competition" } | { what: "match"; competition: string | null } | null>(null);
  const groups = useMemo(() => group(state.competitions, [...state.fixtures.values()], show, sport, text), [state, show, sport, text]);
  useOffers(() => [
    { id: "new-competition", group: "Matches", label: "New competition", run: () => setDialog({ what: "competition" }) },
    { id: "new-match", group: "Matches", label: "New match", run: () => setDialog({ what: "match", competition: null }) },
    ...[...state.fixtures.values()].slice(0, 80).flatMap((one) => {
      const title = `${one.sides.home.name} – ${one.sides.away.name}`;
      return [
        { id: `desk-${one.id}`, group: "Desk", label: title, run: () => go(deskOf(one.id)) },
        { id: `board-${one.id}`, group: "Scoreboard", label: title, run: () => go(boardOf(one.id)) },
      ];
    }),
  ]);
  const used = [...new Set([...state.fixtures.values()].map((one) => one.sport))].sort();

  return (
    <main className="page">
      <div className="head">
        <h1>Matches</h1>
        <div className="row">
          <button type="button" className="button" onClick={() => setDialog({ what: "competition" })}>
            New competition
          </button>
          <button type="button" className="button primary" disabled={state.competitions.length === 0} onClick={() => setDialog({ what: "match", competition: null })}>
            New match
          </button>
        </div>
      </div>

      <div className="filters">
        <fieldset className="choices" aria-label="Status">
          {shows.map(([one, name]) => (
            <label key={one}>
              <input type="radio" name="show" checked={show === one} onChange={() => setShow(one)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <select className="input" aria-label="Sport" value={sport} onChange={(event) => setSport(event.target.value)}>
          <option value="">Every sport</option>
          {used.map((one) => (
            <option key={one} value={one}>
              {labelOf(sports, one)}
            </option>
          ))}
        </select>
        <input className="input" type="search" placeholder="Find a team or a competition" aria-label="Find" value={text} onChange={(event) => setText(event.target.value)} />
      </div>

      {state.problem === null ? null : (
        <div className="notice" role="alert">
          <p>{state.problem}</p>
          <button type="button" className="button slim" onClick={() => void list?.load()}>
            Try again
          </button>
        </div>
      )}
      {state.status === "loading" ? <p className="quiet loading">Reading the matches…</p> : null}
      {state.status === "ready" && state.competitions.length === 0 ? (
        <Empty title="No competition yet">
          <p>A match belongs to a competition. Create one, and its matches appear here, live.</p>
          <button type="button" className="button primary" onClick={() => setDialog({ what: "competition" })}>
            New competition
          </button>
        </Empty>
      ) : null}
      {groups.map(({ competition, fixtures }) => (
        <section key={competition.id} className="group" aria-label={competition.name}>
          <header>
            <h2>{competition.name}</h2>
            <span className="quiet small num">{fixtures.length === 1 ? "1 match" : `${fixtures.length} matches`}</span>
            <button type="button" className="button plain slim" onClick={() => setDialog({ what: "match", competition: competition.id })}>
              Add a match
            </button>
          </header>
          {fixtures.length === 0 ? (
            <p className="card none">No match here{show === "all" && sport === "" && text === "" ? " yet" : " that fits"}.</p>
          ) : (
            <ul className="card rows">
              {fixtures.map((fixture) => (
                <MatchRow key={fixture.id} fixture={fixture} sport={labelOf(sports, fixture.sport)} />
              ))}
            </ul>
          )}
        </section>
      ))}
      {state.more ? (
        <button type="button" className="button" onClick={() => void list?.older()}>
          Older matches
        </button>
      ) : null}

      {dialog?.what === "competition" ? <NewCompetition sports={sports} onClose={() => setDialog(null)} onMade={(made) => list?.added(made)} /> : null}
      {dialog?.what === "match" ? (
        <NewMatch sports={sports} competitions={state.competitions} competition={dialog.competition} onClose={() => setDialog(null)} />
      ) : null}
    </main>
  );
}

function labelOf(sports: Sport[], code: string): string {
  return sports.find((one) => one.code === code)?.label ?? plain(code);
}

const order: Record<string, number> = { live: 0, suspended: 0, scheduled: 1, ended: 2 };

function group(competitions: Competition[], fixtures: Fixture[], show: Show, sport: string, text: string): { competition: Competition; fixtures: Fixture[] }[] {
  const wanted = text.trim().toLowerCase();
  const filtered = show !== "all" || sport !== "" || wanted !== "";
  const names = new Map(competitions.map((one) => [one.id, one]));
  for (const one of fixtures) {
    if (!names.has(one.competition)) names.set(one.competition, { id: one.competition, name: "Another competition", sport: null, version: 0, participants: [] });
  }
  return [...names.values()]
    .map((competition) => ({
      competition,
      fixtures: fixtures
        .filter((one) => one.competition === competition.id)
        .filter((one) => show === "all" || one.status === show || (show === "live" && one.status === "suspended"))
        .filter((one) => sport === "" || one.sport === sport)
        .filter((one) => wanted === "" || `${one.sides.home.name} ${one.sides.away.name} ${competition.name}`.toLowerCase().includes(wanted))
        .sort((a, b) => (order[a.status] ?? 1) - (order[b.status] ?? 1) || (b.starts_at ?? "").localeCompare(a.starts_at ?? "") || b.id.localeCompare(a.id)),
    }))
    .filter((one) => one.fixtures.length > 0 || !filtered);
}
