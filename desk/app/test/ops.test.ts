// The operations page's own arithmetic: what counts as lately, what is silenced, what failed for one cause.
import { describe, expect, it } from "vitest";
import { silenceOf, type Silence } from "../src/pages/ops/alerts";
import { causesOf, sayTimes } from "../src/pages/ops/failures";
import { figures, readMetrics, sayOf, sorted } from "../src/pages/ops/metrics";
import { withPoint } from "../src/pages/ops/readings";
import { isDue, recentOf, scrapeOf, windowMs, withScrape, type Scrape } from "../src/pages/ops/recent";

/** Commands that took under 10 ms, under 100 ms, and longer. */
const page = (fast: number, slow: number, slowest = 0): ReturnType<typeof readMetrics> =>
  readMetrics(
    [
      "# TYPE omnium_command_seconds histogram",
      `omnium_command_seconds_bucket{le="0.01"} ${fast}`,
      `omnium_command_seconds_bucket{le="0.1"} ${fast + slow}`,
      `omnium_command_seconds_bucket{le="2"} ${fast + slow + slowest}`,
      `omnium_command_seconds_bucket{le="+Inf"} ${fast + slow + slowest}`,
      `omnium_command_seconds_count ${fast + slow + slowest}`,
    ].join("\n"),
  );
const scrapes = (...pages: [number, ReturnType<typeof readMetrics>][]): Scrape[] => pages.reduce<Scrape[]>((held, [at, metrics]) => withScrape(held, scrapeOf(metrics, at)), []);
const p95 = (held: Scrape[], metrics: ReturnType<typeof readMetrics>): object | undefined => figures(metrics, held).find((one) => one.name === "Time of a command, p95");

describe("the time of a command", () => {
  it("is told since the start until there are two readings, and says so", () => {
    const bad = page(10, 0, 90);
    expect(p95(scrapes([0, bad]), bad)).toMatchObject({ number: null, note: "since the start; the aim is under 30 ms" });
    expect((p95(scrapes([0, bad]), bad) as { value: string }).value).toMatch(/^1\.\d+ s$/);
  });

  it("is told of the last minutes then: a bad moment before them is over", () => {
    const [bad, now] = [page(10, 0, 90), page(1010, 0, 90)];
    expect(p95(scrapes([0, bad], [120_000, now]), now)).toMatchObject({ value: "9.50 ms", note: "over the last 2 min; the aim is under 30 ms" });
  });

  it("is no figure at all where nothing was counted meanwhile", () => {
    const bad = page(10, 0, 90);
    expect(p95(scrapes([0, bad], [60_000, bad]), bad)).toEqual({ name: "Time of a command, p95", number: null, value: "–", note: "none in the last 1 min" });
  });

  it("forgets what is older than its window, and all of it when the server began to count anew", () => {
    const held = scrapes([0, page(10, 0, 90)], [10, page(20, 0, 90)], [windowMs + 5, page(30, 0, 90)]);
    expect(held.map((one) => one.at)).toEqual([10, windowMs + 5]);
    expect(scrapes([0, page(100, 0)], [15_000, page(5, 0)]).map((one) => one.at)).toEqual([15_000]);
    expect(recentOf(held, "omnium_nothing_seconds")).toBeNull();
  });

  it("is read every quarter of a minute, the second time sooner", () => {
    const one = scrapes([0, page(1, 0)]);
    expect([isDue([], 0), isDue(one, 4_000), isDue(one, 5_000)]).toEqual([true, false, true]);
    const two = withScrape(one, scrapeOf(page(1, 0), 5_000));
    expect([isDue(two, 12_000), isDue(two, 20_000)]).toEqual([false, true]);
  });
});

describe("curves", () => {
  it("take one point in five seconds and go back an hour", () => {
    const seconds = Array.from({ length: 12 }, (_, i) => i * 1000);
    const points = seconds.reduce<{ at: number; value: number }[]>((held, at) => withPoint(held, { at, value: at }), []);
    expect(points.map((one) => one.at)).toEqual([0, 5_000, 10_000, 11_000]);
    expect(withPoint(points, { at: 3_605_000, value: 1 }).map((one) => one.at)).toEqual([5_000, 10_000, 3_605_000]);
  });
});

describe("metrics", () => {
  it("are told in their own unit, label by label in order", () => {
    const [seconds, count] = readMetrics('# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 1\n# TYPE omnium_commit_matches histogram\nomnium_commit_matches_bucket{le="1"} 1\n');
    expect([sayOf(seconds!, 0.5), sayOf(count!, 0.5), sayOf(count!, 12), sayOf(count!, null)]).toEqual(["500 ms", "0.500", "12", "–"]);
    const [parts] = readMetrics('x{part="committer/10"} 1\nx{part="sport/a"} 2\nx{part="committer/2"} 3\n');
    expect(sorted(parts!.samples).map((one) => one.labels["part"])).toEqual(["committer/2", "committer/10", "sport/a"]);
  });
});

describe("silences", () => {
  const silence = (rule: string, key: string, until: number): Silence => ({ rule, key, until: new Date(until).toISOString(), who: "ada" });
  it("lie over the alerts of their rule, of one key or of all, until they end", () => {
    const alert = { rule: "disk-low", key: "vm" };
    const all = [silence("disk-low", "other", 9_000), silence("disk-low", "vm", 2_000), silence("disk-low", "*", 5_000), silence("outbox-lag", "*", 9_000)];
    expect(silenceOf(alert, all, 1_000)?.key).toBe("*");
    expect(silenceOf(alert, all, 5_000)).toBeNull();
    expect(silenceOf(alert, all.slice(0, 2), 1_000)?.key).toBe("vm");
  });
});

describe("failures", () => {
  const failed = (key: string, last_error: string, at: number, attempts = 1): Parameters<typeof causesOf>[0][number] => ({ key, attempts, last_error, last_at: new Date(at).toISOString() });
  it("of one cause are one row, whatever match they were of", () => {
    const found = causesOf([
      failed("a", "lock_timeout of match 0190a0a0-0000-7000-8000-0000000000aa", 1_000),
      failed("b", "out of memory", 3_000),
      failed("c", "lock_timeout of match 0190a0a0-0000-7000-8000-0000000000bb", 2_000),
    ]);
    expect(found.map((one) => [one.error, one.failures.map((each) => each.key)])).toEqual([["out of memory", ["b"]], ["lock_timeout of match …", ["c", "a"]]]);
    expect([sayTimes(1), sayTimes(2)]).toEqual(["once", "2 times"]);
  });
});
