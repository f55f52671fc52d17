// What is wrong now and what an operator can do about it: alerts, and commands that failed.
import { useOmnium } from "@omnium/bridge/react";
import { useState, type ReactNode } from "react";
import { ago } from "../../lib/words";

export interface Alert {
  id: number;
  rule: string;
  key: string;
  state: string;
  severity: string;
  count: number;
  sentence: string;
  detail: string;
  runbook: string;
  opened_at: string | null;
  closed_at: string | null;
  acknowledged_by: string | null;
}
export interface Lock {
  waiting_pid: number;
  waiting: string;
  waiting_s: number;
  blocking_pid: number;
  blocking: string;
  /** Null where the node's role may not see it. */
  blocking_state: string | null;
  blocking_open_s: number | null;
}
export interface Failure {
  key: string;
  attempts: number;
  last_error: string;
  last_at: string;
}
export interface Troubles {
  alerts: Alert[];
  /** Seconds since any node's alert service worked; null: never. */
  serviceAge: number | null;
  locks: Lock[];
  failures: Failure[];
}

type Client = ReturnType<typeof useOmnium>["client"];
export interface List<T> {
  items: T[];
}

export function troublesOf(alerts: List<Alert> & { service_age_s: number | null }, locks: List<Lock>, failures: List<Failure>): Troubles {
  return { alerts: alerts.items, serviceAge: alerts.service_age_s, locks: locks.items, failures: failures.items };
}

/** Null where the person may not see it, or the server is away. */
export async function readTroubles(client: Client): Promise<Troubles | null> {
  try {
    const [alerts, locks, failures] = await Promise.all([
      client.http.get<List<Alert> & { service_age_s: number | null }>("/ops/alerts"),
      client.http.get<List<Lock>>("/ops/locks"),
      client.http.get<List<Failure>>("/ops/failures"),
    ]);
    return troublesOf(alerts, locks, failures);
  } catch {
    return null;
  }
}

/** After this nobody is told of anything any more. Seconds; as limits::alert_silent_after. */
const silentAfter = 60;

export function SilentService({ age }: { age: number | null }): ReactNode {
  if (age !== null && age <= silentAfter) return null;
  return (
    <p className="notice bad" role="alert" data-testid="alert-service-silent">
      <strong>Nobody is told of anything.</strong> {age === null ? "No node has done the alert service's work yet." : `No node has done the alert service's work for ${ago(age * 1000).replace(" ago", "")}.`}
    </p>
  );
}

export function Alerts({ alerts, onChange }: { alerts: Alert[]; onChange: () => void }): ReactNode {
  const open = alerts.filter((one) => one.state === "open");
  const closed = alerts.filter((one) => one.state === "closed").slice(0, 10);
  return (
    <section className="card alerts" aria-label="Alerts">
      <header>
        <h2>Alerts</h2>
        <span className={`state ${open.length === 0 ? "saved" : "refused"}`}>{open.length === 0 ? "None open" : `${open.length} open`}</span>
      </header>
      <ul>
        {open.map((alert) => (
          <OpenAlert key={alert.id} alert={alert} onChange={onChange} />
        ))}
        {closed.map((alert) => (
          <li key={alert.id} className="quiet">
            <strong>{alert.rule}</strong> {alert.key} <span className="small">closed {alert.closed_at === null ? "" : ago(Date.now() - Date.parse(alert.closed_at))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenAlert({ alert, onChange }: { alert: Alert; onChange: () => void }): ReactNode {
  const { client } = useOmnium();
  const [problem, setProblem] = useState("");
  const act = async (path: string, body: object): Promise<void> => {
    const answer = await client.http.act(path, body).catch(() => null);
    setProblem(answer !== null && answer.status === 200 ? "" : "That could not be done; try again.");
    onChange();
  };
  return (
    <li>
      <div className="row between">
        <span>
          <span className={`state ${alert.severity === "page" ? "refused" : "waiting"}`}>{alert.severity === "page" ? "Grave" : "Warning"}</span> <strong>{alert.rule}</strong> {alert.key}
        </span>
        <span className="row">
          {alert.acknowledged_by === null ? (
            <button type="button" className="button slim" onClick={() => void act("/ops/alerts/ack", { id: alert.id })}>
              Acknowledge
            </button>
          ) : (
            <span className="quiet small">{alert.acknowledged_by} looks after it</span>
          )}
          <button type="button" className="button plain slim" onClick={() => void act("/ops/alerts/silence", { rule: alert.rule, key: alert.key, minutes: 60 })}>
            Silence 1 h
          </button>
        </span>
      </div>
      <p>
        {alert.sentence} {alert.detail}
      </p>
      <p className="quiet small num">
        {alert.count === 1 ? "Once" : `${alert.count} times`}, since {alert.opened_at === null ? "" : ago(Date.now() - Date.parse(alert.opened_at))}; {alert.runbook}
      </p>
      {problem === "" ? null : <p className="small">{problem}</p>}
    </li>
  );
}

export function Failures({ failures }: { failures: Failure[] }): ReactNode {
  if (failures.length === 0) return null;
  return (
    <section className="card alerts" aria-label="Failures">
      <header>
        <h2>Commands that failed with an error</h2>
      </header>
      <ul>
        {failures.slice(0, 20).map((one) => (
          <li key={one.key}>
            <code>{one.key}</code> <span className="quiet small">{ago(Date.now() - Date.parse(one.last_at))}, tried {one.attempts} times</span>
            <p className="small">{one.last_error}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
