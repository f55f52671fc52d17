import { entryState, isStopped, settledState, type Entry, type Settled, type Side } from "@omnium/bridge";
import { useLink, useMatch, useOmnium, useOutbox } from "@omnium/bridge/react";
import { useMemo, useState, type ReactNode } from "react";
import { useNow, useSports, useTitle } from "../../lib/hooks";
import { useBarred } from "../../lib/rights";
import { boardOf, go } from "../../lib/router";
import { besideScore, capital, sayHeld, scored, unplayed } from "../../lib/words";
import { Empty, SideMark, StateWord } from "../../ui/bits";
import { useOffers } from "../../ui/palette";
import { Decide, useDecision } from "./conflict";
import { CricketDesk } from "./cricket";
import { CurlingDesk } from "./curling";
import { FootballDesk } from "./football";
import { GenericDesk } from "./generic";
import { Log } from "./log";
import { useDesk, useLock, type Desk } from "./model";
import { Competitors } from "./competitors";
import { Presence, usePresence } from "./presence";

export interface LayoutProps {
  desk: Desk;
  first: (key: string) => boolean;
}

const layouts: Record<string, (props: LayoutProps) => ReactNode> = { football: FootballDesk, cricket: CricketDesk, curling: CurlingDesk };
/** Log rows a desk begins with; older ones come when asked for. */
const logRows = 5000;
/** A device clock further off than this is mentioned. Milliseconds. */
const skewMs = 2_000;

export function DeskPage({ id, generic, keeps }: { id: string; generic: boolean; keeps: boolean }): ReactNode {
  const link = useLink();
  const match = useMatch(id, { log: logRows });
  const sports = useSports();
  const desk = useDesk(match, sports);
  useTitle(desk === null ? "Desk" : `${desk.names.home} – ${desk.names.away}`);
  // What a key sends depends on the sport's commands: no keys before they are known.
  if (desk === null || sports.length === 0) {
    return (
      <main className="page">
        {match.status === "missing" ? (
          <Empty title="There is no such match">
            <a className="button" href="#/">
              All matches
            </a>
          </Empty>
        ) : (
          <>
            <p className="quiet loading">{match.problem ?? (desk !== null ? "Reading the sport's commands…" : link.state === "live" ? "Reading the match…" : "Waiting for the server…")}</p>
            <Kept subject={`fixture/${id}`} />
          </>
        )}
      </main>
    );
  }
  return <DeskView desk={desk} match={match} generic={generic} keeps={keeps} />;
}

