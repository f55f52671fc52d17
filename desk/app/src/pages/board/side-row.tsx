// What every side's row in a table of columns has: its name first, its total last.
import type { Side } from "@omnium/bridge";
import type { ReactNode } from "react";
import { nameOf, shortOf, scored } from "../../lib/words";
import type { BoardProps } from "./page";

/** The name, short where there is little room, and what stands beside it: the hammer, the service. */
export function SideHead({ fixture, of, mark }: { fixture: BoardProps["fixture"]; of: Side; mark: ReactNode }): ReactNode {
  return (
    <th scope="row">
      <span className="who">
        <span className="long">{nameOf(fixture, of)}</span>
        <span className="abbr" aria-hidden="true">
          {shortOf(fixture, of)}
        </span>
        {mark}
      </span>
    </th>
  );
}

export function SideTotal({ board, of }: { board: BoardProps["board"]; of: Side }): ReactNode {
  return (
    <td className="total" data-testid={`board-${of}`}>
      {scored(board.status, board) ? (board.score[of] ?? 0) : ""}
    </td>
  );
}
