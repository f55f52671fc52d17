import type { Fixture, Sport } from "@omnium/bridge";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { plain, sayCount } from "../../lib/words";
import type { Group } from "./groups";
import { MatchRow } from "./row";
import { keyOf, type List, type MatchList } from "./store";

/** How far below the screen a competition is read already. Pixels. */
const aheadPx = 300;
/** Matches drawn of one competition; more when asked for. */
const drawnMax = 100;

interface GroupProps {
  group: Group;
  list: MatchList | null;
  lists: Map<string, List>;
  sports: Sport[];
  /** All of the page's lists were read: what is shown is all there is. */
  whole: boolean;
  filtered: boolean;
  /** Why this device may not add a match; null: it may. */
  barred: string | null;
  onAdd: () => void;
}

export function CompetitionGroup({ group, list, lists, sports, whole, filtered, barred, onAdd }: GroupProps): ReactNode {
  const { competition, fixtures, own } = group;
  const place = useLooked(list, group);
  const [drawn, setDrawn] = useState(drawnMax);
  const read = own === null ? null : (lists.get(keyOf(own)) ?? null);
  const known = own === null ? whole : read?.status === "ready" && read.next === null;
  return (
    <section className="group" aria-label={competition.name} ref={place}>
      <header>
        <h2>{competition.name}</h2>
        {known ? <span className="quiet small num">{sayCount(fixtures.length, "match", "matches")}</span> : null}
        <button type="button" className="button plain slim" disabled={barred !== null} title={barred ?? undefined} onClick={onAdd}>
          Add a match
        </button>
      </header>
      {fixtures.length > 0 ? (
        <ul className="card rows">
          {fixtures.slice(0, drawn).map((fixture) => (
            <MatchRow key={fixture.id} fixture={fixture} sport={labelOf(sports, fixture)} list={list} />
          ))}
        </ul>
      ) : (
        <p className="card none">{read?.status === "failed" ? "Its matches could not be read." : known ? `No match here${filtered ? " that fits" : " yet"}.` : "Reading its matches…"}</p>
      )}
      {fixtures.length > drawn || (own !== null && read?.next != null) ? (
        <button
          type="button"
          className="button plain slim more"
          onClick={() => {
            setDrawn(Math.max(drawn, fixtures.length) + drawnMax);
            if (own !== null && fixtures.length <= drawn) void list?.more(own);
          }}
        >
          More matches of {competition.name}
        </button>
      ) : null}
    </section>
  );
}

/** Reads a competition's matches when it comes into view, or is about to. */
function useLooked(list: MatchList | null, { own }: Group): React.RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const key = own === null ? null : keyOf(own);
  useEffect(() => {
    const element = place.current;
    if (list === null || own === null || element === null) return;
    let leave: (() => void) | null = null;
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) leave ??= list.look(own);
      else (leave?.(), (leave = null));
    }, { rootMargin: `${aheadPx}px` });
    seen.observe(element);
    return () => {
      seen.disconnect();
      leave?.();
    };
  }, [list, key]);
  return place;
}

function labelOf(sports: Sport[], fixture: Fixture): string {
  return sports.find((one) => one.code === fixture.sport)?.label ?? plain(fixture.sport);
}
