// Who else scores this match. Seen from the log itself: who sent what lately, and who has said that they take over.
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useMemo, type ReactNode } from "react";
import { useNow } from "../../lib/hooks";
import { ago } from "../../lib/words";
import type { Desk } from "./model";

export interface Present {
  /** Other senders of the last minutes, the newest first. */
  others: { sender: string; at: number }[];
  /** Another desk that took the match over and has not been relieved; null: this desk may score. */
  takenBy: string | null;
}

const recentMs = 15 * 60_000;
const takeOver = "Take-over: ";

export function usePresence(desk: Desk): Present {
  const { outbox } = useOmnium();
  const keys = useMemo(() => new Set(desk.settled.map((done) => done.key)), [desk.settled]);
  const seen = useMemo(() => {
    const mine = new Set([outbox.sender, ""]);
    // The server may name the sender after its token: whoever sent our own keys is us.
    for (const { item } of desk.rows) if (keys.has(item.key)) mine.add(item.sender);
    const last = new Map<string, number>();
    let taken: { sender: string; at: number } | null = null;
    for (const { item } of desk.rows) {
      const at = Date.parse(item.at);
      if (!mine.has(item.sender)) last.set(item.sender, at);
      const text = item.code === "match.note" ? item.input["text"] : null;
      if (typeof text === "string" && text.startsWith(takeOver)) taken = mine.has(item.sender) ? null : { sender: item.sender, at };
    }
    return { last, taken };
  }, [desk.rows, keys, outbox]);
  useNow(10_000);
  const now = desk.serverNow();
  const others = [...seen.last].map(([sender, at]) => ({ sender, at })).filter((one) => now - one.at < recentMs).sort((a, b) => b.at - a.at);
  const holder = seen.taken;
  const active = holder !== null && now - (seen.last.get(holder.sender) ?? holder.at) < recentMs;
  const takenBy = active ? holder.sender : null;
  const subject = `fixture/${desk.id}`;
  useEffect(() => {
    if (takenBy !== null) void outbox.hold(subject);
  }, [takenBy, outbox, subject]);
  return { others, takenBy };
}

/** `may`: this device may score, so it may take over. */
export function Presence({ desk, presence, may }: { desk: Desk; presence: Present; may: boolean }): ReactNode {
  const { outbox } = useOmnium();
  const { others, takenBy } = presence;
  if (others.length === 0 && takenBy === null) return null;
  const take = (): void => {
    desk.send("match.note", { text: `${takeOver}${outbox.sender} scores this match now.` }, "Take-over");
  };
  const now = desk.serverNow();
  return (
    <div className={takenBy === null ? "presence" : "presence taken"} role="status" data-testid="presence">
      <p>
        {takenBy !== null ? (
          <>
            <strong>{takenBy} took this match over.</strong> Keys are off here.
            {desk.entries.length > 0 ? ` Your ${desk.entries.length} waiting ${desk.entries.length === 1 ? "entry is" : "entries are"} kept below.` : ""}
          </>
        ) : (
          <>
            {may ? "Also scoring: " : "Scoring: "}{others.map((one) => `${one.sender} (${ago(now - one.at)})`).join(", ")}. You are <strong>{outbox.sender}</strong>.
          </>
        )}
      </p>
      {may ? (
        <button type="button" className="button slim" onClick={take}>
          {takenBy === null ? "Take over" : "Take it back"}
        </button>
      ) : null}
    </div>
  );
}
