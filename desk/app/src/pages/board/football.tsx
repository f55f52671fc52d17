import type { Side } from "@omnium/bridge";
import type { ReactNode } from "react";
import { clockText, footballClock, pauseText, type FootballClock } from "../../lib/football_clock";
import { nameOf, scored as hasScore, unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { goals, number, record, text, type Goal } from "./read";

export function FootballBoard({ fixture, board, rows, now }: BoardProps): ReactNode {
  const clock = footballClock(rows, now);
  const scored = goals(board);
  const shootout = record(board["shootout"]);
  const started = hasScore(fixture.status, board);
  return (
    <div className="board football">
      <div className="versus">
        <Team side="home" name={nameOf(fixture, "home")} scored={scored} cards={record(board["cards"])} />
        <div className="middle">
          <p className="big num" data-testid="board-score">
            {started ? (
              <>
                <span>{board.score.home ?? 0}</span>
                <i aria-hidden="true">–</i>
                <span>{board.score.away ?? 0}</span>
              </>
            ) : (
              <i>v</i>
            )}
          </p>
          {typeof shootout["home"] === "number" || typeof shootout["away"] === "number" ? (
            <p className="pens num">
              Penalties {number(shootout["home"])}–{number(shootout["away"])}
            </p>
          ) : null}
          <p className="clock num">
            {clock.running ? clockText(clock.seconds) : periodLine(fixture, board, clock)}
            {clock.running && clock.minute.includes("+") ? <small> added time</small> : null}
          </p>
        </div>
        <Team side="away" name={nameOf(fixture, "away")} scored={scored} cards={record(board["cards"])} />
      </div>
    </div>
  );
}

function periodLine(fixture: BoardProps["fixture"], board: BoardProps["board"], clock: FootballClock): string {
  if (fixture.status === "scheduled") return "Not started";
  if (fixture.status === "ended") return unplayed(board) ?? "Full time";
  return clock.period === null ? (text(board.period) ?? "") : pauseText(clock);
}

function Team({ side, name, scored, cards }: { side: Side; name: string; scored: Goal[]; cards: Record<string, unknown> }): ReactNode {
  const own = record(cards[side]);
  const yellow = number(own["yellow"]);
  const red = number(own["red"]);
  return (
    <section className={`team-block ${side}`} aria-label={name}>
      <p className="team-name">{name}</p>
      {yellow + red > 0 ? (
        <p className="cards num">
          {yellow > 0 ? <span className="yellow">{yellow} yellow</span> : null}
          {red > 0 ? <span className="red">{red} red</span> : null}
        </p>
      ) : null}
      <ul className="scorers">
        {scored
          .filter((goal) => goal.side === side)
          .map((goal, i) => (
            <li key={i}>
              {goal.scorer ?? "Goal"} <span className="num quiet">{goal.minute}′</span>
              {goal.kind === "penalty" ? <small> pen</small> : goal.kind === "own_goal" ? <small> own goal</small> : null}
            </li>
          ))}
      </ul>
    </section>
  );
}

