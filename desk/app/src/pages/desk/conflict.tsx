// The match moved on under an entry: both sides of it in view, one key each. Nothing is merged in silence.
import { isStopped, type Entry } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { describe } from "../../lib/describe";
import { clockTime, sayHeld } from "../../lib/words";
import { Kbd, SideMark, StateWord } from "../../ui/bits";
import type { Desk } from "./model";

/** A press this soon after a conflict appeared was meant for something else. Milliseconds. */
const readMs = 600;

export interface Decision {
  entry: Entry | null;
  /** Long enough on the screen that a press is an answer to it. */
  read: boolean;
  mine: () => void;
  theirs: () => void;
  onKey: (key: string) => boolean;
}

export function useDecision(desk: Desk): Decision {
  const { outbox } = useOmnium();
  const entry = desk.entries.find(isStopped) ?? null;
  const key = entry?.key;
  const mine = useCallback(() => key !== undefined && void outbox.decide(key, "mine"), [outbox, key]);
  const theirs = useCallback(() => key !== undefined && void outbox.decide(key, "theirs"), [outbox, key]);
  const [readKey, setReadKey] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setReadKey(key), readMs);
    return () => clearTimeout(timer);
  }, [key]);
  const read = key !== undefined && readKey === key;
  const onKey = useCallback(
    (pressed: string): boolean => {
      if (!read) return false;
      if (pressed === "m") return mine(), true;
      if (pressed === "t") return theirs(), true;
      return false;
    },
    [read, mine, theirs],
  );
  return { entry, read, mine, theirs, onKey };
}

export function Decide({ desk, decision }: { desk: Desk; decision: Decision }): ReactNode {
  const { entry } = decision;
  if (entry === null) return null;
  const conflict = entry.state === "conflict";
  const behind = desk.entries.filter((one) => one.n > entry.n).length;
  // The log since then holds counted events as well; what the entry is in conflict with are the plays.
  const since = entry.answer?.conflict?.since ?? [];
  const plays = since.filter((item) => item.play);
  const theirs = plays.length > 0 ? plays : since;
  const mine = describe(entry.code, entry.input, desk.names, desk.sport);
  return (
    <section className={conflict ? "decide" : "decide held"} role="alertdialog" aria-label={conflict ? "Conflict" : "Kept back"} data-testid="conflict">
      <header>
        <StateWord state={conflict ? "conflict" : "waiting"} />
        <p>
          {conflict ? "Somebody else scored meanwhile. Your entry is not saved yet: decide." : `${sayHeld(entry)} Your entry is kept: send it, or drop it.`}
          {behind > 0 ? ` ${behind} more ${behind === 1 ? "waits" : "wait"} behind it.` : ""}
        </p>
      </header>
      <div className="decide-two">
        <div>
          <h3>Mine</h3>
          <p data-testid="conflict-mine">
            {mine.side === null ? null : <SideMark side={mine.side} />} <strong>{mine.title}</strong>
            {mine.side === null ? "" : ` ${desk.names[mine.side]}`} {mine.detail}
          </p>
          <button type="button" className="button primary" disabled={!decision.read} onClick={decision.mine}>
            <Kbd>M</Kbd> {conflict ? "Save mine after theirs" : "Send it"}
          </button>
        </div>
        <div>
          <h3>{conflict ? "Theirs" : "Instead"}</h3>
          <ul data-testid="conflict-theirs">
            {theirs.map((item) => {
              const said = describe(item.code, item.input, desk.names, desk.sport);
              return (
                <li key={item.seq}>
                  {said.side === null ? null : <SideMark side={said.side} />} <strong>{said.title}</strong>
                  {said.side === null ? "" : ` ${desk.names[said.side]}`} {said.detail}
                  <span className="quiet small">
                    {" "}
                    by {item.sender}, {clockTime(item.at)}
                  </span>
                </li>
              );
            })}
            {theirs.length === 0 && entry.hold?.why === "taken" ? <li className="quiet">Leave the match to the other desk.</li> : null}
          </ul>
          <button type="button" className="button" disabled={!decision.read} onClick={decision.theirs}>
            <Kbd>T</Kbd> {conflict ? "Keep theirs, drop mine" : "Drop it"}
          </button>
        </div>
      </div>
    </section>
  );
}
