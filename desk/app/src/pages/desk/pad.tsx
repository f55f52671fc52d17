// The pad: what can be keyed now. A key runs its action at once, or asks for the second key.
import { useEffect, useRef, useState, type FormEvent, type MouseEvent, type ReactNode } from "react";
import type { LogRow } from "@omnium/bridge";
import { describe } from "../../lib/describe";
import { ClickGuard, PressGuard, useKeys } from "../../lib/keys";
import { Kbd } from "../../ui/bits";
import { useOffers } from "../../ui/palette";
import type { Desk } from "./model";

export interface Action {
  id: string;
  /** As shown on the cap; also what is pressed, in lower case. */
  key: string;
  /** Other keys that do the same. */
  also?: string[];
  label: string;
  hint?: string;
  tone?: "home" | "away" | "main" | "danger";
  /** Why it cannot be used now; shown instead of the hint. */
  off?: string | undefined;
  run?: () => void;
  then?: () => Step;
}

export interface Step {
  prompt: string;
  actions: Action[];
  /** Where a name can be typed instead. */
  ask?: {
    label: string;
    suggest: string[];
    optional?: string;
    /** Answers with a sentence when the text will not do: the question stays open. */
    done: (text: string) => string | void;
  };
}

export interface Group {
  name: string;
  wide?: boolean;
  /** Many keys with short labels, such as runs. */
  tight?: boolean;
  actions: Action[];
}

interface PadProps {
  groups: Group[];
  /** Said instead of taking keys, e.g. while another desk has the match. */
  locked?: string | undefined;
  /** Keys that come before the pad's own, e.g. a conflict's. */
  first?: (key: string) => boolean;
}

const matches = (action: Action, key: string): boolean => action.key.toLowerCase() === key.toLowerCase() || action.also?.some((one) => one === key) === true;

export function Pad({ groups, locked, first }: PadProps): ReactNode {
  const [step, show] = useState<Step | null>(null);
  const [pressed, setPressed] = useState("");
  const guard = useRef(new PressGuard());
  const clicks = useRef(new ClickGuard());
  const setStep = (next: Step | null): void => {
    if (next !== step) clicks.current.moved(performance.now());
    show(next);
  };
  // A question that was open when another desk took over is not answered any more.
  useEffect(() => {
    if (locked !== undefined) show(null);
  }, [locked]);
  const fire = (action: Action): void => {
    if (locked !== undefined) return;
    setPressed(action.id);
    if (action.off !== undefined) return;
    if (action.then !== undefined) return setStep(action.then());
    setStep(null);
    action.run?.();
  };
  const click = (action: Action, event: MouseEvent): void => {
    const now = performance.now();
    if (clicks.current.counts(event.detail, now) && guard.current.press(action.id, now)) fire(action);
  };
  const idle = groups.flatMap((group) => group.actions).find((one) => one.id === pressed && one.off !== undefined);
  useKeys((key) => {
    if (step === null && first?.(key) === true) return true;
    if (locked !== undefined) return false;
    if (step !== null) {
      if (key === "Escape" || key === "Backspace") return setStep(null), true;
      const next = step.actions.find((action) => matches(action, key));
      if (next !== undefined) fire(next);
      return next !== undefined;
    }
    const action = groups.flatMap((group) => group.actions).find((one) => matches(one, key));
    if (action !== undefined) fire(action);
    return action !== undefined;
  });
  useOffers(() =>
    locked !== undefined
      ? []
      : groups.flatMap((group) =>
          group.actions
            .filter((action) => action.off === undefined)
            .map((action) => ({ id: `pad-${action.id}`, group: group.name, label: action.label, keys: action.key, run: () => fire(action) })),
        ),
  );
  return (
    <div className="pad" data-testid="pad" aria-disabled={locked !== undefined}>
      {step === null ? null : <StepPanel step={step} onPick={click} onDone={() => setStep(null)} />}
      <div className={step === null ? "groups" : "groups behind"} inert={step !== null || locked !== undefined}>
        {groups.filter((group) => group.actions.length > 0).map((group) => {
          const why = sharedReason(group);
          return (
            <section key={group.name} className={`keys ${group.wide === true ? "wide" : ""} ${group.tight === true ? "tight" : ""}`} aria-label={group.name}>
              <h3>
                {group.name}
                {why === null ? null : <span className="quiet">, {why}</span>}
              </h3>
              <div>
                {group.actions.map((action) => (
                  <KeyButton key={action.id} action={action} onPick={click} quiet={why !== null} />
                ))}
              </div>
            </section>
          );
        })}
      </div>
      {idle === undefined ? null : (
        <p className="pad-off" role="status" data-testid="key-off">
          <Kbd>{idle.key}</Kbd> {idle.label}: {idle.off}.
        </p>
      )}
    </div>
  );
}

