// Tennis, volleyball, badminton: sets (or games) in columns, the point or rally score beside them, and who serves.
import type { Side } from "@omnium/bridge";
import type { ReactNode } from "react";
import { nameOf, unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { both, number, record, records, side, text } from "./read";
import { SideHead, SideTotal } from "./side-row";

export function RacketBoard({ fixture, board }: BoardProps): ReactNode {
  const sets = records(board["sets"] ?? board["games"]);
  const points = record(board["points"]);
  const rally = fixture.status === "live" && !tennisLike(board) && sets.length === 0;
  const server = side(board["server"]) ?? side(record(board["server"])["side"]);
  const game = record(board["game"]);
  const tennis = tennisLike(board);
  return (
    <div className="board sets">
      <div className="scroll">
        <table className="linescore num">
          <thead>
            <tr>
              <th scope="col">
                <span className="out">Side</span>
              </th>
              {sets.map((_, i) => (
                <th scope="col" key={i}>
                  {tennis ? `Set ${i + 1}` : i + 1}
                </th>
              ))}
              {tennis || rally ? <th scope="col">Points</th> : null}
              <th scope="col">{board["games"] === undefined ? "Sets" : "Games"}</th>
            </tr>
          </thead>
          <tbody>
            {both.map((one) => (
              <tr key={one} className={one}>
                <SideHead fixture={fixture} of={one} mark={server === one && fixture.status === "live" ? <Serving /> : null} />
                {sets.map((set, i) => (
                  <td key={i} className={i === sets.length - 1 && fixture.status === "live" ? "points" : ""}>
                    <SetScore set={set} of={one} current={i === sets.length - 1 && fixture.status === "live"} />
                  </td>
                ))}
                {rally ? <td className="points">{number(points[one])}</td> : null}
                {tennis ? <td className="points">{fixture.status === "live" ? (text(game[one]) ?? "0") : ""}</td> : null}
                <SideTotal board={board} of={one} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Rotation board={record(board["rotation"])} names={{ home: nameOf(fixture, "home"), away: nameOf(fixture, "away") }} />
      <p className="clock">{fixture.status === "ended" ? (unplayed(board) ?? "Final") : fixture.status === "scheduled" ? "Not started" : partText(board.period)}</p>
    </div>
  );
}

/** Does the board count points inside a game, as tennis does? */
function tennisLike(board: BoardProps["board"]): boolean {
  return typeof board["game"] === "object" && board["game"] !== null;
}

/** S2 and G1 in words. */
function partText(period: unknown): string {
  const said = text(period) ?? "";
  const found = /^([SG])(\d+)$/.exec(said);
  return found === null ? said : `${found[1] === "S" ? "Set" : "Game"} ${found[2]}`;
}

function SetScore({ set, of, current }: { set: Record<string, unknown>; of: Side; current: boolean }): ReactNode {
  const own = number(set[of]);
  const other = number(set[of === "home" ? "away" : "home"]);
  const tiebreak = set["tiebreak"];
  const extra = typeof tiebreak === "number" ? (own < other ? tiebreak : null) : typeof tiebreak === "object" && tiebreak !== null ? number(record(tiebreak)[of]) : null;
  return (
    <>
      {own > other && !current ? <b>{own}</b> : own}
      {extra === null ? null : <sup>{extra}</sup>}
    </>
  );
}

function Serving(): ReactNode {
  return (
    <span className="serving" title="serving">
      <span className="out">serving</span>
    </span>
  );
}

function Rotation({ board, names }: { board: Record<string, unknown>; names: Record<Side, string> }): ReactNode {
  const lists = both.filter((one) => Array.isArray(board[one]) && (board[one] as unknown[]).length > 0);
  if (lists.length === 0) return null;
  return (
    <div className="rotation num">
      {lists.map((one) => (
        <p key={one}>
          <span className="quiet small">{names[one]}, from position 1</span>
          {(board[one] as unknown[]).map((player, i) => (
            <span className="ball" key={i}>
              {text(player) ?? "–"}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
