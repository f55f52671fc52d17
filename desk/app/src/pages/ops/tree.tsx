// The live supervision tree, as the server's actors report it: who supervises whom, and how each is doing.
import { useOmnium } from "@omnium/bridge/react";
import { useState, type ReactNode } from "react";
import { plain, sayCount } from "../../lib/words";
import { sayNumber } from "./metrics";

export interface TreeNode {
  name: string;
  facts: [string, string][];
  trouble: string | null;
  children: TreeNode[];
}

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const quietFacts = new Set(["strategy", "restart"]);

export function readTree(value: unknown): TreeNode {
  const node = record(value);
  const facts: [string, string][] = [];
  const children: TreeNode[] = [];
  let trouble: string | null = null;
  for (const [name, one] of Object.entries(node)) {
    if (name === "name" || quietFacts.has(name)) continue;
    if (Array.isArray(one)) children.push(...one.map(readTree));
    else if (typeof one === "number") facts.push([plain(name), name === "pid" ? String(one) : sayNumber(one)]);
    else if (typeof one === "boolean") {
      if (one) facts.push([plain(name), "yes"]);
    } else if (typeof one === "string" && one !== "") facts.push([plain(name), one.replace(/_/g, " ")]);
  }
  if (node["quarantined"] === true) trouble = "quarantined";
  if (node["breaker"] === "open" || node["breaker"] === "half_open") trouble = `breaker ${String(node["breaker"]).replace("_", " ")}`;
  return { name: String(node["name"] ?? ""), facts, trouble, children };
}

/** Children drawn of one node; a tournament has hundreds of matches. */
const drawn = 40;

export function Tree({ root }: { root: TreeNode }): ReactNode {
  return (
    <section className="card tree" aria-label="Supervision tree">
      <header>
        <h2>Supervision tree</h2>
      </header>
      <ul>
        {root.children.map((node) => (
          <Branch key={node.name} node={node} above="" />
        ))}
      </ul>
    </section>
  );
}

/** What the server calls a node when it is asked to restart it: a worker's name needs its supervisor's before it. */
export function fullName(above: string, name: string): string {
  return name.startsWith("worker/") ? `${above}/${name}` : name;
}

/** Asks twice: what a part is at is run again, but a match's scorers wait for a moment. */
function Restart({ name }: { name: string }): ReactNode {
  const { client } = useOmnium();
  const [state, setState] = useState<"idle" | "sure" | "asked" | "done" | "failed">("idle");
  const words = { idle: "Restart", sure: "Restart it now?", asked: "Restarting…", done: "Restarted", failed: "Not restarted" };
  const press = async (): Promise<void> => {
    if (state !== "sure") return setState("sure");
    setState("asked");
    const answer = await client.http.act("/ops/restart", { name }).catch(() => null);
    setState(answer !== null && answer.status === 200 ? "done" : "failed");
  };
  return (
    <button type="button" className="button plain slim" aria-label={`Restart ${name}`} disabled={state === "asked"} onClick={(event) => { event.preventDefault(); void press(); }} onBlur={() => setState((now) => (now === "sure" ? "idle" : now))}>
      {words[state]}
    </button>
  );
}

function Branch({ node, above }: { node: TreeNode; above: string }): ReactNode {
  const name = fullName(above, node.name);
  const line = (
    <>
      <strong>{node.name}</strong>
      {node.trouble === null ? null : <span className="state refused">{plain(node.trouble)}</span>}
      <span className="quiet small num">
        {node.facts.map(([name, value]) => `${name.toLowerCase()} ${value}`).join(", ")}
        {node.children.length > 0 && node.facts.length === 0 ? sayCount(node.children.length, "child", "children") : ""}
      </span>
      {/^(sports?|match(es)?)(\/|$)/.test(name) ? <Restart name={name} /> : null}
    </>
  );
  if (node.children.length === 0) return <li className="leaf">{line}</li>;
  return (
    <li>
      <details open={node.children.length <= 12}>
        <summary>{line}</summary>
        <ul>
          {node.children.slice(0, drawn).map((child) => (
            <Branch key={child.name} node={child} above={name} />
          ))}
          {node.children.length > drawn ? <li className="leaf quiet small">and {node.children.length - drawn} more</li> : null}
        </ul>
      </details>
    </li>
  );
}
