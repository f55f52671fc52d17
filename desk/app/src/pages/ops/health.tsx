// /readyz in words: each part with its state and, when it fails, why.
import type { ReactNode } from "react";
import { breakable } from "../../ui/bits";
import { plain, span } from "../../lib/words";

interface Part {
  name: string;
  ok: boolean;
  why: string;
}

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});

function isOk(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return /^(ok|up|ready|pass|healthy|running|live)$/i.test(value);
  const part = record(value);
  for (const name of ["ok", "ready", "up", "healthy"]) if (typeof part[name] === "boolean") return part[name];
  for (const name of ["status", "state"]) if (typeof part[name] === "string") return isOk(part[name]);
  return true;
}

function why(value: unknown): string {
  if (typeof value === "string") return isOk(value) ? "" : value;
  const part = record(value);
  const reason = part["reason"] ?? part["message"] ?? part["error"] ?? part["detail"];
  const said = typeof reason === "string" ? reason : typeof record(reason)["message"] === "string" ? String(record(reason)["message"]) : "";
  const since = typeof part["since"] === "string" ? Date.parse(part["since"]) : NaN;
  return [said, Number.isNaN(since) ? "" : `for ${span(Date.now() - since)}`].filter(Boolean).join(", ");
}

export function readParts(body: unknown): Part[] {
  const top = record(body);
  const parts = top["parts"] ?? top["checks"] ?? top["components"];
  if (Array.isArray(parts)) {
    return parts.map((one) => ({ name: String(record(one)["name"] ?? record(one)["part"] ?? ""), ok: isOk(one), why: why(one) }));
  }
  const named = Object.keys(record(parts)).length > 0 ? record(parts) : Object.fromEntries(Object.entries(top).filter(([name]) => !["ready", "ok", "status", "state"].includes(name)));
  return Object.entries(named)
    .filter(([, value]) => typeof value !== "number")
    .map(([name, value]) => ({ name, ok: isOk(value), why: why(value) }));
}

export function Health({ ready }: { ready: { status: number; body: unknown } | null }): ReactNode {
  if (ready === null) return null;
  const ok = ready.status === 200;
  const parts = readParts(ready.body);
  return (
    <section className="card health" aria-label="Health">
      <header>
        <span className={`state ${ok ? "saved" : "refused"}`}>{ok ? "Ready" : "Not ready"}</span>
        {typeof ready.body === "string" && ready.body.trim() !== "" ? <span className="quiet">{ready.body.slice(0, 200)}</span> : null}
      </header>
      {parts.length === 0 ? null : (
        <ul>
          {parts.map((part) => (
            <li key={part.name}>
              <span className={`state ${part.ok ? "saved" : "refused"}`}>{part.ok ? "Up" : "Down"}</span>
              <strong>{part.name.includes("/") ? breakable(part.name) : plain(part.name)}</strong>
              <span className="quiet small">{part.why}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
