// Who else scores this match. Seen from the log itself: who sent what lately, and who has said that they take over.
// What this device keeps for the match is held back by the outbox, whatever page is open.
import { isTakeOver, takenOver, takeOverText, type TimelineItem } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useMemo, type ReactNode } from "react";
import { useNow } from "../../lib/hooks";
import { ago } from "../../lib/words";
import type { Desk } from "./model";

export interface Present {
  /** Other senders of the last minutes, the newest first. */
  others: { sender: string; at: number }[];
  /** Another desk that took the match over and has not been relieved; null: this desk may score. */
  takenBy: string | null;
  /** The last take-over is this device's own. */
  holds: boolean;
}

const recentMs = 15 * 60_000;

/** When each sender was last seen in the log with what is not this device's own, and who took the match over last, unless
 * it was this device. `mine`: names it is known by; the server may name the sender after the token. */
export function whoScores(items: readonly TimelineItem[], sender: string, keys: ReadonlySet<string>): { last: Map<string, number>; mine: Set<string>; taken: ReturnType<typeof takenOver>; holds: boolean } {
  const mine = new Set([sender, ""]);
  const last = new Map<string, number>();
  for (const item of items) {
    if (keys.has(item.key)) mine.add(item.sender);
    else last.set(item.sender, Date.parse(item.at));
  }
  const taken = takenOver(items, { sender, keys });
  return { last, mine, taken, holds: taken === null && items.some(isTakeOver) };
}

export function usePresence(desk: Desk): Present {
  const { outbox } = useOmnium();
  const keys = useMemo(() => new Set([...desk.settled, ...desk.entries].map((one) => one.key)), [desk.settled, desk.entries]);
  const { last, mine, taken, holds } = useMemo(() => whoScores(desk.rows.map((row) => row.item), outbox.sender, keys), [desk.rows, keys, outbox]);
  useNow(10_000);
  const now = desk.serverNow();
  const others = [...last].filter(([sender, at]) => !mine.has(sender) && now - at < recentMs).map(([sender, at]) => ({ sender, at })).sort((a, b) => b.at - a.at);
  const active = taken !== null && now - (last.get(taken.sender) ?? Date.parse(taken.at)) < recentMs;
  return { others, takenBy: active ? taken.by : null, holds };
}

/** `may`: this device may score, so it may take over. */
export function Presence({ desk, presence, may }: { desk: Desk; presence: Present; may: boolean }): ReactNode {
  const { outbox } = useOmnium();
  const { others, takenBy, holds } = presence;
  if (others.length === 0 && takenBy === null) return null;
  const take = (): void => {
    desk.send("match.note", { text: takeOverText(outbox.sender) }, "Take-over");
  };
  const now = desk.serverNow();
  const lately = others.map((one) => `${one.sender} (${ago(now - one.at)})`).join(", ");
  const kept = desk.entries.filter((entry) => !isTakeOver(entry)).length;
  return (
    <div className={takenBy === null ? "presence" : "presence taken"} role="status" data-testid="presence">
      <p>
        {takenBy !== null ? (
          <>
            <strong>{takenBy} took this match over.</strong> Keys are off here.
            {kept > 0 ? ` Your ${kept} waiting ${kept === 1 ? "entry is" : "entries are"} kept below.` : ""}
          </>
        ) : (
          <>
            {!may ? "Scoring: " : holds ? "Also lately: " : "Also scoring: "}{lately}. You are <strong>{outbox.sender}</strong>{holds ? " and have this match." : "."}
          </>
        )}
      </p>
      {may && !holds ? (
        <button type="button" className="button slim" onClick={take}>
          {takenBy === null ? "Take over" : "Take it back"}
        </button>
      ) : null}
    </div>
  );
}
