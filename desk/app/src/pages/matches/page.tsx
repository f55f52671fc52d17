import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from "react";
import { useSports, useTitle } from "../../lib/hooks";
import { saySearched, useSearch, type Wanted } from "../../lib/match_search";
import { useBarred } from "../../lib/rights";
import { sayCount } from "../../lib/words";
import { Empty } from "../../ui/bits";
import { useOffers } from "../../ui/palette";
import { NewCompetition, NewMatch } from "./create";
import { CompetitionGroup } from "./group";
import { groupsOf, sayNone, wideList, type Filter, type Show } from "./groups";
import { competitionsMax, keyOf, MatchList, nothingYet } from "./store";

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

/** A list over all competitions is read while it is shown. */
function useWide(list: MatchList | null, wanted: Wanted | null): void {
  const key = wanted === null ? null : keyOf(wanted);
  useEffect(() => (list === null || wanted === null ? undefined : list.look(wanted)), [list, key]);
}

/** Competitions drawn at a time; more when asked for. */
const drawnMax = 100;

const never = (): (() => void) => () => undefined;

export function MatchesPage(): ReactNode {
  useTitle("Matches");
  const list = useList();
  const state = useSyncExternalStore(list?.onChange ?? never, () => list?.state ?? nothingYet);
  const sports = useSports();
  const barred = useBarred("create");
  const [filter, setFilter] = useState<Filter>({ show: "all", sport: "", text: "" });
  const [turn, setTurn] = useState(0);
  const [drawn, setDrawn] = useState(drawnMax);
  const [dialog, setDialog] = useState<{ what: "competition" } | { what: "match"; competition: string | null } | null>(null);
  const { show, sport, text } = filter;
  const wide = wideList(filter);
  useWide(list, wide);
  const looking = text.trim() !== "";
  const searched = useSearch(looking ? { competition: "", sport, status: show === "all" ? "" : show } : null, turn);
  const read = wide === null ? null : (state.lists.get(keyOf(wide)) ?? null);
  const floor = read?.next == null ? null : read.last;
  const groups = useMemo(() => {
    const fixtures = new Map([...(searched?.fixtures ?? []).map((one) => [one.id, one] as const), ...state.fixtures]);
    return groupsOf(state.competitions, fixtures.values(), filter, floor);
  }, [state.competitions, state.fixtures, searched, filter, floor]);
  useOffers(() =>
    barred !== null
      ? []
      : [
          { id: "new-competition", group: "Matches", label: "New competition", run: () => setDialog({ what: "competition" }) },
          { id: "new-match", group: "Matches", label: "New match", run: () => setDialog({ what: "match", competition: null }) },
        ],
  );
  const again = (): void => {
    setTurn((n) => n + 1);
    void list?.load();
  };

  return (
    <main className="page">
      <div className="head">
        <h1>Matches</h1>
        <div className="row">
          <button type="button" className="button" disabled={barred !== null} title={barred ?? undefined} onClick={() => setDialog({ what: "competition" })}>
            New competition
          </button>
          <button type="button" className="button primary" disabled={barred !== null || state.competitions.length === 0} title={barred ?? undefined} onClick={() => setDialog({ what: "match", competition: null })}>
            New match
          </button>
        </div>
      </div>
      {barred === null ? null : (
        <p className="quiet small barred" data-testid="barred">
          {barred}
        </p>
      )}

      <div className="filters">
        <fieldset className="choices" aria-label="Status">
          {shows.map(([one, name]) => (
            <label key={one}>
              <input type="radio" name="show" checked={show === one} onChange={() => setFilter({ ...filter, show: one })} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <select className="input" aria-label="Sport" value={sport} onChange={(event) => setFilter({ ...filter, sport: event.target.value })}>
          <option value="">Every sport</option>
          {sports.map((one) => (
            <option key={one.code} value={one.code}>
              {one.label}
            </option>
          ))}
        </select>
        <input className="input" type="search" placeholder="Team or competition" aria-label="Find" value={text} onChange={(event) => setFilter({ ...filter, text: event.target.value })} />
      </div>

      {state.problem === null ? null : (
        <div className="notice" role="alert">
          <p>{state.problem}</p>
          <button type="button" className="button slim" onClick={again}>
            Try again
          </button>
        </div>
      )}
      {!looking || searched === null ? null : (
        <p className="quiet small searched num" role="status" data-testid="searched">
          {groups.length === 0 && searched.state !== "reading" ? `Nothing found for “${text.trim()}”. ` : ""}
          {saySearched(searched)}
          {searched.state === "bound" && show === "all" && sport === "" ? " Choose a status or a sport to look further." : ""}
          {searched.state === "failed" ? (
            <button type="button" className="button plain slim" onClick={again}>
              Search again
            </button>
          ) : null}
        </p>
      )}
      {state.status === "loading" && state.competitions.length === 0 ? <p className="quiet loading">Reading the matches…</p> : null}
      {state.status === "ready" && state.competitions.length === 0 ? (
        <Empty title="No competition yet">
          <p>A match belongs to a competition. Create one, and its matches appear here, live.</p>
          {barred === null ? (
            <button type="button" className="button primary" onClick={() => setDialog({ what: "competition" })}>
              New competition
            </button>
          ) : null}
        </Empty>
      ) : null}
      {groups.slice(0, drawn).map((group) => (
        <CompetitionGroup
          key={`${group.competition.id} ${group.own === null}`}
          group={group}
          list={list}
          lists={state.lists}
          sports={sports}
          whole={looking ? searched?.state === "whole" : read?.status === "ready" && read.next === null}
          filtered={show !== "all" || sport !== ""}
          barred={barred}
          onAdd={() => setDialog({ what: "match", competition: group.competition.id })}
        />
      ))}
      {groups.length > drawn ? (
        <button type="button" className="button" onClick={() => setDrawn(drawn + drawnMax)}>
          More competitions
        </button>
      ) : null}
      {wide === null || state.competitions.length === 0 ? null : read === null || read.status === "reading" ? (
        <p className="quiet loading">Reading the matches…</p>
      ) : groups.length === 0 && read.status === "ready" && read.next === null ? (
        <p className="card none" data-testid="none">
          {sayNone(show, sports.find((one) => one.code === sport)?.label ?? sport)}
        </p>
      ) : null}
      {wide !== null && read?.next != null && groups.length <= drawn ? (
        <button type="button" className="button" onClick={() => void list?.more(wide)}>
          More matches
        </button>
      ) : null}
      {wide === null && state.moreCompetitions ? <p className="quiet small">The newest {sayCount(competitionsMax, "competition")} are listed; matches of older ones are found by their teams, by status or by sport.</p> : null}

      {dialog?.what === "competition" ? <NewCompetition sports={sports} onClose={() => setDialog(null)} onMade={(made) => list?.added(made)} /> : null}
      {dialog?.what === "match" ? (
        <NewMatch sports={sports} competitions={state.competitions} competition={dialog.competition} onClose={() => setDialog(null)} />
      ) : null}
    </main>
  );
}
