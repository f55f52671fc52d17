// What reads answer. Lists are read leniently in one place, so that a page never depends on more than it shows.
import type { Scoreboard, Side } from "./generated/wire.js";

export interface Competitor {
  row: string | null;
  name: string;
  short: string | null;
  colour: string | null;
  participant: string | null;
  changed_seq: number;
}

export interface Fixture {
  id: string;
  competition: string;
  sport: string;
  release: string;
  status: string;
  version: number;
  last_play: number;
  starts_at: string | null;
  settings: Record<string, unknown>;
  sides: Record<Side, Competitor>;
  scoreboard: Scoreboard | null;
}

export interface Competition {
  id: string;
  name: string;
  sport: string | null;
  version: number;
  participants: { id: string; name: string; type: string }[];
}

export interface SportCommand {
  code: string;
  label: string;
  play: boolean;
  key: string | null;
  /** JSON Schema of `input`. */
  schema: Record<string, unknown>;
}

export interface Sport {
  code: string;
  label: string;
  /** Every release installed; a match is scored by the one it is pinned to. */
  releases: Release[];
  /** Of the default release. */
  settings: Record<string, unknown>;
  commands: SportCommand[];
}

export interface Release {
  version: string;
  /** JSON Schema of a match's settings. */
  settings: Record<string, unknown>;
  commands: SportCommand[];
}

type Json = Record<string, unknown>;

const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The rows of a list answer, and the cursor of its next page. */
export function readPage(body: unknown, ...names: string[]): { rows: Json[]; next: string | null } {
  if (Array.isArray(body)) return { rows: body.map(json), next: null };
  const page = json(body);
  const rows = ["items", ...names].map((name) => page[name]).find(Array.isArray) ?? [];
  return { rows: list(rows).map(json), next: text(page["next"]) ?? text(page["next_cursor"]) ?? text(page["cursor"]) };
}

/** Is it a list answer at all? Something between may answer for the server. */
export function hasRows(body: unknown, ...names: string[]): boolean {
  return Array.isArray(body) || ["items", ...names].some((name) => Array.isArray(json(body)[name]));
}

function readCompetitor(value: unknown): Competitor {
  const side = json(value);
  return {
    row: text(side["row"]) ?? text(side["id"]),
    name: text(side["name"]) ?? "",
    short: text(side["short"]),
    colour: text(side["colour"]),
    participant: text(side["participant"]),
    changed_seq: number(side["changed_seq"]),
  };
}

function sideOf(sides: unknown, side: Side): unknown {
  return Array.isArray(sides) ? sides.find((one) => json(one)["side"] === side) : json(sides)[side];
}

/** Before its first command a match has no scoreboard of its own: nothing is claimed, not even 0–0 (S13). */
export function blankBoard(status: string): Scoreboard {
  return { status, period: null, score: { home: null, away: null }, line: "" };
}

export function readFixture(value: unknown): Fixture {
  const body = json(value);
  const board = body["scoreboard"];
  return {
    id: text(body["id"]) ?? "",
    competition: text(body["competition"]) ?? text(json(body["competition"])["id"]) ?? "",
    sport: text(body["sport"]) ?? "",
    release: text(body["release"]) ?? "",
    status: text(json(board)["status"]) ?? text(body["status"]) ?? "scheduled",
    version: number(body["version"]),
    last_play: number(body["last_play"]),
    starts_at: text(body["starts_at"]),
    settings: json(body["settings"]),
    sides: { home: readCompetitor(sideOf(body["sides"], "home")), away: readCompetitor(sideOf(body["sides"], "away")) },
    scoreboard: board !== null && typeof board === "object" && "score" in board ? (board as Scoreboard) : null,
  };
}

export function readCompetition(value: unknown): Competition {
  const body = json(value);
  return {
    id: text(body["id"]) ?? "",
    name: text(body["name"]) ?? "",
    sport: text(body["sport"]),
    version: number(body["version"]),
    participants: list(body["participants"]).map((one) => {
      const person = json(one);
      return { id: text(person["id"]) ?? "", name: text(person["name"]) ?? "", type: text(person["type"]) ?? "team" };
    }),
  };
}

function readCommand(value: unknown): SportCommand {
  const one = json(value);
  return {
    code: text(one["code"]) ?? "",
    label: text(one["label"]) ?? text(one["code"]) ?? "",
    play: one["play"] === true,
    key: text(one["key"]) ?? text(one["key_hint"]) ?? text(one["hint"]),
    schema: json(one["schema"] ?? one["input"]),
  };
}

export function readSports(body: unknown): Sport[] {
  return readPage(body, "sports").rows.map((one) => {
    const code = text(one["sport"]) ?? text(one["code"]) ?? "";
    const releases = list(one["releases"]).map((each): Release => {
      const release = json(each);
      return { version: text(each) ?? text(release["version"]) ?? "", settings: json(release["settings"]), commands: list(release["commands"]).map(readCommand) };
    });
    const chosen = releases.find((release) => release.version === one["default"]) ?? releases[releases.length - 1];
    const commands = list(one["commands"]).map(readCommand);
    return {
      code,
      label: text(one["label"]) ?? code,
      releases,
      settings: one["settings"] !== undefined ? json(one["settings"]) : (chosen?.settings ?? {}),
      commands: commands.length > 0 ? commands : (chosen?.commands ?? []),
    };
  });
}

/** The sport as the release says that a match is pinned to; the default where that one is not installed. */
export function atRelease(sport: Sport, version: string): Sport {
  const release = sport.releases.find((one) => one.version === version);
  return release === undefined || release.commands.length === 0 ? sport : { ...sport, settings: release.settings, commands: release.commands };
}
