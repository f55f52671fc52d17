// Commands that failed with an error, one row a cause: a database that was away for a minute failed hundreds in one way.
import type { ReactNode } from "react";
import { ago, sayCount } from "../../lib/words";
import type { Failure } from "./alerts";

export interface Cause {
  error: string;
  /** The newest first. */
  failures: Failure[];
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** The server names so many, the newest. */
const failuresMax = 100;
/** Causes, and keys of one, that are drawn. */
const causesMax = 8;
const keysMax = 50;

/** Errors that differ in the match alone are one cause. The cause that failed last comes first. */
export function causesOf(failures: readonly Failure[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const one of [...failures].sort((a, b) => Date.parse(b.last_at) - Date.parse(a.last_at))) {
    const what = one.last_error.replace(uuid, "…");
    const cause = causes.get(what) ?? { error: what, failures: [] };
    causes.set(what, cause);
    cause.failures.push(one);
  }
  return [...causes.values()].map((cause) => (cause.failures.length === 1 ? { ...cause, error: cause.failures[0]!.last_error } : cause));
}

export const sayTimes = (n: number): string => (n === 1 ? "once" : `${n} times`);

export function Failures({ failures }: { failures: Failure[] }): ReactNode {
  if (failures.length === 0) return null;
  const causes = causesOf(failures);
  return (
    <section className="card alerts" aria-label="Failures">
      <header>
        <h2>Commands that failed with an error</h2>
        <span className="quiet small num">{failures.length < failuresMax ? sayCount(failures.length, "command") : `the newest ${failuresMax}`}</span>
      </header>
      <ul>
        {causes.slice(0, causesMax).map((cause) => (
          <li key={cause.error}>
            <CauseRow cause={cause} />
          </li>
        ))}
        {causes.length > causesMax ? <li className="quiet">and {sayCount(causes.length - causesMax, "more cause")}</li> : null}
      </ul>
    </section>
  );
}

function CauseRow({ cause }: { cause: Cause }): ReactNode {
  const { failures, error } = cause;
  const newest = failures[0]!;
  const when = ago(Date.now() - Date.parse(newest.last_at));
  const tried = failures.reduce((most, one) => Math.max(most, one.attempts), 0);
  if (failures.length === 1) {
    return (
      <>
        <code>{newest.key}</code> <span className="quiet small">{when}, tried {sayTimes(tried)}</span>
        <p className="small">{error}</p>
      </>
    );
  }
  return (
    <>
      <p>{error}</p>
      <details>
        <summary className="quiet small">
          {sayCount(failures.length, "command")}, the newest {when}, tried {tried === 1 ? "once each" : `up to ${sayTimes(tried)}`}
        </summary>
        <ul className="keys-list small">
          {failures.slice(0, keysMax).map((one) => (
            <li key={one.key}>
              <code>{one.key}</code>
            </li>
          ))}
          {failures.length > keysMax ? <li className="quiet">and {failures.length - keysMax} more</li> : null}
        </ul>
      </details>
    </>
  );
}
