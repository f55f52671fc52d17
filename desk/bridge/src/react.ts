// React's side of the bridge. No markup: stores and states only.
import { createContext, createElement, useCallback, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import type { Link, OmniumClient } from "./client.js";
import { entryState, settledState, type FieldState } from "./field.js";
import type { Address } from "./http.js";
import { MatchView, type MatchOptions, type MatchState } from "./match.js";
import type { Outbox, OutboxView, Push, Pushed } from "./outbox.js";
import type { Entry, Settled } from "./outbox_store.js";
import type { Side } from "./generated/wire.js";

export interface Omnium {
  client: OmniumClient;
  outbox: Outbox;
}

const Context = createContext<Omnium | null>(null);

export function OmniumProvider({ value, children }: { value: Omnium; children: ReactNode }): ReactNode {
  return createElement(Context.Provider, { value }, children);
}

export function useOmnium(): Omnium {
  const found = useContext(Context);
  if (found === null) throw new Error("Put an OmniumProvider around this component.");
  return found;
}

export function useLink(): Link {
  const { client } = useOmnium();
  return useSyncExternalStore(useCallback((changed) => client.onLink(changed), [client]), () => client.link);
}

export function useOutbox(): OutboxView {
  const { outbox } = useOmnium();
  return useSyncExternalStore(useCallback((changed) => outbox.onChange(changed), [outbox]), () => outbox.view);
}

export interface LiveMatch extends MatchState {
  view: MatchView | null;
}

const none: MatchState = {
  status: "loading", problem: null, fixture: null, scoreboard: null, version: 0, lastPlay: 0, items: [], logRead: false, gap: false, heardAt: 0,
};

/** One match, live as long as the component is shown. `log: 0` for a screen without the log: it reads nothing. */
export function useMatch(id: string, options: MatchOptions = {}): LiveMatch {
  const { client } = useOmnium();
  const log = options.log;
  const [live, setLive] = useState<LiveMatch>({ ...none, view: null });
  useEffect(() => {
    const view = new MatchView(client, id, log === undefined ? {} : { log });
    setLive({ ...view.state, view });
    const off = view.onChange((state) => setLive({ ...state, view }));
    return () => {
      off();
      view.close();
    };
  }, [client, id, log]);
  return live;
}

/** Sends changes of one subject through the outbox. */
export function useChange(to: Address): (what: Omit<Push, keyof Address>) => Promise<Pushed> {
  const { outbox } = useOmnium();
  const { workflow, kind, ref } = to;
  return useCallback((what) => outbox.push({ workflow, kind, ref, ...what }), [outbox, workflow, kind, ref]);
}

export interface Field {
  value: string;
  state: FieldState;
  /** The queue's entry while there is one: its conflict is decided with `outbox.decide(entry.key, …)`. */
  entry: Entry | null;
  settled: Settled | null;
  /** `seen`: the row version the person saw when beginning to edit; default: the one shown now. */
  set: (value: string, seen?: number) => Promise<void>;
}

/** One editable value of a competitor: its name, short name or colour, with what became of the last edit. */
export function useField(match: LiveMatch, side: Side, name: "name" | "short" | "colour"): Field {
  const { outbox } = useOmnium();
  const link = useLink();
  const view = useOutbox();
  const [key, setKey] = useState<string | null>(null);
  const row = match.fixture?.sides[side];
  const entry = view.entries.find((one) => one.key === key) ?? null;
  const settled = view.settled.find((one) => one.key === key) ?? null;
  const id = match.fixture?.id;
  const set = async (value: string, seen = row?.changed_seq ?? 0): Promise<void> => {
    if (row?.row == null || id === undefined) return;
    const pushed = await outbox.push({
      workflow: "games", kind: "fixture", ref: id, code: "games.edit_competitor",
      input: { row: row.row, [name]: value }, saw: { rows: { [row.row]: seen } }, play: false, label: `${side} ${name}: ${value}`,
    });
    setKey(pushed.key);
  };
  const shown = entry?.input[name];
  return {
    value: typeof shown === "string" ? shown : (row?.[name] ?? ""),
    state: entry !== null ? entryState(entry, link) : settled !== null ? settledState(settled) : "saved",
    entry,
    settled,
    set,
  };
}
