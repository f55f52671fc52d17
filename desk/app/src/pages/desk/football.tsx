import type { CommandInputs, Side } from "@omnium/bridge";
import { useState, type ReactNode } from "react";
import { clockText, footballClock, periodNames } from "../../lib/football_clock";
import { describe } from "../../lib/describe";
import { useNow } from "../../lib/hooks";
import { corrections, Pad, pauseAction, sidesStep, type Action, type Group, type Step } from "./pad";
import { matchStart, type Command, type Desk } from "./model";
import type { LayoutProps } from "./page";

type Minute = CommandInputs["football.goal"]["minute"];
type GoalKind = CommandInputs["football.goal"]["kind"];

export function FootballDesk({ desk, first }: LayoutProps): ReactNode {
  const [kind, setKind] = useState<GoalKind>("open_play");
  const [typed, setTyped] = useState("");
  const clock = footballClock(desk.rows, desk.serverNow());
  useNow(clock.running ? 500 : null);
  const minute = typed.trim() === "" ? clock.minute : typed.trim();
  const shootout = clock.period === "PSO";
  const pad = useFootballPad(desk, minute, shootout, kind, setKind);
  const live = desk.status === "live";
  return (
    <>
      <div className="panel football-panel">
        <p className={clock.period === null || shootout ? "clock idle" : "clock num"} aria-label="Match clock">
          {clock.period === null ? "Not started" : shootout ? "Shoot-out" : clockText(clock.seconds)}
          <small>{clock.period === null ? "" : `${periodNames[clock.period]}${clock.running || shootout ? "" : ", stopped"}`}</small>
        </p>
        <label className="field inline">
          <span>Minute</span>
          <input className="input num" inputMode="numeric" placeholder={clock.minute} value={typed} disabled={!live} onChange={(event) => setTyped(event.target.value)} />
        </label>
        {typed === "" ? <span className="quiet small">from the clock</span> : <button type="button" className="button plain slim" onClick={() => setTyped("")}>Back to the clock</button>}
      </div>
      <Pad groups={pad} locked={desk.locked} first={first} />
    </>
  );
}

// A whole minute travels as a number, stoppage time as the text "45+2", whichever of them the schema takes.
function minuteOf(desk: Desk, code: string, text: string): Minute {
  const schema = (desk.sport?.commands.find((one) => one.code === code)?.schema["properties"] as Record<string, { type?: unknown }> | undefined)?.["minute"];
  const whole = schema?.type === "integer" || schema?.type === "number";
  if (!text.includes("+")) return (whole || schema?.type !== "string" ? Number(text) : text) as Minute;
  return (whole ? Number(text.split("+")[0]) : text) as Minute;
}

function useFootballPad(desk: Desk, minute: string, shootout: boolean, kind: GoalKind, setKind: (kind: GoalKind) => void): Group[] {
  const { names } = desk;
  const live = desk.status === "live";
  const off = live && minute !== "" ? undefined : desk.status === "suspended" ? "play is stopped" : "not in play";
  const at = (code: string): Minute => minuteOf(desk, code, minute);
  const bySide = (id: string, key: string, label: string, code: string, more: (side: Side) => object = () => ({})): Action => ({
    id, key, label, off,
    then: () => sidesStep(names, `${label}: which side?`, id, (side) => desk.send(code, { side, minute: at(code), ...more(side) }, `${label}, ${names[side]}`)),
  });
  const goal: Action = {
    ...bySide("goal", "G", "Goal", "football.goal", () => ({ kind })),
    tone: "main",
    then: () => goalStep(desk, at("football.goal"), kind, setKind),
  };
  const kick: Action = { id: "kick", key: "K", label: "Shoot-out kick", tone: "main", off: live ? undefined : "not in play", then: () => kickStep(desk) };
  const last = desk.last;
  return [
    {
      name: "Events", wide: true,
      actions: shootout
        ? [kick]
        : [goal, bySide("shot", "S", "Shot", "football.shot"), bySide("corner", "C", "Corner", "football.corner"), bySide("foul", "F", "Foul", "football.foul"), bySide("offside", "O", "Offside", "football.offside")],
    },
    {
      name: "Players",
      actions: [
        cardAction(desk, "yellow", "Y", "Yellow card", "yellow", at, off),
        cardAction(desk, "second", "2", "Second yellow", "second_yellow", at, off),
        cardAction(desk, "red", "D", "Red card", "red", at, off),
        { id: "sub", key: "B", label: "Substitute", off, then: () => substitutionStep(desk, at("football.substitution")) },
        { ...bySide("penalty", "P", "Penalty", "football.penalty"), then: () => penaltyStep(desk, at("football.penalty")) },
      ],
    },
    { name: "Match", actions: [...periodActions(desk), reviewAction(desk, off), pauseAction(desk)] },
    {
      name: "Corrections",
      actions: corrections(desk, last !== null && "side" in last.input ? () => replaceStep(desk) : null),
    },
  ];
}

