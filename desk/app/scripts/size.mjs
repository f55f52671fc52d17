// The first page must stay small: what index.html loads before anything is clicked, gzipped, fonts included.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const limit = 200 * 1024;
const dist = new URL("../dist/", import.meta.url);
const html = await readFile(new URL("index.html", dist), "utf8");
if (/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/i.test(html)) throw new Error("index.html has an inline script or style; the content policy forbids it.");
const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((found) => found[1]);
for (const css of files.filter((file) => file.endsWith(".css"))) {
  const text = await readFile(new URL(css, dist), "utf8");
  const font = text.match(/url\(\.?\/?([^)]*inter-latin-wght-normal[^)]*\.woff2)\)/)?.[1];
  if (font !== undefined) files.push(`assets/${font.split("/").pop()}`);
}
let total = gzipSync(html).length;
for (const file of files) {
  const bytes = await readFile(new URL(file, dist));
  const size = file.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  console.log(`${String(Math.ceil(size / 1024)).padStart(5)} KiB  ${file}`);
  total += size;
}
console.log(`${String(Math.ceil(total / 1024)).padStart(5)} KiB  first page, gzipped (limit ${limit / 1024})`);
if (total > limit) process.exit(1);
