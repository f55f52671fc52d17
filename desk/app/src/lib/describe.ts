// A log row in a scorer's words.
import type { Side, Sport } from "@omnium/bridge";
import { ballText } from "../pages/desk/cricket_ball";
import { periodNames } from "./football_clock";
import { plain } from "./words";

export interface Said {
  title: string;
  detail: string;
  side: Side | null;
}

type Input = Record<string, unknown>;
type Names = Record<Side, string>;

const isNumber = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";
const str = (value: unknown): string => (typeof value === "string" || isNumber(value) ? String(value) : "");
const sideOf = (value: unknown): Side | null => (value === "home" || value === "away" ? value : null);
const minute = (input: Input): string => (str(input["minute"]) === "" ? "" : `${str(input["minute"])}′`);
const join = (...parts: string[]): string => parts.filter((part) => part !== "").join(" · ");

const goalKinds: Record<string, string> = { open_play: "", penalty: "penalty", free_kick: "free kick", own_goal: "own goal" };

const own: Record<string, (input: Input, names: Names) => Said> = {
  "match.start": () => ({ title: "Match started", detail: "", side: null }),
  "match.end": (input) => ({ title: "Match ended", detail: plain(str(input["reason"])), side: sideOf(input["winner"]) }),
  "match.suspend": (input) => ({ title: "Play stopped", detail: str(input["reason"]), side: null }),
  "match.resume": (input) => ({ title: "Play resumed", detail: str(input["reason"]), side: null }),
  "match.note": (input) => ({ title: "Note", detail: str(input["text"]), side: null }),
  "match.void": (input) => ({ title: `Undid #${str(input["seq"])}`, detail: str(input["reason"]), side: null }),
  "match.amend": (input) => ({ title: `Changed #${str(input["seq"])}`, detail: str(input["reason"]), side: null }),
  "match.cancel_range": (input) => ({ title: `Cancelled #${str(input["from"])} to #${str(input["to"])}`, detail: str(input["reason"]), side: sideOf(input["side"]) }),
  "match.rebuild": (input) => ({ title: "Scoreboard written anew from the log", detail: str(input["reason"]), side: null }),
  "match.baseline": () => ({ title: "Score set anew", detail: "", side: null }),
  "football.period": (input) => ({ title: `${periodNames[str(input["period"])] ?? str(input["period"])} ${input["action"] === "start" ? "started" : "ended"}`, detail: minute(input), side: null }),
  "football.goal": (input) => ({ title: "Goal", detail: join(minute(input), str(input["scorer"]), goalKinds[str(input["kind"])] ?? ""), side: sideOf(input["side"]) }),
  "football.card": (input) => ({ title: `${plain(str(input["card"]))} card`, detail: join(minute(input), str(input["player"])), side: sideOf(input["side"]) }),
  "football.substitution": (input) => ({ title: "Substitution", detail: join(minute(input), `${str(input["on"])} for ${str(input["off"])}`), side: sideOf(input["side"]) }),
  "football.var": (input) => ({ title: `Review of #${str(input["about"])}`, detail: str(input["decision"]), side: null }),
  "cricket.ball": (input) => {
    const said = ballText(input);
    return { title: said.words, detail: `${str(input["bowler"])} to ${str(input["batter"])}`.replace(/^ to /, "to "), side: null };
  },
  "cricket.innings": (input) => ({ title: `Innings ${input["action"] === "start" ? "started" : "ended"}`, detail: plain(str(input["reason"])), side: sideOf(input["batting"]) }),
  "cricket.toss": (input) => ({ title: "Toss", detail: `chose to ${str(input["decision"])}`, side: sideOf(input["winner"]) }),
  "curling.end": () => ({ title: "End started", detail: "", side: null }),
  "curling.end_score": (input) => ({ title: sideOf(input["side"]) === null ? "Blank end" : `Scored ${str(input["points"])}`, detail: "", side: sideOf(input["side"]) }),
};

/** Members that are said in a place of their own; the log says an official's reason below the row. */
const apart = new Set(["side", "winner", "minute", "umpire"]);

/** `sport` gives the label of commands that have no words of their own here. */
export function describe(code: string, input: Input, names: Names, sport: Sport | null): Said {
  const known = own[code];
  if (known !== undefined) return known(input, names);
  const label = sport?.commands.find((one) => one.code === code)?.label ?? plain(code.split(".").pop() ?? code);
  const side = sideOf(input["side"]) ?? sideOf(input["winner"]);
  const rest = Object.entries(input)
    .filter(([name, value]) => !apart.has(name) && (typeof value === "string" || isNumber(value)))
    .map(([name, value]) => (isNumber(value) ? `${plain(name).toLowerCase()} ${str(value)}` : sideOf(value) === null ? str(value).replace(/_/g, " ") : names[value as Side]));
  return { title: label, detail: join(minute(input), ...rest), side };
}
