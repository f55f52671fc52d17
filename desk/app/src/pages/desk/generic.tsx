// A desk for any sport, from what its plugin says of its commands: labels, key hints and the JSON Schema of their input.
import type { LogRow, SportCommand } from "@omnium/bridge";
import { useState, type FormEvent, type ReactNode } from "react";
import { describe } from "../../lib/describe";
import { Dialog } from "../../ui/bits";
import { lacking, pruned, SchemaForm, solid, typeOf, type Schema } from "../../ui/schema_form";
import { GenericBoard } from "../board/generic";
import { RacketBoard } from "../board/sets";
import { corrections, Pad, sidesStep, type Action, type Group, type Step } from "./pad";
import type { Desk } from "./model";
import type { LayoutProps } from "./page";

const correctionCodes = new Set(["match.void", "match.amend", "match.insert", "match.cancel_range", "match.baseline"]);
/** Keys that mean the same on every desk. */
const taken = new Set(["u", "r", "z", "m", "?"]);

export function GenericDesk({ desk, first }: LayoutProps): ReactNode {
  const [form, setForm] = useState<SportCommand | null>(null);
  const Board = ["tennis", "volleyball", "badminton"].includes(desk.fixture.sport) ? RacketBoard : GenericBoard;
  return (
    <>
      <div className="panel board-panel">
        <Board fixture={desk.fixture} board={desk.board} rows={desk.rows} now={desk.serverNow()} />
      </div>
      <Pad groups={groups(desk, setForm)} locked={desk.locked} first={first} />
      {form === null ? null : <CommandForm desk={desk} command={form} onClose={() => setForm(null)} />}
    </>
  );
}

const schemaOf = (command: SportCommand): Schema => command.schema as Schema;

/** The one required member that is an enum, when it is the only required one: its choices become the second key. */
export function quickMember(schema: Schema): { name: string; choices: string[] } | null {
  const required = schema.required ?? [];
  if (required.length !== 1) return null;
  const name = required[0]!;
  const member = solid(schema.properties?.[name] ?? {});
  const choices = (member.enum ?? []).filter((one): one is string => typeof one === "string");
  return typeOf(member) === "enum" && choices.length > 0 && choices.length <= 9 ? { name, choices } : null;
}

const isSides = (choices: string[]): boolean => choices.length === 2 && choices.includes("home") && choices.includes("away");

/** One letter per command: the plugin's hint where it is free, else the first free letter of the label, else any. */
export function assignKeys(commands: SportCommand[]): Map<string, string> {
  const keys = new Map<string, string>();
  const used = new Set(taken);
  const take = (command: SportCommand, key: string): boolean => {
    if (key.length !== 1 || used.has(key)) return false;
    used.add(key);
    keys.set(command.code, key.toUpperCase());
    return true;
  };
  for (const command of commands) if (command.key !== null) take(command, command.key.toLowerCase());
  for (const command of commands) {
    if (keys.has(command.code)) continue;
    const letters = [...command.label.toLowerCase(), ..."abcdefghijklmnopqrstuvwxyz123456789"].filter((one) => /[a-z1-9]/.test(one));
    letters.some((letter) => take(command, letter));
  }
  return keys;
}

function groups(desk: Desk, open: (command: SportCommand) => void): Group[] {
  const commands = (desk.sport?.commands ?? []).filter((command) => !correctionCodes.has(command.code));
  const own = commands.filter((command) => !command.code.startsWith("match."));
  const keys = assignKeys([...own, ...commands.filter((command) => command.code.startsWith("match.") && command.code !== "match.note")]);
  const action = (command: SportCommand): Action => commandAction(desk, command, keys.get(command.code) ?? "", open);
  const shared = commands.filter((command) => command.code.startsWith("match.") && command.code !== "match.note");
  const last = desk.last;
  const lastCommand = last === null ? null : (commands.find((one) => one.code === last.code) ?? null);
  const quick = lastCommand === null ? null : quickMember(schemaOf(lastCommand));
  const replace = last === null || lastCommand === null || quick === null ? null : () => replaceStep(desk, last, quick);
  return [
    { name: desk.sport?.label ?? "Events", wide: true, actions: own.map(action) },
    { name: "Match", actions: shared.filter((command) => fitsNow(command.code, desk.status)).map(action) },
    { name: "Corrections", actions: corrections(desk, replace) },
  ];
}

/** Which of the commands that every sport shares make sense in this state of the match. */
function fitsNow(code: string, status: string): boolean {
  if (code === "match.start") return status === "scheduled";
  if (code === "match.resume") return status === "suspended";
  return code !== "match.suspend" ? status !== "ended" : status === "live";
}

export function commandAction(desk: Desk, command: SportCommand, key: string, open: (command: SportCommand) => void): Action {
  const schema = schemaOf(command);
  const lives = desk.status === "live" || desk.status === "suspended";
  // What a sport takes before the start (a toss, a line-up) it does not tell; after the end it takes nothing.
  const over = desk.status === "ended" ? "the match is over" : undefined;
  const off = command.code.startsWith("match.") && command.code !== "match.start" && !lives ? "not in play" : over;
  const base = { id: command.code, key, label: command.label, off };
  const quick = quickMember(schema);
  if (quick !== null) return { ...base, then: () => choiceStep(desk, command.label, quick, command.code, (value) => desk.send(command.code, { [quick.name]: value }, `${command.label}, ${desk.names[value as "home"] ?? value}`)) };
  if ((schema.required ?? []).length === 0 && Object.keys(schema.properties ?? {}).filter((name) => name !== "umpire").length === 0) {
    return { ...base, run: () => desk.send(command.code, {}, command.label) };
  }
  return { ...base, run: () => open(command) };
}

function choiceStep(desk: Desk, label: string, quick: { name: string; choices: string[] }, id: string, done: (value: string) => void): Step {
  if (isSides(quick.choices)) return sidesStep(desk.names, `${label}: which side?`, id, done);
  return { prompt: `${label}: which?`, actions: quick.choices.map((value, i) => ({ id: `${id}-${value}`, key: String(i + 1), label: value.replace(/_/g, " "), run: () => done(value) })) };
}

function replaceStep(desk: Desk, last: LogRow, quick: { name: string; choices: string[] }): Step {
  const said = describe(last.code, last.input, desk.names, desk.sport);
  return choiceStep(desk, `Replace ${said.title.toLowerCase()}`, quick, "replace", (value) => desk.replace({ ...last.input, [quick.name]: value }, `${said.title}: ${desk.names[value as "home"] ?? value} instead`));
}

export function CommandForm({ desk, command, onClose }: { desk: Desk; command: SportCommand; onClose: () => void }): ReactNode {
  const schema = schemaOf(command);
  const [value, setValue] = useState<Record<string, unknown>>({});
  const lacks = lacking(schema, value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    desk.send(command.code, pruned(value) as Record<string, unknown>, command.label);
    onClose();
  };
  return (
    <Dialog title={command.label} onClose={onClose}>
      <form className="inside" noValidate onSubmit={submit}>
        <h2>{command.label}</h2>
        <SchemaForm schema={schema} value={value} onChange={setValue} sides={desk.names} />
        <div className="row between">
          <span className="quiet small">{desk.locked ?? (lacks === null ? "" : `Still needed: ${lacks.replace(/_/g, " ")}`)}</span>
          <span className="row">
            <button type="button" className="button plain" onClick={onClose}>
              Cancel
            </button>
            <button className="button primary" disabled={lacks !== null || desk.locked !== undefined}>
              Send
            </button>
          </span>
        </div>
      </form>
    </Dialog>
  );
}
