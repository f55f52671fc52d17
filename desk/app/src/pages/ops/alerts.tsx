// What is wrong now and what an operator can do about it: alerts, and the silences over them.
import { useOmnium } from "@omnium/bridge/react";
import { useState, type ReactNode } from "react";
import { ago, clockTime, sayCount, span } from "../../lib/words";

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
/** Nobody is told of a rule's alerts until then. */
export interface Silence {
  rule: string;
  /** Of which alerts of the rule; "*" is all. */
  key: string;
  until: string;
  who: string;
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
  silences: Silence[];
  /** Seconds since any node's alert service worked; null: never. */
  serviceAge: number | null;
  locks: Lock[];
  failures: Failure[];
}

type Client = ReturnType<typeof useOmnium>["client"];
export interface List<T> {
  items: T[];
}

export type AlertList = List<Alert> & { silences?: Silence[]; service_age_s: number | null };

export function troublesOf(alerts: AlertList, locks: List<Lock>, failures: List<Failure>): Troubles {
  return { alerts: alerts.items, silences: alerts.silences ?? [], serviceAge: alerts.service_age_s, locks: locks.items, failures: failures.items };
}

/** Null where the person may not see it, or the server is away. */
export async function readTroubles(client: Client): Promise<Troubles | null> {
  try {
    const [alerts, locks, failures] = await Promise.all([
      client.http.get<AlertList>("/ops/alerts"),
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
      <strong>Nobody is told of anything.</strong> {age === null ? "No node has done the alert service's work yet." : `No node has done the alert service's work for ${span(age * 1000)}.`}
    </p>
  );
}

/** The silence an alert lies under that lasts longest; null: its messages go out. */
export function silenceOf(alert: Pick<Alert, "rule" | "key">, silences: readonly Silence[], now: number): Silence | null {
  const over = silences.filter((one) => one.rule === alert.rule && (one.key === "*" || one.key === alert.key) && Date.parse(one.until) > now);
  return over.sort((a, b) => Date.parse(b.until) - Date.parse(a.until))[0] ?? null;
}

/** One act at a time, and a sentence when it could not be done. */
function useAct(onChange: () => void): { act: (path: string, body: object) => Promise<void>; problem: string; busy: boolean } {
  const { client } = useOmnium();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const act = async (path: string, body: object): Promise<void> => {
    setBusy(true);
    const answer = await client.http.act(path, body).catch(() => null);
    setBusy(false);
    setProblem(answer !== null && answer.status === 200 ? "" : "That could not be done; try again.");
    onChange();
  };
  return { act, problem, busy };
}

export function Alerts({ alerts, silences, onChange }: { alerts: Alert[]; silences: Silence[]; onChange: () => void }): ReactNode {
  const silent = silences.filter((one) => Date.parse(one.until) > Date.now());
  const open = alerts.filter((one) => one.state === "open");
  const closed = alerts.filter((one) => one.state === "closed").slice(0, 10);
  return (
    <section className="card alerts" aria-label="Alerts">
      <header>
        <h2>Alerts</h2>
        <span className={`state ${open.length === 0 ? "saved" : "refused"}`}>{open.length === 0 ? "None open" : `${open.length} open`}</span>
        {silent.length === 0 ? null : <span className="state waiting">{sayCount(silent.length, "silence")}</span>}
      </header>
      <ul>
        {open.map((alert) => (
          <OpenAlert key={alert.id} alert={alert} silence={silenceOf(alert, silent, Date.now())} onChange={onChange} />
        ))}
        {silent.map((one) => (
          <SilenceRow key={`${one.rule} ${one.key}`} silence={one} onChange={onChange} />
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

function SilenceRow({ silence, onChange }: { silence: Silence; onChange: () => void }): ReactNode {
  const { act, problem, busy } = useAct(onChange);
  const { rule, key, until, who } = silence;
  return (
    <li data-testid="silence">
      <div className="row between">
        <span className="num">
          <span className="state waiting">Silenced</span> <strong>{rule}</strong>
          {key === "*" ? " wherever it is raised" : key === "" ? "" : ` ${key}`}, until {clockTime(until)} ({span(Date.parse(until) - Date.now())} more), by {who}
        </span>
        <button type="button" className="button plain slim" aria-label={`End the silence of ${rule} ${key === "*" ? "" : key}`.trim()} disabled={busy} onClick={() => void act("/ops/alerts/silence", { rule, key, minutes: 0 })}>
          End the silence
        </button>
      </div>
      {problem === "" ? null : <p className="small">{problem}</p>}
    </li>
  );
}

function OpenAlert({ alert, silence, onChange }: { alert: Alert; silence: Silence | null; onChange: () => void }): ReactNode {
  const { act, problem, busy } = useAct(onChange);
  return (
    <li>
      <div className="row between">
        <span>
          <span className={`state ${alert.severity === "page" ? "refused" : "waiting"}`}>{alert.severity === "page" ? "Grave" : "Warning"}</span> <strong>{alert.rule}</strong> {alert.key}
        </span>
        <span className="row">
          {alert.acknowledged_by === null ? (
            <button type="button" className="button slim" disabled={busy} onClick={() => void act("/ops/alerts/ack", { id: alert.id })}>
              Acknowledge
            </button>
          ) : (
            <span className="quiet small">{alert.acknowledged_by} looks after it</span>
          )}
          {silence === null ? (
            <button type="button" className="button plain slim" disabled={busy} onClick={() => void act("/ops/alerts/silence", { rule: alert.rule, key: alert.key, minutes: 60 })}>
              Silence 1 h
            </button>
          ) : (
            <span className="quiet small num">silenced until {clockTime(silence.until)}</span>
          )}
        </span>
      </div>
      <p>
        {alert.sentence} {alert.detail}
      </p>
      <p className="quiet small num">
        {alert.count === 1 ? "Once" : `${alert.count} times`}
        {alert.opened_at === null ? "" : `, open for ${span(Date.now() - Date.parse(alert.opened_at))}`}; {alert.runbook}
      </p>
      {problem === "" ? null : <p className="small">{problem}</p>}
    </li>
  );
}
