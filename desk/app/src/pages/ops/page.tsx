import { useLink, useOmnium } from "@omnium/bridge/react";
import { useEffect, useState, type ReactNode } from "react";
import { useNow, useTitle } from "../../lib/hooks";
import { ago, plain, sayCount } from "../../lib/words";
import { Alerts, Failures, Locks, SilentService, useTroubles } from "./alerts";
import { Health } from "./health";
import { quantile, readMetrics, sayNumber, saySeconds, total, type Metric } from "./metrics";
import { readTree, Tree, type TreeNode } from "./tree";
import { Spark } from "./spark";

const everyMs = 5_000;
/** Points kept for the small curves: an hour. */
const pointsMax = (60 * 60_000) / everyMs;

interface Reading {
  at: number;
  ready: { status: number; body: unknown } | null;
  metrics: Metric[];
  /** Null where the person may not see it. */
  tree: TreeNode | null;
  problem: string | null;
}

type Series = Record<string, number[]>;

export function OpsPage(): ReactNode {
  useTitle("Operations");
  const { reading, series } = useReadings();
  const { troubles, again } = useTroubles(everyMs);
  const link = useLink();
  const now = useNow(1000);
  const [find, setFind] = useState("");
  if (reading === null) return <main className="page"><p className="quiet loading">Asking the server…</p></main>;
  const { metrics } = reading;
  const found = metrics.filter((one) => `${one.name} ${one.help}`.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <main className="page ops">
      <div className="head">
        <h1>Operations</h1>
        <p className="num">
          {link.node === null ? "" : `Node ${link.node}, `}read {ago(now - reading.at)}
        </p>
      </div>
      {reading.problem === null ? null : (
        <p className="notice bad" role="alert">
          {reading.problem}
        </p>
      )}
      {troubles === null ? null : <SilentService age={troubles.serviceAge} />}
      {troubles === null ? null : <Alerts alerts={troubles.alerts} onChange={again} />}
      <Health ready={reading.ready} />
      {troubles === null ? null : <Locks locks={troubles.locks} />}
      {troubles === null ? null : <Failures failures={troubles.failures} />}
      <section aria-label="Figures" className="figures-grid">
        {figures(metrics).map(({ name, value, note }) => (
          <div className="card figure" key={name}>
            <h3>{name}</h3>
            <p className="num">{value}</p>
            <Spark values={series[name] ?? []} label={`${name}, last hour`} />
            <small className="quiet">{note}</small>
          </div>
        ))}
      </section>
      {reading.tree === null ? null : <Tree root={reading.tree} />}
      <section className="card metrics" aria-label="All metrics">
        <header className="row between">
          <h2>All metrics</h2>
          <input className="input" type="search" placeholder="Find" aria-label="Find a metric" value={find} onChange={(event) => setFind(event.target.value)} />
        </header>
        <div className="scroll">
          <table className="num">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {found.map((metric) => (
                <tr key={metric.name}>
                  <th scope="row">
                    <code>{metric.name}</code>
                    <small className="quiet">{metric.help}</small>
                  </th>
                  <td>{sayMetric(metric)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {found.length === 0 ? <p className="quiet none">No metric of that name.</p> : null}
      </section>
    </main>
  );
}

function sayMetric(metric: Metric): ReactNode {
  if (metric.type === "histogram") {
    return `p50 ${saySeconds(quantile(metric, 0.5))}, p95 ${saySeconds(quantile(metric, 0.95))}, p99 ${saySeconds(quantile(metric, 0.99))}`;
  }
  return (
    <ul>
      {metric.samples.slice(0, 12).map((sample, i) => (
        <li key={i}>
          {Object.values(sample.labels).length === 0 ? null : <span className="quiet">{Object.values(sample.labels).join(", ")} </span>}
          <b>{sayNumber(sample.value)}</b>
        </li>
      ))}
      {metric.samples.length > 12 ? <li className="quiet">and {metric.samples.length - 12} more</li> : null}
    </ul>
  );
}

interface Figure {
  name: string;
  value: string;
  number: number;
  note: string;
}

function figures(metrics: Metric[]): Figure[] {
  const named = (name: string): Metric | undefined => metrics.find((one) => one.name === name);
  const out: Figure[] = [];
  const add = (name: string, number: number | null, value: string, note: string): void => {
    if (number !== null) out.push({ name, number, value, note });
  };
  const answers = named("omnium_answers_total");
  if (answers !== undefined) {
    const of = (word: string): number => total(answers, (labels) => Object.values(labels).includes(word));
    add("Accepted", of("accepted"), sayNumber(of("accepted")), `of ${sayCount(total(answers), "answer")}`);
    add("Try again", of("try_again"), sayNumber(of("try_again")), "answers since the start");
  }
  const quantiles: [string, string, number, string][] = [
    ["Time of a command, p95", "omnium_command_seconds", 0.95, "the aim is under 30 ms"],
    ["Wait for a lock, p99", "omnium_lock_wait_seconds", 0.99, "another writer of the same match"],
  ];
  for (const [name, metric, share, note] of quantiles) {
    const value = named(metric) === undefined ? null : quantile(named(metric)!, share);
    add(name, value, saySeconds(value), note);
  }
  const gauges: [string, string, string][] = [
    ["Matches awake", "omnium_live_matches", "actors in memory"],
    ["Sockets", "omnium_sockets", "open now"],
    ["Queued", "omnium_queue_length", "commands waiting"],
    ["Workers killed", "omnium_worker_kills_total", "since the start"],
  ];
  for (const [name, metric, note] of gauges) if (named(metric) !== undefined) add(name, total(named(metric)), sayNumber(total(named(metric))), note);
  const lag = named("omnium_outbox_lag_seconds");
  if (lag !== undefined) add("Outbox lag", total(lag), saySeconds(total(lag)), "behind the log");
  return out;
}

function useReadings(): { reading: Reading | null; series: Series } {
  const { client } = useOmnium();
  const [state, setState] = useState<{ reading: Reading | null; series: Series }>({ reading: null, series: {} });
  useEffect(() => {
    let here = true;
    const read = async (): Promise<void> => {
      if (document.visibilityState === "hidden") return;
      const reading = await readOnce(client);
      if (!here) return;
      setState((before) => {
        const series: Series = { ...before.series };
        for (const { name, number } of figures(reading.metrics)) series[name] = [...(series[name] ?? []), number].slice(-pointsMax);
        return { reading: reading.problem === null ? reading : { ...reading, metrics: before.reading?.metrics ?? [] }, series };
      });
    };
    void read();
    const timer = setInterval(() => void read(), everyMs);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [client]);
  return state;
}

type Text = Promise<{ status: number; text: string }>;
type Texts = [Text, Text, Text, Text];

async function readOnce(client: ReturnType<typeof useOmnium>["client"]): Promise<Reading> {
  const at = Date.now();
  try {
    const [ready, health, metrics, tree] = await Promise.all(["/readyz", "/ops/health", "/metrics", "/ops/tree"].map((path) => client.http.text(path)) as Texts);
    const body = health.status === 200 ? { parts: (asJson(health.text) as { items: unknown[] }).items } : asJson(ready.text);
    const shown = { at, ready: { status: ready.status, body }, tree: tree.status === 200 ? readTree(asJson(tree.text)) : null };
    if (metrics.status !== 200) return { ...shown, metrics: [], problem: `The metrics cannot be read (status ${metrics.status}).` };
    return { ...shown, metrics: readMetrics(metrics.text), problem: null };
  } catch (error) {
    return { at, ready: null, tree: null, metrics: [], problem: `The server cannot be reached: ${error instanceof Error ? error.message : plain("no answer")}` };
  }
}

/** Plain text is shown as it is. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
