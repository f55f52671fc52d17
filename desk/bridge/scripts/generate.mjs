// Writes src/generated/*.ts from the JSON Schemas in schema/json. With --check it writes nothing and fails when the
// committed files differ, so that a changed schema cannot pass unnoticed.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { compile } from "json-schema-to-typescript";

const here = path.dirname(fileURLToPath(import.meta.url));
const schemas = path.resolve(here, "../../../schema/json");
const target = path.resolve(here, "../src/generated");
const banner = (from) => `// Generated from schema/json/${from} by scripts/generate.mjs. Do not edit.\n`;
const options = { bannerComment: "", additionalProperties: false, unreachableDefinitions: true, ignoreMinAndMaxItems: true, format: true, style: { printWidth: 120 } };

const pascal = (code) => code.split(/[^A-Za-z0-9]+/).map((word) => word[0].toUpperCase() + word.slice(1)).join("");

// A type name never comes from a schema's own title: two sports may use the same one.
function untitled(schema) {
  if (Array.isArray(schema)) return schema.map(untitled);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === "title" && typeof value === "string"))
      .map(([name, value]) => [name, untitled(value)]),
  );
}

// Without the compiler's remarks on where a type is used.
function plain(text) {
  return text
    .replace(/( \*\n)? \* This interface was referenced by [^]*?(?= \*\/)/g, "")
    .replace(/\/\*\*\n \*\/\n/g, "");
}

async function wire() {
  const schema = JSON.parse(await readFile(path.join(schemas, "wire.schema.json"), "utf8"));
  const text = await compile(schema, "Wire", options);
  return banner("wire.schema.json") + plain(text).replace(/\/\*\*(?:(?!\*\/)[^])*\*\/\s*export interface Wire \{[^}]*\}\n/, "");
}

async function inputs() {
  const sports = JSON.parse(await readFile(path.join(schemas, "sports.snapshot.json"), "utf8"));
  const commands = new Map();
  for (const sport of Object.keys(sports).sort()) {
    for (const command of sports[sport]) commands.set(command.code, command);
  }
  let text = banner("sports.snapshot.json");
  const map = [];
  for (const [code, command] of [...commands].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = `${pascal(code)}Input`;
    text += "\n" + plain(await compile({ ...untitled(command.input), title: name }, name, options));
    map.push(`  ${JSON.stringify(code)}: ${name};`);
  }
  return text + `\n/** The input of every command, by its code. */\nexport interface CommandInputs {\n${map.join("\n")}\n}\n`;
}

const check = process.argv.includes("--check");
let stale = 0;
await mkdir(target, { recursive: true });
for (const [file, make] of [["wire.ts", wire], ["inputs.ts", inputs]]) {
  const text = await make();
  const place = path.join(target, file);
  const committed = await readFile(place, "utf8").catch(() => "");
  if (committed === text) continue;
  if (check) {
    console.error(`${file} does not fit schema/json: run "npm run generate" and mend what no longer compiles.`);
    stale += 1;
  } else {
    await writeFile(place, text);
  }
}
process.exit(stale === 0 ? 0 : 1);
