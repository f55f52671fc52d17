// Writes schema/json/sports.snapshot.json from a running server:  node scripts/snapshot.mjs http://127.0.0.1:8400 [token]
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readSports } from "../dist/index.js";

export async function sportsOf(url, token = "") {
  const reply = await fetch(`${url}/sports`, token === "" ? {} : { headers: { Authorization: `Bearer ${token}` } });
  if (!reply.ok) throw new Error(`GET /sports answered ${reply.status}.`);
  const out = {};
  for (const sport of readSports(await reply.json()).sort((a, b) => (a.code < b.code ? -1 : 1))) {
    out[sport.code] = sport.commands.map(({ schema, ...rest }) => ({ ...rest, input: schema }));
  }
  return out;
}

const [url, token] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (url === undefined) throw new Error("Name the server: snapshot.mjs URL [token]");
  const target = new URL("../../../schema/json/sports.snapshot.json", import.meta.url);
  await writeFile(target, JSON.stringify(await sportsOf(url, token), null, 1) + "\n");
}
