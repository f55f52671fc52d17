// Addresses live behind the '#', so that the server needs to know one file only.
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "matches" }
  | { page: "ops" }
  | { page: "board"; id: string; overlay: boolean }
  | { page: "desk"; id: string; generic: boolean }
  | { page: "missing" };

export function readRoute(hash: string, search: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter((part) => part !== "");
  const wants = new URLSearchParams(query);
  const overlay = wants.get("overlay") === "1" || new URLSearchParams(search).get("overlay") === "1";
  if (parts.length === 0) return { page: "matches" };
  if (parts[0] === "ops") return { page: "ops" };
  const [kind, id, what] = parts;
  if (kind === "match" && id !== undefined && what === "board") return { page: "board", id, overlay };
  if (kind === "match" && id !== undefined && (what === "desk" || what === undefined)) return { page: "desk", id, generic: wants.get("generic") === "1" };
  return { page: "missing" };
}

const subscribe = (changed: () => void): (() => void) => {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
};

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return readRoute(hash, location.search);
}

export const deskOf = (id: string): string => `#/match/${id}/desk`;
export const boardOf = (id: string): string => `#/match/${id}/board`;

export function go(hash: string): void {
  location.hash = hash;
}
