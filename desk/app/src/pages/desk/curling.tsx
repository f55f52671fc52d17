import type { CommandInputs, LogRow, Side } from "@omnium/bridge";
import type { ReactNode } from "react";
import { number, record, records, side as sideOf } from "../board/read";
import { CurlingBoard } from "../board/curling";
import { corrections, Pad, pauseAction, sidesStep, type Action, type Group, type Step } from "./pad";
import { matchStart, type Command, type Desk } from "./model";
import type { LayoutProps } from "./page";

export function CurlingDesk({ desk, first }: LayoutProps): ReactNode {
  return (
    <>
      <div className="panel board-panel">
        <CurlingBoard fixture={desk.fixture} board={desk.board} rows={desk.rows} now={desk.serverNow()} />
      </div>
      <Pad groups={groups(desk)} locked={desk.locked} first={first} />
    </>
  );
}

/** Is an end in play, as far as the log and this device's queue say? */
function endOpen(desk: Desk): boolean {
  for (let i = desk.standing.length - 1; i >= 0; i -= 1) {
    const { code } = desk.standing[i]!;
    if (code === "curling.end" || code === "curling.extra_end") return true;
    if (code === "curling.end_score") return false;
  }
  return false;
}

const pointsMax = (desk: Desk): number => (record(desk.fixture.settings)["format"] === "mixed_doubles" ? 6 : 8);

function score(desk: Desk, side: Side | null, points: number): void {
  const start: Command[] = endOpen(desk) ? [] : [["curling.end", { action: "start" } satisfies CommandInputs["curling.end"], "End started"]];
  const input: CommandInputs["curling.end_score"] = side === null ? { points: 0 } : { side, points };
  desk.sendAll([...start, ["curling.end_score", { ...input }, side === null ? "Blank end" : `${points} for ${desk.names[side]}`]]);
}

function points(desk: Desk, side: Side, id: string, prompt: string, done: (points: number) => void): Step {
  return {
    prompt,
    actions: Array.from({ length: pointsMax(desk) }, (_, i) => ({ id: `${id}-${side}-${i + 1}`, key: String(i + 1), label: i === 0 ? "1 point" : `${i + 1} points`, tone: side, run: () => done(i + 1) })),
  };
}

function groups(desk: Desk): Group[] {
  const { names, fixture, status } = desk;
  const started = desk.standing.some((row) => row.code === "match.start");
  const off = status === "ended" ? "the match is over" : status === "suspended" ? "play is stopped" : started ? undefined : "not started";
  const open = endOpen(desk);
  const hammer = hammerAhead(sideOf(desk.board["hammer"]), desk.ahead, record(fixture.settings)["format"] === "mixed_doubles");
  const ends = records(desk.board["ends"]).length;
  const forSide = (side: Side, key: string, arrow: string): Action => ({
    id: `score-${side}`, key, also: [arrow], label: `${names[side]} scores`, tone: side, off,
    then: () => points(desk, side, "score", `${names[side]}: how many points?`, (n) => score(desk, side, n)),
  });
  const sided = (id: string, key: string, label: string, code: string): Action => ({
    id, key, label, off, then: () => sidesStep(names, `${label}: which side?`, id, (side) => desk.send(code, { side }, `${label}, ${names[side]}`)),
  });
  const stoneSide = nextStone(desk, hammer);
  const last = desk.last;
  const first: Action[] = started
    ? [
        { id: "end", key: "E", label: "Start the end", off: off ?? (open ? "in play" : undefined), run: () => desk.send("curling.end", { action: "start" }, "End started") },
        { id: "stone", key: "S", label: "Stone", hint: stoneSide === null ? "which side?" : names[stoneSide], off: off ?? (open ? undefined : "no end in play"),
          ...(stoneSide === null ? { then: () => sidesStep(names, "Stone: which side?", "stone", (side) => desk.send("curling.stone", { side }, `Stone, ${names[side]}`)) } : { run: () => desk.send("curling.stone", { side: stoneSide }, `Stone, ${names[stoneSide]}`) }) },
      ]
    : [{ id: "start", key: "N", label: "Start the match", tone: "main", off: status === "ended" ? "the match is over" : undefined, run: () => desk.sendAll(matchStart(desk)) }];
  return [
    {
      name: "End score", wide: true,
      actions: [forSide("home", "H", "ArrowLeft"), forSide("away", "A", "ArrowRight"), { id: "blank", key: "B", label: "Blank end", off, run: () => score(desk, null, 0) }],
    },
    { name: "End", actions: [...first, { id: "extra", key: "X", label: "Extra end", off: off ?? (open ? "end in play" : undefined), run: () => desk.send("curling.extra_end", {}, "Extra end") }] },
    {
      name: "Game",
      actions: [
        sided("hammer", "M", "Hammer", "curling.hammer"), sided("timeout", "T", "Time-out", "curling.timeout"),
        ...(record(fixture.settings)["format"] === "mixed_doubles" ? [sided("power", "O", "Power play", "curling.power_play")] : []),
        sided("concede", "C", "Concede", "curling.concede"), pauseAction(desk),
        { id: "finish", key: "F", label: "End the match", tone: "danger", off: off ?? (open || ends === 0 ? "an end is open" : undefined), run: () => desk.send("match.end", { reason: "completed" }, "Match ended") },
      ],
    },
    { name: "Corrections", actions: corrections(desk, last?.code === "curling.end_score" ? () => replaceStep(desk) : null) },
  ];
}

