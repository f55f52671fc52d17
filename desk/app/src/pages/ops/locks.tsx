// Who waits for whom in the database, and the way out: ending the session that holds the others up.
import { useOmnium } from "@omnium/bridge/react";
import { useState, type ReactNode } from "react";
import { plain, sayCount } from "../../lib/words";
import { Dialog } from "../../ui/bits";
import type { Lock } from "./alerts";

export function Locks({ locks, onChange }: { locks: Lock[]; onChange: () => void }): ReactNode {
  const [ending, setEnding] = useState<Lock | null>(null);
  const [said, setSaid] = useState("");
  if (locks.length === 0 && said === "" && ending === null) return null;
  const done = (sentence: string): void => {
    setEnding(null);
    setSaid(sentence);
    onChange();
  };
  return (
    <section className="card alerts" aria-label="Locks">
      <header>
        <h2>Who waits for whom</h2>
        {said === "" ? null : <span className="quiet small" role="status">{said}</span>}
      </header>
      <ul>
        {locks.map((lock) => (
          <li key={`${lock.waiting_pid} ${lock.blocking_pid}`} className="num row between">
            <span>
              {lock.waiting} ({lock.waiting_pid}) waits {lock.waiting_s} s for <strong>{nameOf(lock)}</strong>, {plain(lock.blocking_state ?? "state unknown").toLowerCase()}
              {lock.blocking_open_s === null ? "" : `, open for ${lock.blocking_open_s} s`}
            </span>
            <button type="button" className="button plain slim" aria-label={`End session ${lock.blocking_pid}`} onClick={() => setEnding(lock)}>
              End session
            </button>
          </li>
        ))}
      </ul>
      {ending === null ? null : <EndSession lock={ending} waiting={locks.filter((one) => one.blocking_pid === ending.blocking_pid).length} onClose={() => setEnding(null)} onDone={done} />}
    </section>
  );
}

function nameOf(lock: Lock): string {
  return lock.blocking === "" ? `session ${lock.blocking_pid}` : `${lock.blocking} (${lock.blocking_pid})`;
}

interface EndProps {
  lock: Lock;
  waiting: number;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

function EndSession({ lock, waiting, onClose, onDone }: EndProps): ReactNode {
  const { client } = useOmnium();
  const [asked, setAsked] = useState(false);
  const end = async (): Promise<void> => {
    setAsked(true);
    const answer = await client.http.act("/ops/locks/end", { pid: lock.blocking_pid }).catch(() => null);
    if (answer !== null && answer.status === 200) return onDone(`Session ${lock.blocking_pid} was ended.`);
    const detail = (answer?.body as { detail?: string } | null)?.detail;
    onDone(detail ?? "The server could not be reached; look again.");
  };
  return (
    <Dialog title="End this session" onClose={onClose}>
      <div className="inside">
        <h2>End {nameOf(lock)}?</h2>
        <p>
          What it has not committed is undone, and {waiting === 1 ? "the session that waits" : `the ${sayCount(waiting, "session")} that wait`} for it can go on. The server's log keeps that it was you.
        </p>
        <div className="row between">
          <span />
          <span className="row">
            <button type="button" className="button plain" data-autofocus="" onClick={onClose}>
              Leave it
            </button>
            <button type="button" className="button primary" disabled={asked} onClick={() => void end()}>
              End the session
            </button>
          </span>
        </div>
      </div>
    </Dialog>
  );
}
