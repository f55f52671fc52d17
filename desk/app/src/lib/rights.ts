// What the token of this device may do. The server is asked once a sign-in; where it cannot be known nothing is forbidden
// here, and the server refuses as ever.
import { type OmniumClient } from "@omnium/bridge";
import { useAsked } from "./hooks";

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

/** Once a token: what was said of another than the client's own is no answer. */
function askRoleOnce(client: OmniumClient): Promise<Role | null> {
  const { token } = client;
  const kept = known.get(client);
  if (kept?.token === token) return kept.role;
  const asked: Known = {
    token,
    role: askRole(client)
      .then((role) => {
        if (client.token !== token) throw new Error("another token signed in meanwhile");
        return role;
      })
      .catch((error: unknown) => {
        if (known.get(client) === asked) known.delete(client);
        throw error;
      }),
  };
  known.set(client, asked);
  return asked.role;
}

export function useRole(): Role | null {
  return useAsked(askRoleOnce, null);
}

export function useBarred(act: Act): string | null {
  return barred(useRole(), act);
}