/** What waits for a match that cannot be read just now: it is on this device, and goes by itself. */
function Kept({ subject }: { subject: string }): ReactNode {
  const link = useLink();
  const waiting = useOutbox().entries.filter((entry) => entry.subject === subject);
  if (waiting.length === 0) return null;
  return (
    <section className="card kept" aria-label="Kept on this device">
      <h2>Kept on this device</h2>
      <ol>
        {waiting.map((entry) => (
          <li key={entry.key} className="log-line">
            <span className="log-what">
              <strong>{entry.label}</strong>
              {entry.state === "held" ? <span className="quiet"> {sayHeld(entry)}</span> : null}
            </span>
            <StateWord state={entryState(entry, link)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function DeskView({ desk: open, match, generic, keeps }: { desk: Desk; match: ReturnType<typeof useMatch>; generic: boolean; keeps: boolean }): ReactNode {
  const [tab, setTab] = useState<"pad" | "log">("pad");
  const [names, setNames] = useState(false);
  const presence = usePresence(open);
  const barred = useBarred("score");
  const locked = !keeps ? "This browser keeps no data for this page." : barred !== null ? barred : presence.takenBy === null ? undefined : `${presence.takenBy} scores this match now.`;
  const desk = useLock(open, locked);
  const decision = useDecision(desk);
  useOffers(() => [
    { id: "to-board", group: "Go to", label: "Scoreboard of this match", run: () => go(boardOf(desk.id)) },
    { id: "names", group: "Match", label: "Names of the sides", run: () => setNames(true) },
    { id: "note", group: "Match", label: "Write a note", run: () => setTab("log") },
  ]);
  const Layout = (generic ? undefined : layouts[desk.fixture.sport]) ?? GenericDesk;
  return (
    <main className="desk-page" data-testid="desk" data-tab={tab}>
      <Head desk={desk} gap={match.gap} onNames={() => setNames(true)} />
      {barred === null ? null : (
        <p className="presence taken" role="status" data-testid="barred">
          {barred} Keys are off here.
        </p>
      )}
      <Presence desk={open} presence={presence} may={barred === null} />
      <div className="tabs" role="tablist">
        {(["pad", "log"] as const).map((one) => (
          <button key={one} type="button" role="tab" aria-selected={tab === one} onClick={() => setTab(one)}>
            {one === "pad" ? "Keys" : "Log"}
          </button>
        ))}
      </div>
      <div className="desk-cols">
        <div className="desk-main">
          <Decide desk={desk} decision={decision} />
          <LastKeyed desk={desk} />
          <Layout desk={desk} first={decision.onKey} />
        </div>
        <Log desk={desk} problem={match.problem} older={match.view} first={match.items[0]?.seq ?? 1} />
      </div>
      {names ? <Competitors match={match} locked={locked} onClose={() => setNames(false)} /> : null}
    </main>
  );
}

/** Totals in view while one keys: a wrong side is seen at once (U5). */
function Head({ desk, gap, onNames }: { desk: Desk; gap: boolean; onNames: () => void }): ReactNode {
  const { fixture, board, names } = desk;
  const started = scored(fixture.status, board);
  const team = (side: Side): ReactNode => (
    <p className={`head-team ${side}`}>
      <SideMark side={side} />
      <button type="button" className="head-name" onClick={onNames} title="Names of the sides">
        {names[side]}
      </button>
      <b className={started ? "num" : "quiet"} data-testid={`total-${side}`}>
        {started ? (board.score[side] ?? 0) : "–"}
      </b>
    </p>
  );
  return (
    <header className="desk-head">
      <h1 className="out">
        Desk: {names.home} – {names.away}
      </h1>
      <div className="head-teams">
        {team("home")}
        {team("away")}
      </div>
      <p className="head-line num" data-testid="head-line">
        {started ? besideScore(board) : (unplayed(board) ?? "Not started")}
      </p>
      <div className="head-right">
        <ClockOff />
        {gap ? <span className="state waiting">Catching up</span> : null}
        {desk.status === "suspended" ? <span className="tag">Play stopped</span> : fixture.status === "live" ? <span className="tag live">Live</span> : <span className="tag">{fixture.status === "scheduled" ? "Not started" : capital(fixture.status)}</span>}
        <a className="button slim" href={boardOf(desk.id)}>
          Scoreboard
        </a>
      </div>
    </header>
  );
}

/** Order is the server's alone, but a scorer should know that this device shows another time (U7). */
function ClockOff(): ReactNode {
  const { client } = useOmnium();
  const off = client.clock.uncertaintyMs === null ? 0 : client.clock.offsetMs;
  if (Math.abs(off) <= skewMs) return null;
  const seconds = Math.round(Math.abs(off) / 1000);
  return (
    <span className="state waiting" title="Times shown are the server's.">
      This device's clock is {seconds} s {off > 0 ? "slow" : "fast"}
    </span>
  );
}

/** What was keyed last on this device and what became of it, in words. A refusal stays until the next entry. */
function LastKeyed({ desk }: { desk: Desk }): ReactNode {
  const link = useLink();
  const last = useMemo(() => newest(desk.entries, desk.settled), [desk.entries, desk.settled]);
  const [closed, setClosed] = useState("");
  useNow(desk.entries.length > 0 ? 1000 : null);
  const { problem } = useOutbox();
  if (problem !== null) {
    return (
      <p className="last refused" role="alert">
        {problem}
      </p>
    );
  }
  if (last === null || last.key === closed) return <p className="last quiet">Nothing keyed on this device yet.</p>;
  const entry = "state" in last ? last : null;
  const done = "state" in last ? null : last;
  const state = entry !== null ? entryState(entry, link) : settledState(done!);
  const reason = done?.answer?.first?.reason ?? done?.answer?.reason ?? null;
  const refused = state === "refused" || (state === "dropped" && reason !== null);
  return (
    <div className={refused ? "last refused" : "last"} role={refused ? "alert" : "status"} data-testid="last-keyed">
      <StateWord state={state} reason={reason} />
      <strong>{last.label}</strong>
      {refused ? (
        <>
          <span>
            {reason?.message ?? "Refused."}
            {reason?.law === undefined ? "" : ` ${reason.law}.`} Nothing was changed.
          </span>
          <button type="button" className="button plain slim" onClick={() => setClosed(last.key)}>
            Understood
          </button>
        </>
      ) : null}
      {state === "dropped" && !refused ? <span className="quiet">nothing was changed</span> : null}
      {state === "waiting" && entry !== null ? <span className="quiet">kept on this device, {waitsFor(desk, entry, link.state === "live")}</span> : null}
    </div>
  );
}

/** What an entry that waits is waiting for. */
export function waitsFor(desk: Pick<Desk, "entries">, entry: Entry, live: boolean): string {
  if (entry.state === "held") return "to be sent or dropped by hand";
  if (desk.entries.some((one) => one.n < entry.n && isStopped(one))) return "sent once what stands before it is decided";
  return live ? "the server is asked again" : "sent when the server can be reached";
}

function newest(entries: Entry[], settled: Settled[]): Entry | Settled | null {
  const a = entries[entries.length - 1] ?? null;
  const b = settled[settled.length - 1] ?? null;
  if (a === null || b === null) return a ?? b;
  return a.n > b.n ? a : b;
}

