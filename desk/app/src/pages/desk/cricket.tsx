import type { CommandInputs, Side } from "@omnium/bridge";
import { useState, type ReactNode } from "react";
import { number, record } from "../board/read";
import { ThisOver } from "../board/cricket";
import { ballText } from "./cricket_ball";
import { readCricket, type Cricket } from "./cricket_tracker";
import { corrections, Pad, pauseAction, type Action, type Group, type Step } from "./pad";
import { matchStart, type Desk } from "./model";
import type { LogRow } from "@omnium/bridge";
import type { LayoutProps } from "./page";

type Ball = CommandInputs["cricket.ball"];
type Runs = Ball["runs"];
type Place = "striker" | "nonStriker" | "bowler";
type Players = Record<Place, string | null>;
interface Picks extends Partial<Players> {
  /** Innings and delivery the choice was made for. */
  at: string;
}

const other = (side: Side): Side => (side === "home" ? "away" : "home");

export function CricketDesk({ desk, first }: LayoutProps): ReactNode {
  const tracker = readCricket(desk.standing, number(record(desk.fixture.settings)["balls_per_over"]) || 6);
  const at = `${tracker.innings}.${tracker.count}.${tracker.out.size}`;
  const [picks, setPicks] = useState<Picks>({ at });
  // The field the person opened or types into: it stays open, whatever another desk sends meanwhile.
  const [opened, setOpened] = useState<Place | null>(null);
  const held = picks.at === at ? picks : { at };
  const players: Players = {
    striker: held.striker ?? tracker.striker,
    nonStriker: held.nonStriker ?? tracker.nonStriker,
    bowler: held.bowler ?? tracker.bowler ?? null,
  };
  const pick = (change: Partial<Players>): void => setPicks({ ...held, ...change });
  const missing = tracker.batting === null ? null : (["striker", "nonStriker", "bowler"] as const).find((place) => players[place] === null) ?? null;
  return (
    <>
      {tracker.batting === null ? null : (
        <div className="panel wicket-panel">
          <PlayerFields desk={desk} tracker={tracker} players={players} pick={pick} asking={opened ?? missing} onAsk={setOpened} />
          <ThisOver balls={tracker.over} />
        </div>
      )}
      <Pad groups={groups(desk, tracker, players, missing, pick, setOpened)} locked={desk.locked} first={first} />
    </>
  );
}

const places: Record<Place, string> = { striker: "On strike", nonStriker: "Other end", bowler: "Bowling" };

function suggestions(tracker: Cricket<LogRow>, players: Players, place: Place): string[] {
  if (tracker.batting === null) return [];
  if (place !== "bowler") {
    const taken = place === "striker" ? players.nonStriker : players.striker;
    return [...tracker.squads[tracker.batting]].filter((name) => !tracker.out.has(name) && name !== taken);
  }
  const bowlers = [...tracker.squads[other(tracker.batting)]].filter((name) => name !== tracker.lastBowler);
  const likely = tracker.bowlerBefore;
  return likely === null ? bowlers : [likely, ...bowlers.filter((name) => name !== likely)];
}

function PlayerFields({ desk, tracker, players, pick, asking, onAsk }: {
  desk: Desk; tracker: Cricket<LogRow>; players: Players; pick: (change: Partial<Players>) => void; asking: Place | null; onAsk: (place: Place | null) => void;
}): ReactNode {
  return (
    <div className="players">
      {(Object.keys(places) as Place[]).map((place) => (
        <PlayerField
          key={place}
          label={place === "bowler" ? `${places[place]} (${desk.names[other(tracker.batting!)]})` : `${places[place]} (${desk.names[tracker.batting!]})`}
          place={place}
          name={players[place]}
          open={asking === place}
          suggest={suggestions(tracker, players, place)}
          onOpen={() => onAsk(place)}
          onClose={() => onAsk(null)}
          onSet={(name) => {
            pick({ [place]: name });
            onAsk(null);
          }}
        />
      ))}
    </div>
  );
}

