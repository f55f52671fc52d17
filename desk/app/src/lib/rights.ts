// What the token of this device may do. The server is asked once a sign-in; where it cannot be known nothing is forbidden
// here, and the server refuses as ever.
import { backoffMs, socketBackoff, type OmniumClient } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useState } from "react";

/** A ladder: each may what those before it may. */
const roles = ["viewer", "scorer", "integrator", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/** The least role for it, as the server's own table has it. */
const least = { score: "scorer", create: "integrator", operate: "operator" } as const satisfies Record<string, Role>;
export type Act = keyof typeof least;

/** The role in the server's own sentence to a token whose role is too low; null: it names none. */
export function roleIn(sentence: unknown): Role | null {
  const named = typeof sentence === "string" ? /this one is (\w+)/.exec(sentence)?.[1] : undefined;
  return roles.find((one) => one === named) ?? null;
}

/** Why a token of this role may not; null: it may, or its role is not known. */
export function barred(role: Role | null, act: Act): string | null {
  if (role === null || roles.indexOf(role) >= roles.indexOf(least[act])) return null;
  const what = { score: "Scoring", create: "Making competitions and matches", operate: "Seeing them" }[act];
  return `${what} needs a token of the role ${least[act]} or higher; this one is ${role}.`;
}

/** A read that only operators may: who may not is told the role of their token. */
async function askRole(client: OmniumClient): Promise<Role | null> {
  const { status, text } = await client.http.text("/ops/health");
  if (status === 200) return "operator";
  if (status !== 403) return null;
  try {
    return roleIn((JSON.parse(text) as { detail?: unknown }).detail);
  } catch {
    return null;
  }
}

interface Known {
  token: string;
  role: Promise<Role | null>;
}
const known = new WeakMap<OmniumClient, Known>();

export function useRole(): Role | null {
  const { client } = useOmnium();
  const [role, setRole] = useState<Role | null>(null);
  useEffect(() => {
    let here = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (attempt: number): void => {
      clearTimeout(timer);
      const { token } = client;
      let found = known.get(client);
      if (found?.token !== token) {
        found = { token, role: askRole(client) };
        known.set(client, found);
      }
      found.role.then(
        (one) => here && client.token === token && setRole(one),
        () => {
          if (known.get(client) === found) known.delete(client);
          if (here) timer = setTimeout(() => ask(attempt + 1), backoffMs(attempt, socketBackoff));
        },
      );
    };
    ask(0);
    const off = client.onWelcome(() => ask(0));
    return () => {
      here = false;
      clearTimeout(timer);
      off();
    };
  }, [client]);
  return role;
}

export function useBarred(act: Act): string | null {
  return barred(useRole(), act);
}
