import type { ReactNode } from "react";
import { besideScore, nameOf, plain, scored, unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { both, records, text } from "./read";

const shown = new Set(["status", "period", "score", "line"]);

/** Any sport: its score, its line, and whatever else its scoreboard says in single values. */
export function GenericBoard({ fixture, board }: BoardProps): ReactNode {
  const started = scored(fixture.status, board);
  const facts = !started ? [] : Object.entries(board).flatMap(([name, value]) => {
    const said = shown.has(name) ? null : simple(value);
    return said === null ? [] : [[name, said] as const];
  });
  return (
    <div className="board generic">
      <div className="versus">
        {both.map((side) => (
          <section key={side} className={`team-block ${side}`} aria-label={nameOf(fixture, side)}>
            <p className="team-name">{nameOf(fixture, side)}</p>
            {started ? (
              <p className="big num" data-testid={`board-${side}`}>
                {board.score[side] ?? 0}
              </p>
            ) : null}
          </section>
        ))}
      </div>
      <p className="clock num">{started ? besideScore(board) : (unplayed(board) ?? "Not started")}</p>
      {series(board).map(([name, parts]) => (
        <div className="scroll" key={name}>
          <table className="linescore num">
            <thead>
              <tr>
                <th scope="col">{plain(name)}</th>
                {parts.map((_, i) => (
                  <th scope="col" key={i}>
                    {i + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {both.map((side) => (
                <tr key={side} className={side}>
                  <th scope="row">{nameOf(fixture, side)}</th>
                  {parts.map((part, i) => (
                    <td key={i}>{text(part[side]) ?? ""}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
      {facts.length === 0 ? null : (
        <dl className="facts num">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{plain(name)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Members that list a pair for each part of the match: quarters, games, runs. */
function series(board: BoardProps["board"]): [string, Record<string, unknown>[]][] {
  return Object.entries(board).flatMap(([name, value]): [string, Record<string, unknown>[]][] => {
    const parts = records(value).filter((part) => text(part["home"]) !== null && text(part["away"]) !== null);
    return parts.length > 0 && Array.isArray(value) && parts.length === value.length ? [[name, parts]] : [];
  });
}

function simple(value: unknown): string | null {
  if (typeof value === "boolean") return value ? "Yes" : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return text(value);
  const pair = value as Record<string, unknown>;
  const home = text(pair["home"]);
  const away = text(pair["away"]);
  return home !== null && away !== null && Object.keys(pair).length === 2 ? `${home} – ${away}` : null;
}
