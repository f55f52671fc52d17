import { readLog, type Fixture, type LogRow, type Scoreboard, type Side } from "@omnium/bridge";
import { useLink, useMatch, useOmnium } from "@omnium/bridge/react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useNow, useSports, useTitle } from "../../lib/hooks";
import { deskOf } from "../../lib/router";
import { capital, nameOf, plain, sayLink, scored } from "../../lib/words";
import { Empty } from "../../ui/bits";
import { CricketBoard } from "./cricket";
import { CurlingBoard } from "./curling";
import { FootballBoard } from "./football";
import { GenericBoard } from "./generic";
import { Overlay } from "./overlay";
import { RacketBoard } from "./sets";

export interface BoardProps {
  fixture: Fixture;
  board: Scoreboard;
  rows: LogRow[];
  /** Server time, renewed while the match runs. */
  now: number;
}

const boards: Record<string, (props: BoardProps) => ReactNode> = {
  football: FootballBoard,
  cricket: CricketBoard,
  curling: CurlingBoard,
  tennis: RacketBoard,
  volleyball: RacketBoard,
  badminton: RacketBoard,
};

/** Rows of the log a board draws from: the clock's period starts, and the over in progress. Read once, at the beginning. */
const logRows = 2000;

export function BoardPage({ id, overlay }: { id: string; overlay: boolean }): ReactNode {
  const { client } = useOmnium();
  const link = useLink();
  const match = useMatch(id, { log: logRows });
  const { fixture, scoreboard } = match;
  const rows = useMemo(() => readLog(match.items), [match.items]);
  const running = fixture?.status === "live";
  useNow(running ? 500 : null);
  const sports = useSports();
  const title = fixture === null ? "Scoreboard" : `${nameOf(fixture, "home")} – ${nameOf(fixture, "away")}`;
  useTitle(title);
  useEffect(() => {
    document.documentElement.classList.toggle("overlay", overlay);
    return () => document.documentElement.classList.remove("overlay");
  }, [overlay]);

  if (fixture === null || scoreboard === null) {
    if (overlay) return null;
    return (
      <main className="stage">
        {match.status === "missing" ? (
          <Empty title="There is no such match">
            <a className="button" href="#/">
              All matches
            </a>
          </Empty>
        ) : (
          <p className="quiet">{match.problem ?? sayLink(link, Date.now())}</p>
        )}
      </main>
    );
  }
  const props: BoardProps = { fixture, board: scoreboard, rows, now: client.clock.serverNow() };
  if (overlay) return <Overlay {...props} />;
  const Board = boards[fixture.sport] ?? GenericBoard;
  return (
    <main className="stage" data-testid="board">
      <h1 className="out">{title}</h1>
      <Announce fixture={fixture} board={scoreboard} />
      <header className="stage-head">
        <a href="#/" className="quiet">
          Matches
        </a>
        <span className="quiet">{sports.find((one) => one.code === fixture.sport)?.label ?? plain(fixture.sport)}</span>
        {typeof scoreboard["suspended"] === "string" ? <span className="tag">Play stopped: {scoreboard["suspended"]}</span> : running ? <span className="tag live">Live</span> : <span className="tag">{fixture.status === "scheduled" ? "Not started" : capital(fixture.status)}</span>}
        <span className="stage-link">
          {link.state === "live" && !match.gap ? null : <span className="state waiting">{match.gap ? "Catching up" : link.polling ? "Read every few seconds" : `${sayLink(link, Date.now())}: this may be old`}</span>}
          <a className="button plain slim" href={deskOf(id)}>
            Desk
          </a>
        </span>
      </header>
      <Board {...props} />
    </main>
  );
}

/** The score in words, for people who hear the page; spoken when it changes. */
function Announce({ fixture, board }: { fixture: Fixture; board: Scoreboard }): ReactNode {
  const score = (side: Side): string => (scored(fixture.status, board) ? ` ${board.score[side] ?? ""}` : "");
  const said = `${nameOf(fixture, "home")}${score("home")}, ${nameOf(fixture, "away")}${score("away")}. ${board.line}`;
  const [text, setText] = useState(said);
  useEffect(() => {
    const timer = setTimeout(() => setText(said), 600);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <p className="out" role="status">
      {text}
    </p>
  );
}
