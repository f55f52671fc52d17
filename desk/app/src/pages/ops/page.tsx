import { useLink } from "@omnium/bridge/react";
import { useState, type ReactNode } from "react";
import { useNow, useTitle } from "../../lib/hooks";
import { useBarred } from "../../lib/rights";
import { breakable } from "../../ui/bits";
import { ago, span } from "../../lib/words";
import { Alerts, SilentService } from "./alerts";
import { Failures } from "./failures";
import { Health } from "./health";
import { Locks } from "./locks";
import { figures, quantile, sayNumber, sayOf, sorted, type Metric } from "./metrics";
import { curveMs, useReadings } from "./readings";
import { Spark } from "./spark";
import { Tree } from "./tree";

export function OpsPage(): ReactNode {
  useTitle("Operations");
  const { reading, series, scrapes, again } = useReadings();
  const barred = useBarred("operate");
  const [openedAt] = useState(Date.now);
  const link = useLink();
  const now = useNow(1000);
  const [find, setFind] = useState("");
  if (reading === null) return <main className="page"><p className="quiet loading">Asking the server…</p></main>;
  const { metrics, troubles } = reading;
  const found = metrics.filter((one) => `${one.name} ${one.help}`.toLowerCase().includes(find.trim().toLowerCase())).sort((a, b) => a.name.localeCompare(b.name, "en"));
  return (
    <main className="page ops">
      <div className="head">
        <h1>Operations</h1>
        <p className="num">
          {link.node === null ? "" : `Node ${link.node}, `}
          <span data-testid="reading">{reading.live ? "live" : "asked over HTTP"}</span>, {ago(now - reading.at)}
        </p>
      </div>
      {reading.problem === null ? null : (
        <p className="notice bad" role="alert">
          {reading.problem}
        </p>
      )}
      {troubles === null && barred !== null ? (
        <p className="notice" data-testid="barred">
          Alerts, locks, failures and the supervision tree are not shown. {barred}
        </p>
      ) : null}
      {troubles === null ? null : <SilentService age={troubles.serviceAge} />}
      {troubles === null ? null : <Alerts alerts={troubles.alerts} silences={troubles.silences} onChange={again} />}
      <Health ready={reading.ready} />
      {troubles === null ? null : <Locks locks={troubles.locks} onChange={again} />}
      <section aria-label="Figures" className="figures-grid">
        {figures(metrics, scrapes).map(({ name, value, note }) => (
          <div className="card figure" key={name}>
            <h3>{name}</h3>
            <p className="num">{value}</p>
            <Spark points={series[name] ?? []} label={`${name}, since this page was opened, an hour at most`} />
            <small className="quiet">{note}</small>
          </div>
        ))}
      </section>
      <p className="quiet small curves">The curves begin when this page was opened, {ago(now - openedAt)}; they go back {span(curveMs)} at most.</p>
      {troubles === null ? null : <Failures failures={troubles.failures} />}
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
                    <code>{breakable(metric.name)}</code>
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
    const at = (share: number): string => sayOf(metric, quantile(metric, share));
    return (
      <>
        p50 {at(0.5)}, p95 {at(0.95)}, p99 {at(0.99)} <span className="quiet">since the start</span>
      </>
    );
  }
  return (
    <ul>
      {sorted(metric.samples).slice(0, 12).map((sample, i) => (
        <li key={i}>
          {Object.values(sample.labels).length === 0 ? null : <span className="quiet">{Object.values(sample.labels).join(", ")} </span>}
          <b>{sayNumber(sample.value)}</b>
        </li>
      ))}
      {metric.samples.length > 12 ? <li className="quiet">and {metric.samples.length - 12} more</li> : null}
    </ul>
  );
}