/** Said once over a group whose keys are all off for the same reason. */
function sharedReason(group: Group): string | null {
  const first = group.actions[0]?.off;
  return first !== undefined && group.actions.length > 1 && group.actions.every((action) => action.off === first) ? first : null;
}

function KeyButton({ action, onPick, quiet }: { action: Action; onPick: (action: Action, event: MouseEvent) => void; quiet?: boolean }): ReactNode {
  const note = quiet === true ? undefined : (action.off ?? action.hint);
  return (
    <button
      type="button"
      className={`key ${action.tone ?? ""}`}
      disabled={action.off !== undefined}
      aria-keyshortcuts={action.key}
      data-testid={`key-${action.id}`}
      onClick={(event) => onPick(action, event)}
    >
      <Kbd>{action.key}</Kbd>
      <span className="key-label">{action.label}</span>
      {note === undefined ? null : <small>{note}</small>}
    </button>
  );
}

function StepPanel({ step, onPick, onDone }: { step: Step; onPick: (action: Action, event: MouseEvent) => void; onDone: () => void }): ReactNode {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [step]);
  const { ask } = step;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ask === undefined || (text.trim() === "" && ask.optional === undefined)) return;
    const said = ask.done(text.trim());
    if (typeof said === "string") setWrong(said);
    else onDone();
  };
  return (
    <div className="step appear" ref={place} role="group" aria-label={step.prompt} data-testid="step">
      <p aria-live="assertive">{step.prompt}</p>
      {step.actions.length === 0 ? null : (
        <div className="step-keys">
          {step.actions.map((action) => (
            <KeyButton key={action.id} action={action} onPick={onPick} />
          ))}
        </div>
      )}
      {ask === undefined ? null : (
        <form className="row" onSubmit={submit}>
          <input
            className="input"
            aria-label={ask.label}
            placeholder={ask.label}
            list="step-names"
            autoComplete="off"
            autoFocus={step.actions.length === 0}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && onDone()}
          />
          <datalist id="step-names">
            {ask.suggest.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <button className="button primary" disabled={text.trim() === "" && ask.optional === undefined}>
            {text.trim() === "" && ask.optional !== undefined ? ask.optional : "Set"}
          </button>
        </form>
      )}
      {wrong === null ? null : (
        <p className="notice bad" role="alert">
          {wrong}
        </p>
      )}
      <button type="button" className="button plain slim" onClick={onDone}>
        <Kbd>Esc</Kbd> Cancel
      </button>
    </div>
  );
}

/** The two sides as the second key: H and A, or the arrows towards them. */
export function sidesStep(names: { home: string; away: string }, prompt: string, id: string, done: (side: "home" | "away") => void): Step {
  return {
    prompt,
    actions: [
      { id: `${id}-home`, key: "H", also: ["ArrowLeft"], label: names.home, tone: "home", run: () => done("home") },
      { id: `${id}-away`, key: "A", also: ["ArrowRight"], label: names.away, tone: "away", run: () => done("away") },
    ],
  };
}

/** Undo is one key, replace two, on every desk. */
export function corrections(desk: Desk, replace: (() => Step) | null): Action[] {
  const said = (row: LogRow | null): string => (row === null ? "" : describe(row.code, row.input, desk.names, desk.sport).title);
  // While a conflict is open, the newest event on the screen is another desk's.
  const open = desk.deciding ? "decide for mine or theirs first" : undefined;
  const nothing = (off: string, target: LogRow | null): string | undefined => open ?? (target === null ? off : undefined);
  return [
    { id: "undo", key: "U", also: ["Backspace"], label: "Undo", hint: desk.behind?.label ?? said(desk.undoable), off: desk.behind === null ? nothing("nothing yet", desk.undoable) : undefined, run: desk.undo },
    { id: "replace", key: "R", label: "Replace", hint: said(desk.last), off: open ?? (replace === null ? "not this one" : undefined), ...(replace === null ? {} : { then: replace }) },
    { id: "redo", key: "Z", label: "Redo", off: nothing("nothing", desk.redoable), run: desk.redo },
  ];
}

/** Play stopped and resumed, as every sport has it. */
export function pauseAction(desk: Desk): Action {
  if (desk.status === "suspended") return { id: "resume", key: "Q", label: "Resume play", tone: "main", run: () => desk.send("match.resume", {}, "Play resumed") };
  return {
    id: "suspend", key: "Q", label: "Stop play", off: desk.status === "live" ? undefined : "not in play",
    then: () => ({
      prompt: "Play stopped: why?", actions: [],
      ask: { label: "Reason", suggest: ["Rain", "Bad light", "Injury", "Crowd", "Floodlights"], done: (reason) => desk.send("match.suspend", { reason }, `Play stopped: ${reason}`) },
    }),
  };
}