const kinds: [GoalKind, string, string][] = [["open_play", "1", "Open play"], ["penalty", "2", "Penalty"], ["free_kick", "3", "Free kick"], ["own_goal", "4", "Own goal"]];

function goalStep(desk: Desk, minute: Minute, kind: GoalKind, setKind: (kind: GoalKind) => void): Step {
  const kindName = kinds.find(([one]) => one === kind)![2].toLowerCase();
  const step = sidesStep(desk.names, `Goal, ${minute}′, ${kindName}: for which side?`, "goal", (side) => {
    setKind("open_play");
    desk.send("football.goal", { side, minute, kind } satisfies CommandInputs["football.goal"], `Goal ${minute}′, ${desk.names[side]}`);
  });
  for (const [one, key, label] of kinds) {
    if (one !== kind) step.actions.push({ id: `goal-${one}`, key, label, then: () => goalStep(desk, minute, one, setKind) });
  }
  return step;
}

function names(desk: Desk, side: Side): string[] {
  const found = new Set<string>();
  for (const { code, input } of desk.standing) {
    if (input["side"] !== side) continue;
    for (const list of [input["starting"], input["bench"]]) if (Array.isArray(list)) list.forEach((one) => typeof one === "string" && found.add(one));
    for (const one of code === "football.goal" ? [input["scorer"], input["assist"]] : [input["player"], input["on"], input["off"]]) if (typeof one === "string") found.add(one);
  }
  return [...found].sort();
}

function cardAction(desk: Desk, id: string, key: string, label: string, card: CommandInputs["football.card"]["card"], at: (code: string) => Minute, off: string | undefined): Action {
  return {
    id, key, label, off,
    then: () => ({
      ...sidesStep(desk.names, `${label}: which side?`, id, () => undefined),
      actions: (["home", "away"] as const).map((side) => ({
        id: `${id}-${side}`, key: side === "home" ? "H" : "A", also: [side === "home" ? "ArrowLeft" : "ArrowRight"], label: desk.names[side], tone: side,
        then: () => ({
          prompt: `${label}, ${desk.names[side]}: which player?`, actions: [],
          ask: {
            label: "Player", suggest: names(desk, side),
            done: (player) => desk.send("football.card", { side, player, minute: at("football.card"), card }, `${label}, ${player}`),
          },
        }),
      })),
    }),
  };
}

/** "Off / On" as it is typed; null: one of them is missing. */
export function readSubstitution(text: string): { off: string; on: string } | null {
  const [off = "", on = "", ...more] = text.split("/").map((part) => part.trim());
  return off === "" || on === "" || more.length > 0 ? null : { off, on };
}

function substitutionStep(desk: Desk, minute: Minute): Step {
  return {
    prompt: "Substitution: which side?",
    actions: (["home", "away"] as const).map((side) => ({
      id: `sub-${side}`, key: side === "home" ? "H" : "A", also: [side === "home" ? "ArrowLeft" : "ArrowRight"], label: desk.names[side], tone: side,
      then: () => ({
        prompt: `${desk.names[side]}: off / on, as "Off / On"`, actions: [],
        ask: {
          label: "Player", suggest: names(desk, side),
          done: (text) => {
            const both = readSubstitution(text);
            if (both === null) return `Not sent: name both players with a stroke between, as "Off / On".`;
            desk.send("football.substitution", { side, ...both, minute }, `${both.on} for ${both.off}`);
          },
        },
      }),
    })),
  };
}

function penaltyStep(desk: Desk, minute: Minute): Step {
  const results = [["scored", "1"], ["saved", "2"], ["missed", "3"]] as const;
  return {
    prompt: "Penalty: which side?",
    actions: (["home", "away"] as const).map((side) => ({
      id: `penalty-${side}`, key: side === "home" ? "H" : "A", label: desk.names[side], tone: side,
      then: () => ({
        prompt: `Penalty, ${desk.names[side]}`,
        actions: results.map(([result, key]) => ({
          id: `penalty-${result}`, key, label: result[0]!.toUpperCase() + result.slice(1),
          then: () => ({
            prompt: `Penalty ${result}: who took it?`, actions: [],
            ask: { label: "Taker", suggest: names(desk, side), done: (taker) => desk.send("football.penalty", { side, taker, minute, result }, `Penalty ${result}, ${taker}`) },
          }),
        })),
      }),
    })),
  };
}

