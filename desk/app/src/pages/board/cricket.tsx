import { standing, type LogRow } from "@omnium/bridge";
import type { ReactNode } from "react";
import { ballText } from "../desk/cricket_ball";
import { readCricket } from "../desk/cricket_tracker";
import { nameOf, unplayed } from "../../lib/words";
import type { BoardProps } from "./page";
import { cricketResult, inningsOf, number, record, records, runsText, text } from "./read";

export function CricketBoard({ fixture, board, rows }: BoardProps): ReactNode {
  const all = inningsOf(board);
  const now = all[all.length - 1];
  const result = cricketResult(board, (side) => nameOf(fixture, side));
  const tracker = readCricket(standing(rows));
  const perOver = tracker.ballsPerOver;
  const bowling = record(board["bowling"]);
  if (now === undefined) {
    return (
      <div className="board cricket unstarted">
        <p className="team-name">
          {nameOf(fixture, "home")} <i>v</i> {nameOf(fixture, "away")}
        </p>
        <p className="clock">{result ?? unplayed(board) ?? "Not started"}</p>
      </div>
    );
  }
  const rate = now.balls === 0 ? null : (now.runs * perOver) / now.balls;
  return (
    <div className="board cricket">
      <div className="cricket-top">
        <div>
          <p className="team-name">{now.batting === null ? "" : nameOf(fixture, now.batting)}</p>
          <p className="big num" data-testid="board-score">
            {runsText(now)}
          </p>
        </div>
        <div className="cricket-facts num">
          <p>
            <b>{now.overs}</b> overs
          </p>
          {rate === null ? null : (
            <p>
              <b>{rate.toFixed(2)}</b> an over
            </p>
          )}
          {now.target === null ? null : (
            <p>
              Target <b>{now.target}</b>
              {now.target > now.runs && !now.closed ? <>, needs <b>{now.target - now.runs}</b></> : null}
            </p>
          )}
        </div>
      </div>
      {result === null ? null : <p className="result">{result}</p>}
      <div className="cricket-mid">
        <table className="figures num">
          <caption className="out">At the wicket</caption>
          <thead>
            <tr>
              <th scope="col">Batting</th>
              <th scope="col">R</th>
              <th scope="col">B</th>
              <th scope="col">4s</th>
              <th scope="col">6s</th>
            </tr>
          </thead>
          <tbody>
            {records(board["batting"]).map((one) => (
              <tr key={text(one["batter"])}>
                <th scope="row">
                  {text(one["batter"])}
                  {tracker.striker === one["batter"] ? <span title="on strike"> *</span> : null}
                </th>
                <td>
                  <b>{number(one["runs"])}</b>
                </td>
                <td>{number(one["balls"])}</td>
                <td>{number(one["fours"])}</td>
                <td>{number(one["sixes"])}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {text(bowling["bowler"]) === null ? null : (
          <table className="figures num">
            <caption className="out">Bowling</caption>
            <thead>
              <tr>
                <th scope="col">Bowling</th>
                <th scope="col">O</th>
                <th scope="col">M</th>
                <th scope="col">R</th>
                <th scope="col">W</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">{text(bowling["bowler"])}</th>
                <td>{`${Math.floor(number(bowling["balls"]) / perOver)}.${number(bowling["balls"]) % perOver}`}</td>
                <td>{number(bowling["maidens"])}</td>
                <td>{number(bowling["runs"])}</td>
                <td>
                  <b>{number(bowling["wickets"])}</b>
                </td>
              </tr>
            </tbody>
          </table>
        )}
      </div>
      <ThisOver balls={tracker.over} />
      {all.length > 1 ? (
        <ul className="innings num">
          {all.slice(0, -1).map((one, i) => (
            <li key={i}>
              <span>{one.batting === null ? "" : nameOf(fixture, one.batting)}</span>
              <b>{runsText(one)}</b>
              <span className="quiet">
                {one.overs} overs{one.kind === "super_over" ? ", super over" : ""}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

export function ThisOver({ balls }: { balls: LogRow[] }): ReactNode {
  return (
    <p className="over num">
      <span className="quiet small">This over</span>
      {balls.length === 0 ? <span className="quiet">no ball yet</span> : null}
      {balls.map((row) => {
        const said = ballText(row.input);
        return (
          <span key={row.item.seq} className={`ball ${said.tone}`} title={said.words}>
            {said.short}
          </span>
        );
      })}
    </p>
  );
}
