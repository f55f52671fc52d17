// A form from a JSON Schema: what the plugins' inputs are made of (strings, numbers, enums, booleans, lists, records).
import { parseJson, writeJson } from "@omnium/bridge";
import { useId, type ReactNode } from "react";
import { plain } from "../lib/words";

export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
};

type Value = unknown;
type Sides = { home: string; away: string };

/** The one shape behind "this or null". */
export function solid(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.oneOf ?? []).filter((one) => one.type !== "null");
  if (options.length === 1) return { ...options[0], ...(schema.description === undefined ? {} : { description: schema.description }) };
  if (Array.isArray(schema.type)) {
    const type = schema.type.find((one) => one !== "null");
    return type === undefined ? schema : { ...schema, type };
  }
  return schema;
}

export function typeOf(schema: Schema): string {
  const one = solid(schema);
  if (one.enum !== undefined) return "enum";
  if (one.properties !== undefined) return "object";
  const either = (one.anyOf ?? one.oneOf ?? []).map((option) => option.type);
  if (either.length > 1 && either.every((type) => type === "integer" || type === "number" || type === "string")) return "scalar";
  return typeof one.type === "string" ? one.type : "any";
}

/** Leaves out what was left empty; absent is not the same as "". */
export function pruned(value: Value): Value {
  if (Array.isArray(value)) return value.map(pruned).filter((one) => one !== undefined);
  if (typeof value !== "object" || value === null) return value === "" ? undefined : value;
  const out: Record<string, Value> = {};
  for (const [name, one] of Object.entries(value)) {
    const kept = pruned(one);
    if (kept !== undefined) out[name] = kept;
  }
  return out;
}

/** Does every required member have a value? Names the first that lacks one. */
export function lacking(schema: Schema, value: Record<string, Value>): string | null {
  for (const name of schema.required ?? []) {
    const held = pruned(value[name]);
    if (held === undefined) return name;
  }
  return null;
}

interface FormProps {
  schema: Schema;
  value: Record<string, Value>;
  onChange: (value: Record<string, Value>) => void;
  sides?: Sides | undefined;
  skip?: string[];
  suggest?: string[];
}

export function SchemaForm({ schema, value, onChange, sides, skip, suggest }: FormProps): ReactNode {
  const names = Object.keys(schema.properties ?? {}).filter((name) => skip?.includes(name) !== true);
  const required = new Set(schema.required ?? []);
  names.sort((a, b) => Number(required.has(b)) - Number(required.has(a)));
  return (
    <div className="form">
      {names.map((name) => (
        <Member
          key={name}
          name={name}
          schema={schema.properties![name]!}
          required={required.has(name)}
          value={value[name]}
          sides={sides}
          suggest={suggest}
          onChange={(next) => onChange({ ...value, [name]: next })}
        />
      ))}
    </div>
  );
}

interface MemberProps {
  name: string;
  schema: Schema;
  required: boolean;
  value: Value;
  sides: Sides | undefined;
  suggest?: string[] | undefined;
  onChange: (value: Value) => void;
}

