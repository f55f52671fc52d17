import { useLink, useOmnium } from "@omnium/bridge/react";
import { useEffect, useState, type ReactNode } from "react";
import { useNow, useTitle } from "../../lib/hooks";
import { ago, plain } from "../../lib/words";
import { Health } from "./health";
import { quantile, readMetrics, sayNumber, saySeconds, total, type Metric } from "./metrics";
import { Spark } from "./spark";

const everyMs = 5_000;
/** Points kept for the small curves: an hour. */
const pointsMax = (60 * 60_000) / everyMs;

interface Reading {
  at: number;
  ready: { status: number; body: unknown } | null;
  metrics: Metric[];
  problem: string | null;
}

type Series = Record<string, number[]>;

export function OpsPage(): ReactNode {
  useTitle("Operations");
  const { reading, series } = useReadings();
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
      <Health ready={reading.ready} />
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

// Found by what a name says, so that the page goes on when a metric is renamed or comes later.
function figures(metrics: Metric[]): Figure[] {
  const by = (pattern: RegExp, type?: string): Metric | undefined => metrics.find((one) => pattern.test(one.name) && (type === undefined || one.type === type));
  const commands = by(/^omnium_(commands|answers)(_total)?$/) ?? by(/^omnium_.*(command|answer).*_total$/);
  const seconds = by(/^omnium_.*(command|server|road).*seconds$/, "histogram") ?? by(/seconds$/, "histogram");
  const out: Figure[] = [];
  const add = (name: string, number: number | null, value: string, note: string): void => {
    if (number !== null) out.push({ name, number, value, note });
  };
  if (commands !== undefined) {
    const outcome = (labels: Record<string, string>, word: string): boolean => Object.values(labels).includes(word);
    const accepted = total(commands, (labels) => outcome(labels, "accepted"));
    add("Commands accepted", accepted, sayNumber(accepted), `${sayNumber(total(commands))} answered in all`);
    const again = total(commands, (labels) => outcome(labels, "try_again"));
    add("Try again", again, sayNumber(again), "answered since the start");
  }
  if (seconds !== undefined) {
    const p95 = quantile(seconds, 0.95);
    add("Time of a command, p95", p95, saySeconds(p95), "the aim is under 30 ms");
  }
  const gauges: [string, RegExp, string][] = [
    ["Live matches", /^omnium_.*(match|subject)(es|s)?(_live|_awake|_actors)?$/, "actors awake"],
    ["Sockets", /^omnium_.*(sockets|connections|sessions)(_open)?$/, "open now"],
    ["Outbox lag", /^omnium_outbox.*lag.*/, "seconds behind the log"],
    ["Workers killed", /^omnium_.*worker.*kill.*/, "since the start"],
  ];
  for (const [name, pattern, note] of gauges) {
    const metric = by(pattern);
    if (metric !== undefined && metric.type !== "histogram") add(name, total(metric), sayNumber(total(metric)), note);
  }
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

async function readOnce(client: ReturnType<typeof useOmnium>["client"]): Promise<Reading> {
  const at = Date.now();
  try {
    const [ready, metrics] = await Promise.all([client.http.text("/readyz?verbose"), client.http.text("/metrics")]);
    let body: unknown = ready.text;
    try {
      body = JSON.parse(ready.text);
    } catch {
      // Plain text is shown as it is.
    }
    if (metrics.status !== 200) return { at, ready: { status: ready.status, body }, metrics: [], problem: `The metrics cannot be read (status ${metrics.status}).` };
    return { at, ready: { status: ready.status, body }, metrics: readMetrics(metrics.text), problem: null };
  } catch (error) {
    return { at, ready: null, metrics: [], problem: `The server cannot be reached: ${error instanceof Error ? error.message : plain("no answer")}` };
  }
}