/** Who has the hammer once `ahead` is through, `hammer` being who has it on the server's board. The side that did not score
 * gets it; after a blank end it stays, but in mixed doubles (R16). null: not known, to be asked. */
export function hammerAhead(hammer: Side | null, ahead: readonly LogRow[], mixed: boolean): Side | null {
  let has = hammer;
  for (const { code, input, correction, voidedBy, insertedBefore } of ahead) {
    if (correction || voidedBy !== null || insertedBefore !== null || code === "match.baseline") return null; // which end it changes is the server's to say
    if (code === "curling.hammer") has = input["end"] === undefined ? sideOf(input["side"]) : null;
    if (code !== "curling.end_score") continue;
    const scored = number(input["points"]) > 0 ? sideOf(input["side"]) : null;
    if (scored !== null) has = flip(scored);
    else if (mixed && has !== null) has = flip(has);
  }
  return has;
}

const flip = (side: Side): Side => (side === "home" ? "away" : "home");

// The side without the hammer throws first; the sides take turns.
function nextStone(desk: Desk, hammer: Side | null): Side | null {
  let thrown = 0;
  let lastSide: Side | null = null;
  for (let i = desk.standing.length - 1; i >= 0; i -= 1) {
    const { code, input } = desk.standing[i]!;
    if (code === "curling.end" || code === "curling.extra_end" || code === "curling.end_score") break;
    if (code !== "curling.stone") continue;
    thrown += 1;
    lastSide ??= sideOf(input["side"]);
  }
  if (thrown === 0) return hammer === null ? null : flip(hammer);
  return lastSide === null ? null : flip(lastSide);
}

function replaceStep(desk: Desk): Step {
  const last = desk.last!;
  const side = sideOf(last.input["side"]);
  const now = number(last.input["points"]);
  const step: Step = { prompt: `Replace the end's score${side === null ? " (blank)" : ` (${now} for ${desk.names[side]})`}: what was it?`, actions: [] };
  if (side !== null) step.actions.push(...points(desk, side, "replace", "", (n) => desk.replace({ side, points: n }, `${n} for ${desk.names[side]} instead`)).actions);
  for (const one of ["home", "away"] as const) {
    if (one === side) continue;
    const key = one === "home" ? "H" : "A";
    step.actions.push(
      now > 0
        ? { id: `replace-${one}`, key, label: `${now} for ${desk.names[one]}`, tone: one, run: () => desk.replace({ side: one, points: now }, `${now} for ${desk.names[one]} instead`) }
        : { id: `replace-${one}`, key, label: desk.names[one], tone: one, then: () => points(desk, one, "replace", `${desk.names[one]}: how many points?`, (n) => desk.replace({ side: one, points: n }, `${n} for ${desk.names[one]} instead`)) },
    );
  }
  if (side !== null) step.actions.push({ id: "replace-blank", key: "B", label: "Blank end", run: () => desk.replace({ points: 0 }, "Blank end instead") });
  return step;
}
