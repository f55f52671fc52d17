// What a histogram counted lately: the difference of two readings of /metrics. Its own numbers go back to the server's start,
// and one bad minute of this morning would stand in them all day. Pure.
import type { Metric } from "./metrics";

/** How far back it goes. Milliseconds. */
export const windowMs = 5 * 60_000;
/** Between two readings that are kept; the second comes sooner, so that there is something to compare. Milliseconds. */
const apartMs = 15_000;
const firstApartMs = 5_000;

export interface Scrape {
  at: number;
  /** Counts by metric, then by sample: the buckets of histograms. */
  buckets: Map<string, Map<string, Bucket>>;
}

interface Bucket {
  labels: Record<string, string>;
  count: number;
}

export interface Recent {
  /** Shaped as a histogram that began with the window. */
  metric: Metric;
  /** How long the window is. Milliseconds. */
  ms: number;
}

export function isDue(scrapes: readonly Scrape[], now: number): boolean {
  const last = scrapes[scrapes.length - 1];
  return last === undefined || now - last.at >= (scrapes.length < 2 ? firstApartMs : apartMs);
}

export function scrapeOf(metrics: readonly Metric[], at: number): Scrape {
  const buckets = new Map<string, Map<string, Bucket>>();
  for (const metric of metrics) {
    if (metric.type !== "histogram") continue;
    const counts = metric.samples.filter((one) => one.name === `${metric.name}_bucket`);
    buckets.set(metric.name, new Map(counts.map((one) => [keyOf(one.labels), { labels: one.labels, count: one.value }])));
  }
  return { at, buckets };
}

const keyOf = (labels: Record<string, string>): string => Object.entries(labels).sort().join(";");

/** With the newest one; what is older than the window goes, and all of it when the server began to count anew. */
export function withScrape(scrapes: readonly Scrape[], newest: Scrape): Scrape[] {
  const last = scrapes[scrapes.length - 1];
  if (last !== undefined && restarted(last, newest)) return [newest];
  return [...scrapes.filter((one) => newest.at - one.at <= windowMs), newest];
}

function restarted(before: Scrape, now: Scrape): boolean {
  for (const [name, counts] of before.buckets) {
    for (const [key, { count }] of counts) if ((now.buckets.get(name)?.get(key)?.count ?? 0) < count) return true;
  }
  return false;
}

/** Null: fewer than two readings, or they know no such histogram. */
export function recentOf(scrapes: readonly Scrape[], name: string): Recent | null {
  const [first, last] = [scrapes[0], scrapes[scrapes.length - 1]];
  const now = last?.buckets.get(name);
  if (first === undefined || last === undefined || first === last || now === undefined) return null;
  const then = first.buckets.get(name);
  const samples = [...now].map(([key, { labels, count }]) => ({ name: `${name}_bucket`, labels, value: count - (then?.get(key)?.count ?? 0) }));
  return { metric: { name, help: "", type: "histogram", samples }, ms: last.at - first.at };
}
