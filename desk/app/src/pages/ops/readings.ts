// How the node is, as the live topic `ops` pictures it once a beat; over HTTP every few seconds where no socket brings it.
import { useOmnium } from "@omnium/bridge/react";
import { useCallback, useEffect, useState } from "react";
import { readTroubles, troublesOf, type AlertList, type List, type Troubles } from "./alerts";
import { isDue, scrapeOf, withScrape, type Scrape } from "./recent";
import type { Point } from "./spark";
import { figures, fromTopic, readMetrics, type Metric, type Quantiles } from "./metrics";
import { readTree, type TreeNode } from "./tree";

const everyMs = 5_000;
/** Without a picture for so long the topic counts as silent. */
const silentMs = 12_000;
/** At the start the topic has so long to come first. */
const firstMs = 1_000;
/** The small curves begin when the page is opened, and go back so far at most. Milliseconds. */
export const curveMs = 60 * 60_000;

export interface Reading {
  at: number;
  /** Brought by the live socket, or asked for over HTTP. */
  live: boolean;
  ready: { status: number; body: unknown } | null;
  metrics: Metric[];
  /** Null where the person may not see it. */
  tree: TreeNode | null;
  troubles: Troubles | null;
  problem: string | null;
}

export type Series = Record<string, Point[]>;

interface Seen {
  reading: Reading | null;
  series: Series;
  scrapes: Scrape[];
}

type Client = ReturnType<typeof useOmnium>["client"];

/** Data of a snapshot of topic `ops`; what is null there is asked for over HTTP. */
interface Picture {
  ready: boolean;
  parts: unknown;
  tree: unknown;
  figures: Record<string, number>;
  quantiles?: Record<string, Quantiles>;
  health?: List<unknown> | null;
  alerts?: AlertList | null;
  locks?: Parameters<typeof troublesOf>[1] | null;
  failures?: Parameters<typeof troublesOf>[2] | null;
}

export function useReadings(): Seen & { again: () => void } {
  const { client } = useOmnium();
  const [state, setState] = useState<Seen>({ reading: null, series: {}, scrapes: [] });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let here = true;
    let liveAt = 0;
    let described: Metric[] = [];
    let scrapes: Scrape[] = [];
    const keep = (metrics: Metric[], at: number): void => {
      if (!here || !isDue(scrapes, at)) return;
      scrapes = withScrape(scrapes, scrapeOf(metrics, at));
      setState((before) => ({ ...before, scrapes }));
    };
    // What each metric is, and the buckets of the histograms: the topic brings only values. They come over HTTP now and then.
    const scrape = async (): Promise<void> => {
      if (document.visibilityState === "hidden" || !isDue(scrapes, Date.now())) return;
      const at = Date.now();
      const page = await client.http.text("/metrics").catch(() => null);
      if (page === null || page.status !== 200) return;
      described = readMetrics(page.text);
      keep(described, at);
    };
    const take = (reading: Reading): void => {
      if (here) setState((before) => next(before, reading));
    };
    const ask = async (): Promise<void> => {
      if (document.visibilityState === "hidden" || Date.now() - liveAt < silentMs) return;
      const reading = await readOnce(client);
      if (reading.problem === null) keep(reading.metrics, reading.at);
      if (Date.now() - liveAt >= silentMs) take(reading);
    };
    // The first picture waits for the words, for a moment.
    const ready = Promise.race([scrape(), new Promise((done) => setTimeout(done, firstMs))]);
    const watching = client.watch("ops", {
      snapshot: (snapshot) => {
        liveAt = Date.now();
        void ready.then(() => fromPicture(client, snapshot.data as unknown as Picture, described)).then(take);
      },
      failed: () => void ask(),
    });
    const first = setTimeout(() => void ask(), firstMs);
    const timer = setInterval(() => void ask().then(scrape), everyMs);
    return () => {
      here = false;
      clearTimeout(first);
      clearInterval(timer);
      watching.close();
    };
  }, [client]);
  // After an act: what it changed is asked for at once.
  useEffect(() => {
    if (turn === 0) return;
    void readTroubles(client).then((troubles) => setState((before) => (before.reading === null ? before : { ...before, reading: { ...before.reading, troubles } })));
  }, [client, turn]);
  return { ...state, again: useCallback(() => setTurn((n) => n + 1), []) };
}

function next(before: Seen, reading: Reading): Seen {
  const series: Series = { ...before.series };
  for (const { name, number } of figures(reading.metrics, before.scrapes)) {
    if (number !== null) series[name] = withPoint(series[name] ?? [], { at: reading.at, value: number });
  }
  return { ...before, reading: reading.problem === null ? reading : { ...reading, metrics: before.reading?.metrics ?? [] }, series };
}

/** One point in `everyMs`, also where the topic brings more; the last one is the newest. */
export function withPoint(points: readonly Point[], point: Point): Point[] {
  const kept = points.filter((one) => point.at - one.at <= curveMs);
  const [before, last] = [kept[kept.length - 2], kept[kept.length - 1]];
  return before !== undefined && last !== undefined && last.at - before.at < everyMs ? [...kept.slice(0, -1), point] : [...kept, point];
}

async function fromPicture(client: Client, data: Picture, described: Metric[]): Promise<Reading> {
  const { alerts, locks, failures } = data;
  const whole = alerts != null && locks != null && failures != null;
  return {
    at: Date.now(),
    live: true,
    ready: { status: data.ready ? 200 : 503, body: { parts: data.health?.items ?? data.parts } },
    tree: data.tree === null ? null : readTree(data.tree),
    metrics: fromTopic(data.figures, data.quantiles ?? {}, described),
    troubles: whole ? troublesOf(alerts, locks, failures) : await readTroubles(client),
    problem: null,
  };
}

type Text = Promise<{ status: number; text: string }>;
type Texts = [Text, Text, Text, Text];

async function readOnce(client: Client): Promise<Reading> {
  const at = Date.now();
  try {
    const texts = ["/readyz", "/ops/health", "/metrics", "/ops/tree"].map((path) => client.http.text(path)) as Texts;
    const [[ready, health, metrics, tree], troubles] = await Promise.all([Promise.all(texts), readTroubles(client)]);
    const body = health.status === 200 ? { parts: (asJson(health.text) as List<unknown>).items } : asJson(ready.text);
    const shown = { at, live: false, ready: { status: ready.status, body }, tree: tree.status === 200 ? readTree(asJson(tree.text)) : null, troubles };
    if (metrics.status !== 200) return { ...shown, metrics: [], problem: `The metrics cannot be read (status ${metrics.status}).` };
    return { ...shown, metrics: readMetrics(metrics.text), problem: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : "no answer";
    return { at, live: false, ready: null, tree: null, metrics: [], troubles: null, problem: `The server cannot be reached: ${why}` };
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
