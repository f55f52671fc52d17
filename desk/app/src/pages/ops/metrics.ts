// Prometheus text, read as far as this page draws it. Pure.
import { sayCount, span } from "../../lib/words";
import { recentOf, type Scrape } from "./recent";

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Of a histogram, as the server worked them out. Seconds. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Metric {
  name: string;
  help: string;
  type: string;
  samples: Sample[];
  quantiles?: Quantiles;
}

const line = /^([a-zA-Z_:][\w:]*)(\{.*\})?\s+(\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

export function readMetrics(text: string): Metric[] {
  const metrics = new Map<string, Metric>();
  const metric = (name: string): Metric => {
    const known = metrics.get(name);
    if (known !== undefined) return known;
    const made = { name, help: "", type: "untyped", samples: [] };
    metrics.set(name, made);
    return made;
  };
  for (const row of text.split("\n")) {
    if (row.startsWith("# HELP ")) {
      const [name = "", ...help] = row.slice(7).split(" ");
      metric(name).help = help.join(" ");
    } else if (row.startsWith("# TYPE ")) {
      const [name = "", type = "untyped"] = row.slice(7).split(" ");
      metric(name).type = type;
    } else {
      const found = line.exec(row);
      if (found === null) continue;
      const labels = Object.fromEntries([...(found[2] ?? "").matchAll(label)].map((one) => [one[1]!, one[2]!]));
      const base = found[1]!.replace(/_(bucket|sum|count)$/, "");
      const of = metrics.has(found[1]!) ? found[1]! : metrics.has(base) ? base : found[1]!;
      metric(of).samples.push({ name: found[1]!, labels, value: Number(found[3]) });
    }
  }
  return [...metrics.values()];
}

/** What the live topic brings: values by sample, with the words of an exposition that was read before. */
export function fromTopic(values: Record<string, number>, quantiles: Record<string, Quantiles>, described: Metric[]): Metric[] {
  const words = described.map(({ name, help, type }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}`);
  const lines = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  const metrics = readMetrics([...words, ...lines].join("\n"));
  for (const [name, found] of Object.entries(quantiles)) {
    const known = metrics.find((one) => one.name === name);
    if (known === undefined) metrics.push({ name, help: "", type: "histogram", samples: [], quantiles: found });
    else known.quantiles = found;
  }
  return metrics;
}

const asked: [number, keyof Quantiles][] = [[0.5, "p50"], [0.95, "p95"], [0.99, "p99"]];

/** The value below which a share of a histogram's observations lie, by linear interpolation; null without any. */
export function quantile(metric: Metric, share: number, only: (labels: Record<string, string>) => boolean = () => true): number | null {
  const known = asked.find(([of]) => of === share)?.[1];
  if (metric.quantiles !== undefined && known !== undefined) return metric.quantiles[known];
  const counts = new Map<number, number>();
  for (const { name, labels, value } of metric.samples) {
    if (!name.endsWith("_bucket") || !only(labels)) continue;
    const bound = labels["le"] === "+Inf" ? Infinity : Number(labels["le"]);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets[buckets.length - 1]?.[1] ?? 0;
  if (total === 0) return null;
  const wanted = total * share;
  let below = 0;
  let from = 0;
  for (const [bound, count] of buckets) {
    if (count >= wanted) return bound === Infinity ? from : from + ((bound - from) * (wanted - below)) / Math.max(1, count - below);
    below = count;
    from = bound;
  }
  return from;
}

export function total(metric: Metric | undefined, only: (labels: Record<string, string>) => boolean = () => true): number {
  return (metric?.samples ?? []).filter((one) => one.name === metric!.name && only(one.labels)).reduce((sum, one) => sum + one.value, 0);
}

export function sayNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export function saySeconds(value: number | null): string {
  if (value === null) return "–";
  if (value === 0) return "0 s";
  if (value < 0.001) return `${(value * 1e6).toFixed(0)} µs`;
  if (value < 1) return `${(value * 1000).toPrecision(3)} ms`;
  return `${value.toPrecision(3)} s`;
}

/** A histogram's or a gauge's value in its own unit, which its name ends with. */
export function sayOf(metric: Metric, value: number | null): string {
  if (metric.name.endsWith("_seconds")) return saySeconds(value);
  return value === null ? "–" : sayNumber(value);
}

/** As a person looks for them: by label, numbers in them by size. */
export function sorted(samples: readonly Sample[]): Sample[] {
  const said = (one: Sample): string => Object.values(one.labels).join(", ");
  return [...samples].sort((a, b) => said(a).localeCompare(said(b), "en", { numeric: true }));
}

export interface Figure {
  name: string;
  value: string;
  /** For the curve; null: nothing to add to it. */
  number: number | null;
  note: string;
}

/** `scrapes`: the readings of the last minutes, for what is told of them alone. */
export function figures(metrics: Metric[], scrapes: readonly Scrape[] = []): Figure[] {
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
    const recent = recentOf(scrapes, metric);
    const whole = named(metric);
    const value = recent !== null ? quantile(recent.metric, share) : whole === undefined ? null : quantile(whole, share);
    if (recent === null) {
      if (value !== null) out.push({ name, number: null, value: saySeconds(value), note: `since the start; ${note}` });
    } else {
      const over = `the last ${span(recent.ms)}`;
      out.push({ name, number: value, value: saySeconds(value), note: value === null ? `none in ${over}` : `over ${over}; ${note}` });
    }
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
