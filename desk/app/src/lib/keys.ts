// Keys that score. A held key, a bouncing key and a double press within 150 ms are one event; a key typed into a field,
// or with Ctrl, Alt or Meta, is none.
import { useLayoutEffect, useRef } from "react";

export const bounceMs = 150;

/** Tells repeats from presses. One guard for a whole page: keys and buttons share it. */
export class PressGuard {
  #last = new Map<string, number>();

  /** True: this press counts. */
  press(what: string, now: number): boolean {
    const before = this.#last.get(what);
    if (before !== undefined && now - before < bounceMs) return false;
    this.#last.set(what, now);
    return true;
  }
}

/** What was moved under the pointer is not what it was aimed at. Milliseconds. */
export const movedMs = 300;

/** Tells a click that was meant from the second half of a double click, and from one that hits what has just appeared
 * where another key was. */
export class ClickGuard {
  #movedAt = -Infinity;

  /** The keys on the screen changed. */
  moved(now: number): void {
    this.#movedAt = now;
  }

  /** `detail` as the click event has it: which click of a row at one place; 0: pressed by the keyboard. */
  counts(detail: number, now: number): boolean {
    return detail === 0 || (detail === 1 && now - this.#movedAt >= movedMs);
  }
}

/** Letters that follow each other within this time are one word. Milliseconds. */
export const wordMs = 1_000;

/** Tells the rest of a word from keys, when the field it was typed into is taken away in the middle of it, e.g. because
 * another desk ended the innings. */
export class WordGuard {
  #field: { readonly isConnected: boolean } | null = null;
  #at = 0;

  /** `key` went into `field`. Enter, Escape and Tab are the person's own end of the word. */
  typed(field: { readonly isConnected: boolean }, key: string, now: number): void {
    this.#field = ["Enter", "Escape", "Tab"].includes(key) ? null : field;
    this.#at = now;
  }

  /** True: a press outside of any field, at `now`, belongs to the word. */
  goesOn(now: number): boolean {
    if (this.#field === null || this.#field.isConnected || now - this.#at >= wordMs) return false;
    this.#at = now;
    return true;
  }
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** The key as bindings name it: one character in lower case, or the key's own name. */
export function keyOf(event: KeyboardEvent): string {
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** Calls `onKey` for each press that counts; it answers true when the key meant something. */
export function useKeys(onKey: (key: string) => boolean, enabled = true): void {
  const handler = useRef(onKey);
  handler.current = onKey;
  // Before the keys are painted: one pressed as soon as it is seen counts.
  useLayoutEffect(() => {
    if (!enabled) return;
    const guard = new PressGuard();
    const word = new WordGuard();
    const down = (event: KeyboardEvent): void => {
      if (isTyping(event.target)) return word.typed(event.target as HTMLElement, event.key, event.timeStamp);
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || word.goesOn(event.timeStamp)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const key = keyOf(event);
      const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary, [role=option]") !== null;
      if (onButton && (key === "Enter" || key === " ")) return; // the button's own business
      if (event.repeat || !guard.press(key, event.timeStamp)) {
        if (key === "Backspace") event.preventDefault();
        return;
      }
      if (handler.current(key)) event.preventDefault();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [enabled]);
}
