// Edits one row in place: change it, undo it, or put in what was missed before it. The server says first what would become
// of the score; only then is there something to confirm.
import { parseJson, writeJson, type LogRow, type Preview } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { plain } from "../../lib/words";
import { lacking, pruned, SchemaForm, type Schema } from "../../ui/schema_form";
import type { Desk } from "./model";

type Mode = "amend" | "void" | "insert";

interface Draft {
  code: string;
  input: Record<string, unknown>;
}

export function RowEditor({ desk, row, onClose }: { desk: Desk; row: LogRow; onClose: () => void }): ReactNode {
  const schemaFor = (code: string): Schema => (desk.sport?.commands.find((one) => one.code === code)?.schema ?? {}) as Schema;
  const editable = !row.correction && row.voidedBy === null && Object.keys(schemaFor(row.code).properties ?? {}).length > 0;
  const [mode, setMode] = useState<Mode>(editable ? "amend" : "void");
  const [value, setValue] = useState<Record<string, unknown>>(row.input);
  const insertable = (desk.sport?.commands ?? []).filter((one) => !one.code.startsWith("match.") || one.code === "match.note");
  const [code, setCode] = useState(insertable.find((one) => one.code === row.code)?.code ?? insertable[0]?.code ?? "");
  const [added, setAdded] = useState<Record<string, unknown>>({});
  const [reason, setReason] = useState("");
  const [cascade, setCascade] = useState(false);
  const draft = draftOf(mode, row, pruned(value) as Record<string, unknown>, code, pruned(added) as Record<string, unknown>, reason, cascade, lacking(schemaFor(mode === "insert" ? code : row.code), mode === "insert" ? added : value));
  const preview = usePreview(desk, draft);
  const would = preview?.would;
  const modes: [Mode, string, boolean][] = [["amend", "Change", editable], ["void", row.item.code === "match.void" ? "Redo" : "Undo this", row.voidedBy === null], ["insert", "Put in before", !row.correction]];
  const apply = (): void => {
    if (draft === null) return;
    desk.send(draft.code, draft.input, `${modes.find(([one]) => one === mode)![1]} #${row.item.seq}`);
    onClose();
  };
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [mode, would]);
  return (
    <div className="row-editor appear" data-testid="row-editor" ref={place}>
      <fieldset className="choices" aria-label={`What to do with row ${row.item.seq}`}>
        {modes.map(([one, name, allowed]) =>
          allowed ? (
            <label key={one}>
              <input type="radio" name={`mode-${row.item.seq}`} checked={mode === one} onChange={() => setMode(one)} />
              <span>{name}</span>
            </label>
          ) : null,
        )}
      </fieldset>
      {mode === "amend" ? <SchemaForm schema={schemaFor(row.code)} value={value} onChange={setValue} sides={desk.names} /> : null}
      {mode === "insert" ? (
        <>
          <label className="field">
            <span>What was missed</span>
            <select className="input" value={code} onChange={(event) => (setCode(event.target.value), setAdded({}))}>
              {insertable.map((one) => (
                <option key={one.code} value={one.code}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
          <SchemaForm schema={schemaFor(code)} value={added} onChange={setAdded} sides={desk.names} />
        </>
      ) : null}
      <label className="field">
        <span>
          Reason <span className="quiet">(optional)</span>
        </span>
        <input className="input" value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <PreviewView preview={preview} waiting={draft !== null} about={row.item.seq} />
      {preview?.reason?.code === "breaks_later" || cascade ? (
        <label className="check">
          <input type="checkbox" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />
          Undo the later events that no longer fit, too
        </label>
      ) : null}
      <div className="row between">
        <button type="button" className="button plain" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className={mode === "void" ? "button danger" : "button primary"} disabled={draft === null || would !== "accepted" || desk.locked !== undefined} title={desk.locked} onClick={apply} data-testid="apply">
          {mode === "amend" ? "Change it" : mode === "void" ? "Undo it" : "Put it in"}
        </button>
      </div>
    </div>
  );
}

function draftOf(mode: Mode, row: LogRow, value: Record<string, unknown>, code: string, added: Record<string, unknown>, reason: string, cascade: boolean, lacks: string | null): Draft | null {
  const more = { ...(reason.trim() === "" ? {} : { reason: reason.trim() }), ...(cascade ? { cascade: true } : {}) };
  const { seq } = row.item;
  if (mode === "void") return { code: "match.void", input: { seq, ...more } };
  if (lacks !== null) return null;
  if (mode === "insert") return code === "" ? null : { code: "match.insert", input: { before: seq, code, input: added, ...more } };
  return writeJson(value) === writeJson(row.input) ? null : { code: "match.amend", input: { seq, input: value, ...more } };
}

/** Asks the server what the draft would do, a moment after the last keystroke. */
function usePreview(desk: Desk, draft: Draft | null): Preview | null {
  const { client, outbox } = useOmnium();
  const [preview, setPreview] = useState<Preview | null>(null);
  const text = draft === null ? "" : writeJson(draft);
  const { id, version } = desk;
  const { sport } = desk.fixture;
  useEffect(() => {
    setPreview(null);
    if (text === "") return;
    let here = true;
    const timer = setTimeout(() => {
      const body = { ...(parseJson(text) as Draft), sender: outbox.sender };
      client.preview({ workflow: sport, kind: "fixture", ref: id }, body).then(
        (got) => here && setPreview(got),
        (error: unknown) => here && setPreview({ would: "refused", conflict: null, reason: { code: "no_link", message: `No preview: ${error instanceof Error ? error.message : "the server cannot be reached."}` } }),
      );
    }, 250);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [client, outbox, text, id, sport, version]);
  return preview;
}

function PreviewView({ preview, waiting, about }: { preview: Preview | null; waiting: boolean; about: number }): ReactNode {
  if (preview === null) return <p className="preview quiet small">{waiting ? "Asking what would change…" : "Change something, and what it would do appears here."}</p>;
  if (preview.would !== "accepted") {
    return (
      <p className="preview bad small" role="alert" data-testid="preview">
        Would be refused: {preview.reason?.message ?? "the match moved on."}
        {preview.reason?.law === undefined ? "" : ` ${preview.reason.law}.`}
      </p>
    );
  }
  const changes = preview.changes ?? [];
  const voids = (preview.voids ?? []).filter((seq) => seq !== about);
  return (
    <div className="preview small" data-testid="preview">
      {changes.length === 0 ? <p>The scoreboard stays as it is.</p> : <p>The scoreboard would change:</p>}
      <ul className="num">
        {changes.slice(0, 8).map((change) => (
          <li key={change.path}>
            <span className="quiet">{change.path.split("/").filter(Boolean).map(plain).join(", ")}</span> <s>{short(change.from)}</s> <b>{short(change.to)}</b>
          </li>
        ))}
        {changes.length > 8 ? <li className="quiet">and {changes.length - 8} more</li> : null}
      </ul>
      {voids.length === 0 ? null : <p>Undone with it: {voids.map((seq) => `#${seq}`).join(", ")}.</p>}
    </div>
  );
}

function short(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const text = typeof value === "string" || typeof value === "number" ? String(value) : writeJson(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
