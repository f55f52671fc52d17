import type { Side } from "@omnium/bridge";
import { useField, useOmnium, type LiveMatch } from "@omnium/bridge/react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Dialog, SideMark, StateWord } from "../../ui/bits";

/** Names, short names and colours of the sides. Each value says in words what became of its last edit. */
export function Competitors({ match, locked, onClose }: { match: LiveMatch; locked: string | undefined; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Names of the sides" onClose={onClose}>
      <div className="inside">
        <h2>Names of the sides</h2>
        {(["home", "away"] as const).map((side) => (
          <div className="pair names" key={side}>
            <NameField match={match} side={side} name="name" label="Name" locked={locked} />
            <NameField match={match} side={side} name="short" label="Short, for overlays" locked={locked} />
          </div>
        ))}
        <div className="row between">
          <span className="quiet small">{locked ?? "Saved when you leave a field or press Enter."}</span>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function NameField({ match, side, name, label, locked }: { match: LiveMatch; side: Side; name: "name" | "short"; label: string; locked: string | undefined }): ReactNode {
  const { outbox } = useOmnium();
  const field = useField(match, side, name);
  const [text, setText] = useState(field.value);
  // Being edited: since what value, of what row version. null: what is shown is what is saved.
  const edit = useRef<{ value: string; seq: number } | null>(null);
  const sent = useRef<string | null>(null);
  useEffect(() => {
    if (edit.current === null) setText(field.value);
  }, [field.value]);
  const change = (value: string): void => {
    edit.current ??= { value: field.value, seq: match.fixture?.sides[side].changed_seq ?? 0 };
    setText(value);
  };
  // Enter saves, and leaving the field after it does not save again.
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    const since = edit.current;
    const wanted = text.trim();
    edit.current = null;
    if (since === null || wanted === "" || wanted === field.value) return setText(wanted === "" ? field.value : text);
    // Somebody else's value came under the edit: the person has not seen it, so it is a conflict to decide.
    const under = field.value !== since.value && field.value !== sent.current;
    sent.current = wanted;
    void field.set(wanted, under ? since.seq : undefined);
  };
  const { entry } = field;
  // The conflict names every row of the match as it is now.
  const theirs = entry?.answer?.conflict?.rows.find((one) => (one["row"] ?? one["id"]) === entry.input["row"]);
  return (
    <form className="field" onSubmit={save}>
      <span className="row">
        <SideMark side={side} /> {label} <StateWord state={field.state} reason={field.settled?.answer?.reason} />
      </span>
      <input className="input" aria-label={`${label}, ${side}`} value={text} disabled={locked !== undefined} title={locked} onChange={(event) => change(event.target.value)} onBlur={() => save()} />
      {entry?.state !== "conflict" ? null : (
        <span className="row">
          <small>
            Somebody else set: <b>{String(theirs?.[name] ?? "another value")}</b>
          </small>
          <button type="button" className="button slim" onClick={() => void outbox.decide(entry.key, "mine")}>
            Mine
          </button>
          <button type="button" className="button slim" onClick={() => void outbox.decide(entry.key, "theirs")}>
            Theirs
          </button>
        </span>
      )}
    </form>
  );
}