function PlayerField({ label, place, name, open, suggest, onOpen, onClose, onSet }: {
  label: string; place: Place; name: string | null; open: boolean; suggest: string[]; onOpen: () => void; onClose: () => void; onSet: (name: string) => void;
}): ReactNode {
  const [text, setText] = useState("");
  if (!open) {
    return (
      <div className="player">
        <span className="quiet small">{label}</span>
        <button type="button" className="button plain" onClick={onOpen} data-testid={`player-${place}`}>
          {name ?? "Choose…"}
        </button>
      </div>
    );
  }
  const set = (value: string): void => {
    setText("");
    if (value.trim() !== "") onSet(value.trim());
  };
  return (
    <form
      className="player asking"
      onSubmit={(event) => {
        event.preventDefault();
        set(text === "" && place === "bowler" ? (suggest[0] ?? "") : text);
      }}
    >
      <label className="field">
        <span className="quiet small">{label}</span>
        <input
          className="input" autoFocus autoComplete="off" list={`names-${place}`} data-testid={`player-${place}`}
          placeholder={place === "bowler" && suggest[0] !== undefined ? `${suggest[0]} (Enter)` : "Name"} value={text}
          onChange={(event) => {
            onOpen();
            setText(event.target.value);
          }}
          onKeyDown={(event) => event.key === "Escape" && (setText(""), onClose())}
        />
      </label>
      <datalist id={`names-${place}`}>
        {suggest.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {suggest.length === 0 ? null : (
        <div className="row">
          {suggest.slice(0, 4).map((one) => (
            <button type="button" key={one} className="button slim" onClick={() => set(one)}>
              {one}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}

// --- keys ------------------------------------------------------------------------------------------------------------

function groups(desk: Desk, tracker: Cricket<LogRow>, players: Players, missing: Place | null, pick: (change: Partial<Players>) => void, ask: (place: Place | null) => void): Group[] {
  const off = desk.status === "ended" ? "the match is over" : desk.status === "suspended" ? "play is stopped" : tracker.batting === null ? "no innings in play" : missing !== null ? `choose who is ${{ striker: "on strike", nonStriker: "at the other end", bowler: "bowling" }[missing]}` : undefined;
  const deliver = (runs: Runs, wickets: Ball["wickets"] = []): void => {
    const ball: Ball = { batter: players.striker!, non_striker: players.nonStriker!, bowler: players.bowler!, runs };
    const input = wickets.length === 0 ? ball : { ...ball, wickets };
    ask(null); // who keys a ball is not typing a name
    desk.send("cricket.ball", { ...input }, ballText({ ...input }).words);
  };
  const last = desk.last;
  return [
    { name: "Runs off the bat", wide: true, tight: true, actions: [0, 1, 2, 3, 4, 5, 6].map((n) => ({ id: `runs-${n}`, key: String(n), label: n === 0 ? "No run" : n === 1 ? "1 run" : `${n} runs`, ...(n === 4 || n === 6 ? { tone: "main" as const } : {}), off, run: () => deliver({ batter: n }) })) },
    {
      name: "Extras and wickets", wide: true,
      actions: [
        { id: "wicket", key: "W", label: "Wicket", tone: "danger", off, then: () => wicketStep(players, deliver) },
        ...extraKeys.map(({ id, key, label, prompt, from, runs }): Action => ({
          id, key, label, off, then: () => ({ prompt, actions: Array.from({ length: 7 - from }, (_, i) => i + from).map((n) => ({ id: `${id}-${n}`, key: String(n), label: sayExtra(id, n), run: () => deliver(runs(n)) })) }),
        })),
      ],
    },
    { name: "Players", actions: [
      { id: "swap", key: "X", label: "Swap ends", off: players.striker === null || players.nonStriker === null ? "no batters" : undefined, run: () => pick({ striker: players.nonStriker, nonStriker: players.striker }) },
      { id: "bowler", key: "K", label: "Other bowler", off: tracker.batting === null ? "no innings in play" : undefined, run: () => ask("bowler") },
      { id: "retire", key: "T", label: "Retire", off, then: () => retireStep(desk, players) },
      { id: "over", key: "O", label: "Over ended by the umpire", off: off ?? (tracker.overDone ? "the over is over" : undefined), run: () => desk.send("cricket.over_end", { by: "umpire" }, "Over ended by the umpire") },
    ] },
    { name: "Match", actions: inningsActions(desk, tracker) },
    { name: "Corrections", actions: corrections(desk, last?.code === "cricket.ball" ? () => replaceStep(desk, last) : null) },
  ];
}

const extraKeys: { id: string; key: string; label: string; prompt: string; from: number; runs: (n: number) => Runs }[] = [
  { id: "wide", key: "D", label: "Wide", prompt: "Wide: how many runs beside it?", from: 0, runs: (n) => ({ batter: 0, extras: { wides: 1 + n } }) },
  { id: "noball", key: "N", label: "No-ball", prompt: "No-ball: how many off the bat?", from: 0, runs: (n) => ({ batter: n, extras: { noballs: 1 } }) },
  { id: "bye", key: "B", label: "Byes", prompt: "Byes: how many?", from: 1, runs: (n) => ({ batter: 0, extras: { byes: n } }) },
  { id: "legbye", key: "L", label: "Leg byes", prompt: "Leg byes: how many?", from: 1, runs: (n) => ({ batter: 0, extras: { legbyes: n } }) },
];

function sayExtra(id: string, n: number): string {
  if (id === "wide") return n === 0 ? "Wide" : `Wide and ${n}`;
  if (id === "noball") return n === 0 ? "No-ball" : `No-ball and ${n}`;
  return String(n);
}

type Deliver = (runs: Runs, wickets: NonNullable<Ball["wickets"]>) => void;
type Kind = NonNullable<Ball["wickets"]>[number]["kind"];
const dismissals: [string, string, string, boolean][] = [
  ["bowled", "B", "Bowled", false], ["caught", "C", "Caught", false], ["lbw", "L", "LBW", false], ["run out", "R", "Run out", true],
  ["stumped", "S", "Stumped", false], ["hit wicket", "H", "Hit wicket", false],
];

function wicketStep(players: Players, deliver: Deliver): Step {
  const wicket = (kind: string, out: string): NonNullable<Ball["wickets"]> => [{ kind: kind as Kind, player_out: out }];
  return {
    prompt: `${players.striker} is out: how?`,
    actions: dismissals.map(([kind, key, label, eitherEnd]) =>
      eitherEnd
        ? { id: `out-${kind}`, key, label, then: () => runOutStep(players, (out, runs) => deliver({ batter: runs }, wicket(kind, out))) }
        : { id: `out-${kind.replace(" ", "-")}`, key, label, run: () => deliver({ batter: 0 }, wicket(kind, players.striker!)) },
    ),
  };
}

function runOutStep(players: Players, done: (out: string, runs: number) => void): Step {
  const runs = (out: string): Step => ({
    prompt: `${out} run out: runs completed?`,
    actions: [0, 1, 2, 3].map((n) => ({ id: `runout-${n}`, key: String(n), label: n === 1 ? "1 run" : `${n} runs`, run: () => done(out, n) })),
  });
  return {
    prompt: "Run out: who?",
    actions: [
      { id: "runout-striker", key: "S", label: players.striker!, then: () => runs(players.striker!) },
      { id: "runout-other", key: "O", label: players.nonStriker!, then: () => runs(players.nonStriker!) },
    ],
  };
}

function retireStep(desk: Desk, players: Players): Step {
  const kinds = [["hurt", "H", "Hurt"], ["not_out", "N", "Not out"], ["out", "O", "Out"]] as const;
  return {
    prompt: "Retire: who?",
    actions: ([["S", players.striker], ["O", players.nonStriker]] as const).flatMap(([key, batter]) =>
      batter === null ? [] : [{ id: `retire-${key}`, key, label: batter, then: () => ({
        prompt: `${batter} retires`,
        actions: kinds.map(([kind, letter, label]) => ({ id: `retire-${kind}`, key: letter, label, run: () => desk.send("cricket.retire", { batter, kind }, `${batter} retired ${kind.replace("_", " ")}`) })),
      }) }],
    ),
  };
}

function inningsActions(desk: Desk, tracker: Cricket<LogRow>): Action[] {
  const { names } = desk;
  const over = desk.status === "ended" ? "the match is over" : undefined;
  const start = (side: Side): void => desk.sendAll([...matchStart(desk), ["cricket.innings", { action: "start", batting: side, kind: "normal" }, `Innings of ${names[side]}`]]);
  const end = (reason: string): void => desk.send("cricket.innings", { action: "end", batting: tracker.batting, kind: "normal", reason }, `Innings ended, ${reason.replace("_", " ")}`);
  const reasons = [["all_out", "A", "All out"], ["overs", "O", "Overs bowled"], ["declared", "D", "Declared"], ["target", "T", "Target reached"], ["rain", "R", "Rain"], ["forfeited", "F", "Forfeited"], ["end_of_match", "E", "End of match"]] as const;
  return [
    pauseAction(desk),
    tracker.batting === null
      ? { id: "innings", key: "I", label: "Start an innings", tone: "main", off: over, then: () => ({ prompt: "Who bats?", actions: (["home", "away"] as const).map((side) => ({ id: `innings-${side}`, key: side === "home" ? "H" : "A", label: names[side], tone: side, run: () => start(side) })) }) }
      : { id: "innings", key: "I", label: "End the innings", off: over, then: () => ({ prompt: "Why did it end?", actions: reasons.map(([reason, key, label]) => ({ id: `innings-${reason}`, key, label, run: () => end(reason) })) }) },
    { id: "penalty", key: "P", label: "Penalty runs", off: over, then: () => ({ prompt: "Five penalty runs: to which side?", actions: (["home", "away"] as const).map((side) => ({ id: `penalty-${side}`, key: side === "home" ? "H" : "A", label: names[side], tone: side, run: () => desk.send("cricket.penalty_runs", { to: side, runs: 5, when: "during" }, `5 penalty runs, ${names[side]}`) })) }) },
    { id: "finish", key: "E", label: "End the match", tone: "danger", off: over ?? (tracker.innings === 0 ? "not started" : undefined), then: () => ({ prompt: "End the match?", actions: [{ id: "finish-yes", key: "Y", label: "Yes, it is completed", run: () => desk.send("match.end", { reason: "completed" }, "Match ended") }] }) },
  ];
}

function replaceStep(desk: Desk, last: LogRow): Step {
  const ball = last.input;
  const put = (runs: Runs, wickets?: Ball["wickets"]): void => {
    const { wickets: _gone, ...rest } = ball;
    const input = { ...rest, runs, ...(wickets === undefined ? {} : { wickets }) };
    desk.replace(input, `${ballText(input).words} instead`);
  };
  const players: Players = { striker: String(ball["batter"]), nonStriker: String(ball["non_striker"]), bowler: null };
  return {
    prompt: `Replace "${ballText(ball).words}": what was it?`,
    actions: [
      ...[0, 1, 2, 3, 4, 5, 6].map((n): Action => ({ id: `replace-${n}`, key: String(n), label: n === 1 ? "1 run" : `${n} runs`, run: () => put({ batter: n }) })),
      { id: "replace-wicket", key: "W", label: "Wicket", tone: "danger", then: () => wicketStep(players, put) },
      ...extraKeys.map(({ id, key, label, prompt, from, runs }): Action => ({
        id: `replace-${id}`, key, label, then: () => ({ prompt, actions: Array.from({ length: 7 - from }, (_, i) => i + from).map((n) => ({ id: `replace-${id}-${n}`, key: String(n), label: sayExtra(id, n), run: () => put(runs(n)) })) }),
      })),
    ],
  };
}