function kickStep(desk: Desk): Step {
  const results = [["scored", "S", "scored"], ["saved", "V", "saved"], ["missed", "M", "missed"]] as const;
  return {
    prompt: "Kick: which side?",
    actions: (["home", "away"] as const).map((side) => ({
      id: `kick-${side}`, key: side === "home" ? "H" : "A", label: desk.names[side], tone: side,
      then: () => ({
        prompt: `Kick, ${desk.names[side]}`,
        actions: results.map(([result, key, word]) => ({
          id: `kick-${result}`, key, label: word[0]!.toUpperCase() + word.slice(1), run: () => desk.send("football.shootout_kick", { side, result }, `Kick ${word}, ${desk.names[side]}`),
        })),
      }),
    })),
  };
}

/** One key goes through the match: kick-off, half time, second half, full time. */
function periodActions(desk: Desk): Action[] {
  const command = (action: "start" | "end", one: string): Command => ["football.period", { action, period: one }, `${periodNames[one]} ${action === "start" ? "started" : "ended"}`];
  const period = (action: "start" | "end", one: string): void => desk.send(...command(action, one));
  const clock = footballClock(desk.rows, desk.serverNow());
  const open = clock.period !== null && periodOpen(desk, clock.period);
  const end: Action = { id: "end", key: "E", label: "End the match", tone: "danger", off: desk.status === "live" ? undefined : "not in play", run: () => desk.send("match.end", { reason: "completed" }, "Match ended") };
  const next = (label: string, run: () => void, hint?: string): Action => ({ id: "next", key: "N", label, ...(hint === undefined ? {} : { hint }), run });
  if (desk.status === "ended") return [{ ...next("Match ended", () => undefined), off: "the match is over" }];
  if (clock.period === null) {
    return [
      next("Kick off", () => desk.sendAll([...matchStart(desk), command("start", "H1")])),
    ];
  }
  if (open) return [next(`End ${periodNames[clock.period]!.toLowerCase()}`, () => period("end", clock.period!))];
  const follows: Record<string, string> = { H1: "H2", H2: "ET1", ET1: "ET2", ET2: "PSO" };
  const after = follows[clock.period];
  if (after === undefined) return [end];
  return clock.period === "H1" ? [next("Start second half", () => period("start", "H2"))] : [next(`Start ${periodNames[after]!.toLowerCase()}`, () => period("start", after)), end];
}

function periodOpen(desk: Desk, period: string): boolean {
  const last = desk.standing.filter((row) => row.code === "football.period" && row.input["period"] === period).pop();
  return last?.input["action"] === "start";
}

function reviewAction(desk: Desk, off: string | undefined): Action {
  const last = desk.last;
  const open = desk.standing.filter((row) => row.code === "football.var").pop();
  const checking = open?.input["decision"] === "check" ? open : null;
  if (checking !== null) {
    const about = checking.input["about"];
    const decide = (decision: string): void => desk.send("football.var", { about, decision }, `Review: ${decision}`);
    return { id: "var", key: "V", label: "Review decided", then: () => ({ prompt: `Review of #${String(about)}`, actions: [
      { id: "var-confirmed", key: "C", label: "Confirmed", run: () => decide("confirmed") },
      { id: "var-overturned", key: "O", label: "Overturned", run: () => decide("overturned") },
    ] }) };
  }
  return { id: "var", key: "V", label: "Video review", off: off ?? (last === null ? "nothing to review" : undefined), run: () => last !== null && desk.send("football.var", { about: last.item.seq, decision: "check" }, `Review of #${last.item.seq}`) };
}

function replaceStep(desk: Desk): Step {
  const last = desk.last!;
  const said = describe(last.code, last.input, desk.names, desk.sport);
  const step = sidesStep(desk.names, `Replace ${said.title.toLowerCase()}${said.side === null ? "" : `, ${desk.names[said.side]}`}: what was it?`, "replace", (side) =>
    desk.replace({ ...last.input, side }, `${said.title}: ${desk.names[side]} instead`),
  );
  if (last.code === "football.goal") {
    for (const [kind, key, label] of kinds) step.actions.push({ id: `replace-${kind}`, key, label, run: () => desk.replace({ ...last.input, kind }, `Goal: ${label.toLowerCase()}`) });
  }
  return step;
}
