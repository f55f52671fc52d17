// Prometheus text, read as far as this page draws it. Pure.
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Metric {
  name: string;
  help: string;
  type: string;
  samples: Sample[];
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

/** The value below which a share of a histogram's observations lie, by linear interpolation; null without any. */
export function quantile(metric: Metric, share: number, only: (labels: Record<string, string>) => boolean = () => true): number | null {
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
