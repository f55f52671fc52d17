// Who this device is: its token, its name, and the theme a person chose. The token leaves the address bar at once.
import { makeId } from "@omnium/bridge";

/** Where the token is kept, for all tabs of this device. */
export const tokenName = "omnium.token";

const keep = (name: string, value: string): void => {
  try {
    if (value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A private window may forbid it: then this page forgets with the tab.
  }
};

const kept = (name: string): string => {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
};

/** The token from `?token=…` or `#token=…`, else the one kept from before. */
export function takeToken(): string {
  const search = new URLSearchParams(location.search);
  const inHash = /[#&?]token=([^&]+)/.exec(location.hash);
  const token = search.get("token") ?? (inHash === null ? null : decodeURIComponent(inHash[1]!));
  if (token === null) return kept(tokenName);
  keep(tokenName, token);
  search.delete("token");
  const rest = search.toString();
  const hash = inHash === null ? location.hash : location.hash.replace(/[#&?]token=[^&]+/, "");
  history.replaceState(null, "", location.pathname + (rest === "" ? "" : `?${rest}`) + hash);
  return token;
}

export function keepToken(token: string): void {
  keep(tokenName, token);
}

export function deskName(): string {
  const name = kept("omnium.desk");
  if (name !== "") return name;
  const made = `desk-${makeId().slice(-4)}`;
  keep("omnium.desk", made);
  return made;
}

export function keepDeskName(name: string): void {
  keep("omnium.desk", name);
}

export type Theme = "system" | "light" | "dark";

export function theme(): Theme {
  const chosen = kept("omnium.theme");
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function applyTheme(choice: Theme = theme()): void {
  const dark = choice === "dark" || (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

export function setTheme(choice: Theme): void {
  keep("omnium.theme", choice === "system" ? "" : choice);
  applyTheme(choice);
}
