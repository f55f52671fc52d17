import type { Side } from "@omnium/bridge";
import { useField, useOmnium, type LiveMatch } from "@omnium/bridge/react";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";
import { Dialog, SideMark, StateWord } from "../../ui/bits";

/** Names, short names and colours of the sides. Each value says in words what became of its last edit. */
export function Competitors({ match, onClose }: { match: LiveMatch; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Names of the sides" onClose={onClose}>
      <div className="inside">
        <h2>Names of the sides</h2>
        {(["home", "away"] as const).map((side) => (
          <div className="pair names" key={side}>
            <NameField match={match} side={side} name="name" label="Name" />
            <NameField match={match} side={side} name="short" label="Short, for overlays" />
          </div>
        ))}
        <div className="row between">
          <span className="quiet small">Saved when you leave a field or press Enter.</span>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function NameField({ match, side, name, label }: { match: LiveMatch; side: Side; name: "name" | "short"; label: string }): ReactNode {
  const { outbox } = useOmnium();
  const field = useField(match, side, name);
  const [text, setText] = useState(field.value);
  useEffect(() => setText(field.value), [field.value]);
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    const wanted = text.trim();
    if (wanted !== "" && wanted !== field.value) void field.set(wanted);
  };
  const { entry } = field;
  return (
    <form className="field" onSubmit={save}>
      <span className="row">
        <SideMark side={side} /> {label} <StateWord state={field.state} reason={field.settled?.answer?.reason} />
      </span>
      <input className="input" aria-label={`${label}, ${side}`} value={text} onChange={(event) => setText(event.target.value)} onBlur={() => save()} />
      {entry?.state !== "conflict" ? null : (
        <span className="row">
          <small>
            Somebody else set: <b>{String(entry.answer?.conflict?.rows[0]?.[name] ?? "another value")}</b>
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
