// One delivery in a scorer's words. Pure.
type Json = Record<string, unknown>;
const record = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const number = (value: unknown): number => (typeof value === "number" ? value : 0);

export interface BallSaid {
  /** As on a scoresheet: 4, W, 1wd, •. */
  short: string;
  words: string;
  tone: "dot" | "run" | "four" | "six" | "out-ball" | "extra";
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

export function ballText(input: Json): BallSaid {
  const runs = record(input["runs"]);
  const extras = record(runs["extras"]);
  const bat = number(runs["batter"]);
  const wides = number(extras["wides"]);
  const noballs = number(extras["noballs"]);
  const byes = number(extras["byes"]);
  const legbyes = number(extras["legbyes"]);
  const wickets = Array.isArray(input["wickets"]) ? input["wickets"].map(record) : [];
  const short: string[] = [];
  const words: string[] = [];
  if (wides > 0) short.push(`${wides}wd`), words.push(wides === 1 ? "Wide" : `Wide, ${wides} in all`);
  if (noballs > 0) short.push("nb"), words.push("No-ball");
  if (bat > 0) short.unshift(String(bat)), words.push(bat === 4 ? "Four" : bat === 6 ? "Six" : plural(bat, "run"));
  if (byes > 0) short.push(`${byes}b`), words.push(plural(byes, "bye"));
  if (legbyes > 0) short.push(`${legbyes}lb`), words.push(plural(legbyes, "leg bye"));
  for (const wicket of wickets) short.unshift("W"), words.unshift(`Out, ${String(wicket["kind"] ?? "").replace(/_/g, " ")}: ${String(wicket["player_out"] ?? "")}`);
  const extra = wides + noballs + byes + legbyes > 0;
  return {
    short: short.join(" ") || "•",
    words: words.join(", ") || "No run",
    tone: wickets.length > 0 ? "out-ball" : extra ? "extra" : bat === 4 ? "four" : bat === 6 ? "six" : bat === 0 ? "dot" : "run",
  };
}
