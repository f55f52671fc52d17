import type { Side } from "@omnium/bridge";
import type { ReactNode } from "react";
import { unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { both, number, record, records, side, text } from "./read";
import { SideHead, SideTotal } from "./side-row";

export function CurlingBoard({ fixture, board }: BoardProps): ReactNode {
  const ends = records(board["ends"]);
  const planned = number(record(fixture.settings)["ends"]) || (record(fixture.settings)["format"] === "mixed_doubles" || record(fixture.settings)["format"] === "wheelchair" ? 8 : 10);
  const columns = Math.max(planned, ends.length);
  const hammer = side(board["hammer"]);
  return (
    <div className="board curling">
      <div className="scroll">
        <table className="linescore num">
          <thead>
            <tr>
              <th scope="col">
                <span className="out">Team</span>
              </th>
              {Array.from({ length: columns }, (_, i) => (
                <th scope="col" key={i}>
                  {i + 1}
                </th>
              ))}
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {both.map((one) => (
              <tr key={one} className={one}>
                <SideHead fixture={fixture} of={one} mark={hammer === one && fixture.status !== "ended" ? <Hammer /> : null} />
                {Array.from({ length: columns }, (_, i) => (
                  <td key={i} className={side(ends[i]?.["hammer"]) === one ? "had-hammer" : ""} title={side(ends[i]?.["hammer"]) === one ? "had the hammer" : undefined}>
                    {cell(ends[i], one, fixture.status)}
                  </td>
                ))}
                <SideTotal board={board} of={one} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="clock">
        {fixture.status === "ended" ? (unplayed(board) ?? "Final") : fixture.status === "scheduled" ? "Not started" : `${endText(board.period)}${number(board["stones_thrown"]) > 0 ? `, stone ${number(board["stones_thrown"])}` : ""}`}
      </p>
    </div>
  );
}

export function endText(period: unknown): string {
  const said = text(period);
  if (said === null) return "";
  const found = /^(EE|E)?(\d+)$/.exec(said);
  if (found === null) return said;
  return found[1] === "EE" ? `Extra end ${found[2]}` : `End ${found[2]}`;
}

function cell(end: Record<string, unknown> | undefined, of: Side, status: string): ReactNode {
  if (end === undefined) return status === "ended" ? <span title="not played">X</span> : "";
  if (end["played"] === false) return status === "ended" ? <span title="not played">X</span> : <span className="quiet">·</span>;
  if (end["blank"] === true) return <span title="blank end">0</span>;
  const points = end[of];
  return typeof points === "number" ? (points === 0 ? <span className="quiet">0</span> : <b>{points}</b>) : "";
}

export function Hammer(): ReactNode {
  return (
    <span className="hammer" title="has the hammer">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M2 3h8l2 2v2H2zM6 7h3v8H6z" fill="currentColor" />
      </svg>
      <span className="out">has the hammer</span>
    </span>
  );
}
