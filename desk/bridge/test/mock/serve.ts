// Serves the built desk with the in-memory server and a few matches:  npm run mock  (prints its address)
import { MockServer } from "./server.js";

const id = (n: number): string => `0190a0a0-0000-7000-8000-0000000000${String(n).padStart(2, "0")}`;
const mock = new MockServer();
mock.files = new URL("../../../app/dist/", import.meta.url);
mock.beatMs = 2000;
await mock.start(Number(process.env["PORT"] ?? 0));
mock.addCompetition(id(1), "World Cup", "football");
mock.addCompetition(id(2), "Winter Games");
mock.addCompetition(id(3), "Summer series", "cricket");

mock.addFixture(id(11), "football", "France", "Croatia", id(1));
const say = (ref: string, code: string, input: Record<string, unknown>): void => void mock.other(ref, code, input, "desk-7");
say(id(11), "match.start", {});
say(id(11), "football.period", { action: "start", period: "H1" });
say(id(11), "football.goal", { side: "home", minute: 18, kind: "own_goal", scorer: "Mandžukić" });
say(id(11), "football.goal", { side: "away", minute: 28, kind: "open_play", scorer: "Perišić" });
say(id(11), "football.card", { side: "home", player: "Kanté", minute: 27, card: "yellow" });
say(id(11), "football.goal", { side: "home", minute: 38, kind: "penalty", scorer: "Griezmann" });
say(id(11), "football.corner", { side: "away", minute: 41 });
mock.addFixture(id(12), "football", "Belgium", "England", id(1));
mock.addFixture(id(13), "football", "Sweden", "Switzerland", id(1));
say(id(13), "match.start", {});
say(id(13), "football.goal", { side: "home", minute: 66, kind: "open_play", scorer: "Forsberg" });
say(id(13), "match.end", { reason: "completed" });

mock.addFixture(id(21), "curling", "Sweden", "Great Britain", id(2)).settings = { ends: 10 };
say(id(21), "match.start", {});
say(id(21), "curling.hammer", { side: "away" });
for (const [side, points] of [["away", 2], ["home", 1], [null, 0], ["away", 1], ["home", 3]] as const) {
  say(id(21), "curling.end", { action: "start" });
  say(id(21), "curling.end_score", side === null ? { points } : { side, points });
}
say(id(21), "curling.end", { action: "start" });

mock.addFixture(id(31), "cricket", "India", "New Zealand", id(3));
say(id(31), "match.start", {});
say(id(31), "cricket.toss", { winner: "home", decision: "bat" });
say(id(31), "cricket.innings", { action: "start", batting: "home", kind: "normal" });
const batters = ["Sharma", "Gill", "Kohli"];
let over = 0;
for (let ball = 0; ball < 21; ball += 1) {
  if (ball % 6 === 0) over += 1;
  const runs = [0, 1, 4, 0, 2, 1, 6, 0, 1, 0, 0, 4][ball % 12]!;
  const input: Record<string, unknown> = { batter: batters[ball % 2], non_striker: batters[(ball + 1) % 2], bowler: over % 2 === 1 ? "Boult" : "Southee", runs: { batter: runs } };
  if (ball === 13) Object.assign(input, { runs: { batter: 0 }, wickets: [{ kind: "caught", player_out: batters[1] }] });
  if (ball === 13) batters[1] = "Kohli";
  if (ball === 19) Object.assign(input, { runs: { batter: 0, extras: { wides: 1 } } });
  say(id(31), "cricket.ball", input);
}
console.log(mock.url);