function Member({ name, schema: raw, required, value, sides, suggest, onChange }: MemberProps): ReactNode {
  const id = useId();
  const schema = solid(raw);
  const label = (
    <span>
      {plain(schema.title ?? name)}
      {required ? "" : <span className="quiet"> (optional)</span>}
    </span>
  );
  const note = schema.description === undefined ? null : <small>{schema.description}</small>;
  switch (typeOf(schema)) {
    case "enum":
      return (
        <div className="field" role="radiogroup" aria-label={plain(name)}>
          {label}
          <div className="choices">
            {!required && value !== undefined ? <Choice group={id} text="None" checked={false} onPick={() => onChange(undefined)} /> : null}
            {schema.enum!.filter((one) => one !== null).map((one) => (
              <Choice key={String(one)} group={id} text={sayChoice(one, sides)} checked={value === one} onPick={() => onChange(one)} />
            ))}
          </div>
          {note}
        </div>
      );
    case "boolean":
      return (
        <label className="check">
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked || undefined)} />
          {label}
        </label>
      );
    case "integer":
    case "number":
      return (
        <label className="field">
          {label}
          <input
            className="input num"
            inputMode="decimal"
            type="number"
            step={schema.type === "integer" ? 1 : "any"}
            min={schema.minimum}
            max={schema.maximum}
            aria-required={required}
            value={typeof value === "number" || typeof value === "bigint" ? String(value) : ""}
            onChange={(event) => onChange(event.target.value === "" ? undefined : whole(event.target.value, event.target.valueAsNumber))}
          />
          {note}
        </label>
      );
    case "scalar": // a number, or words such as 45+2
      return (
        <label className="field">
          {label}
          <input
            className="input num"
            value={typeof value === "number" || typeof value === "bigint" || typeof value === "string" ? String(value) : ""}
            onChange={(event) => onChange(scalar(event.target.value))}
          />
          {note}
        </label>
      );
    case "array":
      return <ListMember name={name} label={label} note={note} schema={schema} value={Array.isArray(value) ? value : []} sides={sides} onChange={onChange} />;
    case "object":
      return (
        <fieldset className="field nested">
          <legend>{label}</legend>
          {note}
          <SchemaForm schema={schema} value={record(value)} sides={sides} onChange={onChange} />
        </fieldset>
      );
    case "string":
      return (
        <label className="field">
          {label}
          <input
            className="input"
            list={suggest === undefined ? undefined : `${id}-list`}
            minLength={schema.minLength}
            maxLength={schema.maxLength}
            value={typeof value === "string" ? value : ""}
            onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
          />
          {suggest === undefined ? null : (
            <datalist id={`${id}-list`}>
              {suggest.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
          {note}
        </label>
      );
    default:
      return <JsonMember label={label} note={note} value={value} onChange={onChange} />;
  }
}

function Choice({ group, text, checked, onPick }: { group: string; text: string; checked: boolean; onPick: () => void }): ReactNode {
  return (
    <label>
      <input type="radio" name={group} checked={checked} onChange={onPick} />
      <span>{text}</span>
    </label>
  );
}

// A list of names is typed one a line; any other list is edited entry by entry.
function ListMember({ name, label, note, schema, value, sides, onChange }: {
  name: string; label: ReactNode; note: ReactNode; schema: Schema; value: Value[]; sides: Sides | undefined; onChange: (value: Value) => void;
}): ReactNode {
  const item = solid(schema.items ?? {});
  if (typeOf(item) === "string") {
    return (
      <label className="field">
        {label}
        <textarea
          className="input"
          rows={4}
          value={value.join("\n")}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value.split("\n"))}
          onBlur={() => onChange(value.map((one) => String(one).trim()).filter((one) => one !== ""))}
        />
        <small>One a line.</small>
        {note}
      </label>
    );
  }
  return (
    <fieldset className="field nested">
      <legend>{label}</legend>
      {note}
      {value.map((one, i) => (
        <div className="card nested-item" key={i}>
          <SchemaForm schema={item} value={record(one)} sides={sides} onChange={(next) => onChange(value.map((old, at) => (at === i ? next : old)))} />
          <button type="button" className="button plain slim danger" onClick={() => onChange(value.filter((_, at) => at !== i))}>
            Remove
          </button>
        </div>
      ))}
      <button type="button" className="button slim" onClick={() => onChange([...value, {}])}>
        Add {plain(name).toLowerCase()}
      </button>
    </fieldset>
  );
}

function JsonMember({ label, note, value, onChange }: { label: ReactNode; note: ReactNode; value: Value; onChange: (value: Value) => void }): ReactNode {
  const text = value === undefined ? "" : typeof value === "string" ? value : writeJson(value);
  return (
    <label className="field">
      {label}
      <textarea
        className="input"
        rows={2}
        value={text}
        onChange={(event) => {
          try {
            onChange(event.target.value === "" ? undefined : parseJson(event.target.value));
          } catch {
            onChange(event.target.value);
          }
        }}
      />
      <small>JSON.</small>
      {note}
    </label>
  );
}

function scalar(text: string): Value {
  if (text === "") return undefined;
  return /^-?\d+$/.test(text) ? whole(text, Number(text)) : text;
}

/** The integer as it was typed, also where a number would round it. */
function whole(text: string, near: number): Value {
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(near) ? BigInt(text) : near;
}

function record(value: Value): Record<string, Value> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, Value>) : {};
}

export function sayChoice(one: unknown, sides: Sides | undefined): string {
  if (sides !== undefined && (one === "home" || one === "away")) return sides[one];
  return typeof one === "string" ? (/[A-Z]/.test(one) ? one : plain(one)) : String(one);
}
