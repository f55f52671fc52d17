import type { Fixture } from "@omnium/bridge";
import { memo, useEffect, useRef, useState, type ReactNode } from "react";
import { boardOf, deskOf } from "../../lib/router";
import type { MatchList } from "./store";
import { besideScore, capital, dayTime, nameOf, scored, unplayed } from "../../lib/words";

/** True for a moment after `value` changed: the eye finds the match that moved. */
function useMoved(value: string): boolean {
  const first = useRef(true);
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    setMoved(true);
    const timer = setTimeout(() => setMoved(false), 1600);
    return () => clearTimeout(timer);
  }, [value]);
  return moved;
}

export const MatchRow = memo(function MatchRow({ fixture, sport, list }: { fixture: Fixture; sport: string; list: MatchList | null }): ReactNode {
  const { id } = fixture;
  const over = fixture.status === "ended";
  useEffect(() => (over ? undefined : list?.follow(id)), [list, id, over]);
  const board = fixture.scoreboard;
  const score = (side: "home" | "away"): string => (board === null || !scored(fixture.status, board) ? "" : String(board.score[side] ?? ""));
  const line = board === null || fixture.status === "scheduled" ? "" : (unplayed(board) ?? besideScore(board));
  const moved = useMoved(`${line}|${score("home")}|${score("away")}|${fixture.status}`);
  return (
    <li className={`match ${fixture.status} ${moved ? "moved" : ""}`} data-testid="match" data-id={fixture.id}>
      <div className="what">
        <span className="quiet small">{sport}</span>
        {fixture.status === "live" ? <span className="tag live">Live</span> : <span className="tag">{fixture.status === "scheduled" ? "Not started" : capital(fixture.status)}</span>}
      </div>
      <div className="teams">
        {(["home", "away"] as const).map((side) => (
          <div key={side} className={leads(fixture, side) ? "team leads" : "team"}>
            <span className="name">{nameOf(fixture, side)}</span>
            <span className="score num" data-testid={`score-${side}`}>
              {score(side)}
            </span>
          </div>
        ))}
      </div>
      <div className="line num small" data-testid="line">
        {fixture.status === "scheduled" ? dayTime(fixture.starts_at) : line}
      </div>
      <div className="row go">
        <a className="button slim" href={deskOf(fixture.id)} aria-label={`Desk: ${nameOf(fixture, "home")} – ${nameOf(fixture, "away")}`}>
          Desk
        </a>
        <a className="button plain slim" href={boardOf(fixture.id)} aria-label={`Scoreboard: ${nameOf(fixture, "home")} – ${nameOf(fixture, "away")}`}>
          Scoreboard
        </a>
      </div>
    </li>
  );
});

function leads(fixture: Fixture, side: "home" | "away"): boolean {
  const score = fixture.scoreboard?.score;
  if (score === undefined || fixture.status === "scheduled") return false;
  const other = side === "home" ? "away" : "home";
  return Number(score[side] ?? 0) > Number(score[other] ?? 0);
}
