import { boardOf, deskOf, go } from "../lib/router";
import { everyMatch, hasWords, saySearched, useSearch, wordsOf, type Searched } from "../lib/match_search";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Dialog, Kbd } from "./bits";

export interface Command {
  id: string;
  label: string;
  group: string;
  keys?: string;
  run: () => void;
}

/** What the palette offers now: pages put their own commands in while they are shown. */
class Offers {
  #pages = new Map<object, () => Command[]>();

  add(commands: () => Command[]): () => void {
    const handle = {};
    this.#pages.set(handle, commands);
    return () => this.#pages.delete(handle);
  }

  all(): Command[] {
    return [...this.#pages.values()].flatMap((commands) => commands());
  }
}

export const offers = new Offers();

export function useOffers(commands: () => Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => offers.add(() => latest.current()), []);
}

function fits(command: Command, words: string[]): boolean {
  return hasWords(`${command.label} ${command.group}`, words);
}

/** Commands shown at a time. */
const shownMax = 60;

/** Two commands for each match that was looked through. */
export function matchCommands({ fixtures }: Searched): Command[] {
  return fixtures.flatMap((one) => {
    const label = `${one.sides.home.name} – ${one.sides.away.name}`;
    return [
      { id: `desk-${one.id}`, group: "Desk", label, run: () => go(deskOf(one.id)) },
      { id: `board-${one.id}`, group: "Scoreboard", label, run: () => go(boardOf(one.id)) },
    ];
  });
}

export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const all = useMemo(() => offers.all(), []);
  const words = wordsOf(text);
  // Matches are looked for as soon as something is typed, on whatever page.
  const searched = useSearch(words.length === 0 ? null : everyMatch);
  const matches = useMemo(() => (searched === null ? [] : matchCommands(searched)), [searched]);
  const found = [...all, ...matches].filter((command) => fits(command, words)).slice(0, shownMax);
  const chosen = found[Math.min(at, found.length - 1)];
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const run = (command: Command | undefined): void => {
    onClose();
    if (command !== undefined) setTimeout(command.run, 0);
  };
  return (
    <Dialog title="Commands" onClose={onClose} className="palette">
      <input
        className="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen === undefined ? undefined : `palette-${chosen.id}`}
        placeholder="What do you want to do?"
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <ul role="listbox" id="palette-list" ref={list} aria-label="Commands">
        {found.map((command) => (
          <li
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={command === chosen}
            onMouseMove={() => setAt(found.indexOf(command))}
            onClick={() => run(command)}
          >
            <span>
              {command.label} <small>{command.group}</small>
            </span>
            {command.keys === undefined ? null : <span>{command.keys.split(" ").map((key) => <Kbd key={key}>{key}</Kbd>)}</span>}
          </li>
        ))}
        {found.length === 0 && searched?.state !== "reading" ? <li className="quiet">Nothing of that name.</li> : null}
      </ul>
      {searched === null || words.length === 0 ? null : (
        <p className="quiet small searched num" role="status">
          {saySearched(searched)}
        </p>
      )}
    </Dialog>
  );
}
