// A strip for a video mixer: transparent page, short names, the score, and one line.
import type { ReactNode } from "react";
import { clockText, footballClock } from "../../lib/football_clock";
import { nameOf, scored, shortOf, unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { both, cricketResult, inningsOf, runsText, side as sideOf } from "./read";
import { endText, Hammer } from "./curling";

export function Overlay(props: BoardProps): ReactNode {
  const { fixture, board } = props;
  const started = scored(fixture.status, board);
  return (
    <main className="strip num" aria-label={`${nameOf(fixture, "home")} – ${nameOf(fixture, "away")}`} data-testid="overlay">
      {fixture.sport === "cricket" ? <CricketStrip {...props} /> : (
        <>
          {both.map((side) => (
            <span key={side} className={`strip-side ${side}`}>
              <span className="strip-name" title={nameOf(fixture, side)}>
                {shortOf(fixture, side)}
              </span>
              {fixture.sport === "curling" && sideOf(board["hammer"]) === side && fixture.status === "live" ? <Hammer /> : null}
              <b>{started ? (board.score[side] ?? 0) : ""}</b>
            </span>
          ))}
          <span className="strip-line">{line(props)}</span>
        </>
      )}
    </main>
  );
}

function line({ fixture, board, rows, now }: BoardProps): string {
  if (fixture.status === "scheduled") return "Not started";
  if (fixture.status === "ended") return unplayed(board) ?? "Final";
  if (fixture.sport === "curling") return endText(board.period);
  if (fixture.sport !== "football") return board.line;
  const clock = footballClock(rows, now);
  if (clock.period === "H1" && clock.over) return "HT";
  return clock.over || clock.period === null || clock.period === "PSO" ? String(board.period ?? "") : clockText(clock.seconds);
}

function CricketStrip({ fixture, board }: BoardProps): ReactNode {
  const all = inningsOf(board);
  const now = all[all.length - 1];
  const result = cricketResult(board, (side) => nameOf(fixture, side));
  if (now === undefined || now.batting === null) return <span className="strip-line">{result ?? unplayed(board) ?? `${nameOf(fixture, "home")} v ${nameOf(fixture, "away")}`}</span>;
  return (
    <>
      <span className={`strip-side ${now.batting}`}>
        <span className="strip-name">{shortOf(fixture, now.batting)}</span>
        <b>{runsText(now)}</b>
      </span>
      <span className="strip-line">{result ?? `${now.overs} overs${now.target === null ? "" : `, target ${now.target}`}`}</span>
    </>
  );
}
