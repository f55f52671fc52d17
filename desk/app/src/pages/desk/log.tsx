// The log beside the keys: newest first, each row editable in place. What a change would do is shown before it is made.
import { entryState, isStopped, type LogRow, type MatchView } from "@omnium/bridge";
import { useLink } from "@omnium/bridge/react";
import { memo, useState, type FormEvent, type ReactNode } from "react";
import { describe } from "../../lib/describe";
import { clockTime } from "../../lib/words";
import { SideMark, StateWord } from "../../ui/bits";
import { RowEditor } from "./row_editor";
import type { Desk } from "./model";

/** Rows drawn at first; a Test match has thousands. */
const drawn = 120;

export function Log({ desk, problem, older, first }: { desk: Desk; problem: string | null; older: MatchView | null; first: number }): ReactNode {
  const [open, setOpen] = useState<number | null>(null);
  const [shown, setShown] = useState(drawn);
  const rows = desk.rows.slice(-shown).reverse();
  const held = desk.entries.filter((entry) => isStopped(entry) || !desk.rows.some((row) => row.item.key === entry.key));
  const more = desk.rows.length > shown || first > 1;
  const showMore = (): void => {
    setShown(shown + 200);
    if (desk.rows.length <= shown + 200 && first > 1) older?.loadOlder().catch(() => undefined); // the button stays: it is asked for again
  };
  return (
    <aside className="log card" aria-label="Log" data-testid="log">
      <header>
        <h2>Log</h2>
        <span className="quiet small num">{desk.version === 1 ? "1 row" : `${desk.version} rows`}</span>
      </header>
      <Note desk={desk} />
      {problem === null ? null : <p className="notice">{problem}</p>}
      <ol>
        {[...held].reverse().map((entry) => (
          <li key={entry.key} className="log-row pending">
            <PendingRow label={entry.label} state={<EntryWord desk={desk} entryKey={entry.key} />} />
          </li>
        ))}
        {rows.map((row) => (
          <Row key={row.item.key === "" ? row.item.seq : `${row.item.seq}-${row.item.key}`} desk={desk} row={row} open={open === row.item.seq} onOpen={(wanted) => setOpen(wanted ? row.item.seq : null)} />
        ))}
      </ol>
      {rows.length === 0 && held.length === 0 ? <p className="quiet none">Nothing has happened yet.</p> : null}
      {more ? (
        <button type="button" className="button plain slim" onClick={showMore}>
          Older rows
        </button>
      ) : null}
    </aside>
  );
}

function EntryWord({ desk, entryKey }: { desk: Desk; entryKey: string }): ReactNode {
  const link = useLink();
  const entry = desk.entries.find((one) => one.key === entryKey);
  if (entry === undefined) return null;
  const stopped = desk.entries.some((one) => one.n < entry.n && isStopped(one));
  return <StateWord state={stopped ? "waiting" : entryState(entry, link)} reason={entry.answer?.reason} />;
}

function PendingRow({ label, state }: { label: string; state: ReactNode }): ReactNode {
  return (
    <div className="log-line">
      <span className="log-seq num quiet">–</span>
      <span className="log-what">
        <strong>{label}</strong>
      </span>
      {state}
    </div>
  );
}

interface RowProps {
  desk: Desk;
  row: LogRow;
  open: boolean;
  onOpen: (open: boolean) => void;
}

const Row = memo(
  function Row({ desk, row, open, onOpen }: RowProps): ReactNode {
    const said = describe(row.code, row.input, desk.names, desk.sport);
    const waiting = desk.entries.some((entry) => entry.key === row.item.key);
    const voided = row.voidedBy !== null;
    const remark = voided ? `undone by #${row.voidedBy}` : row.amendedBy !== null ? `changed by #${row.amendedBy}` : row.insertedBefore !== null ? `put in before #${row.insertedBefore}` : "";
    return (
      <li className={`log-row ${voided ? "voided" : ""} ${row.correction ? "correction" : ""} ${waiting ? "pending" : ""}`} data-testid="log-row" data-seq={row.item.seq}>
        <button type="button" className="log-line" aria-expanded={open} disabled={waiting} onClick={() => onOpen(!open)}>
          <span className="log-seq num quiet">{row.item.seq}</span>
          {said.side === null ? null : <SideMark side={said.side} />}
          <span className="log-what">
            <strong>{said.title}</strong>
            {said.detail === "" ? null : <span> {said.detail}</span>}
            {said.side === null ? null : <span className="out">, {desk.names[said.side]}</span>}
            {remark === "" ? null : <small className="log-remark"> {remark}</small>}
            {typeof row.input["umpire"] === "string" ? <small className="log-remark"> by the umpire: {row.input["umpire"]}</small> : null}
          </span>
          {waiting ? <EntryWord desk={desk} entryKey={row.item.key} /> : <time className="num quiet small" dateTime={row.item.at} title={`by ${row.item.sender}`}>{clockTime(row.item.at)}</time>}
        </button>
        {open && !waiting ? <RowEditor desk={desk} row={row} onClose={() => onOpen(false)} /> : null}
      </li>
    );
  },
  (before, after) => before.open === after.open && !after.open && before.row === after.row && before.desk.entries === after.desk.entries && before.desk.sport === after.desk.sport && before.desk.names.home === after.desk.names.home && before.desk.names.away === after.desk.names.away,
);

function Note({ desk }: { desk: Desk }): ReactNode {
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    desk.send("match.note", { text: text.trim() }, "Note");
    setText("");
  };
  return (
    <form className="log-note" onSubmit={submit}>
      <input className="input" aria-label="Write a note" placeholder={desk.locked === undefined ? "Write a note" : "No notes from here now"} title={desk.locked} disabled={desk.locked !== undefined} value={text} onChange={(event) => setText(event.target.value)} />
      <button className="button slim" disabled={text.trim() === "" || desk.locked !== undefined}>
        Add
      </button>
    </form>
  );
}
