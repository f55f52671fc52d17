// JSON whose integers stay whole at any size, as the server keeps them: beyond 2^53 an integer is a bigint here.

const long = /\d{16}/;
// A string as a whole (so that digits inside it are left alone), or a number.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** Stands before the digits of an integer on its way through JSON's own reader and writer, which know none so large. */
const mark = `\u0001integer ${Math.random().toString(36).slice(2)} `;
const marked = new RegExp(`"${JSON.stringify(mark).slice(1, -1).replace(/\\/g, "\\\\")}(-?\\d+)"`, "g");

export function parseJson(text: string): unknown {
  if (!long.test(text)) return JSON.parse(text);
  let found = false;
  const safe = text.replace(token, (one) => {
    if (!/^-?[1-9]\d*$/.test(one) || Number.isSafeInteger(Number(one))) return one;
    found = true;
    return JSON.stringify(mark + one);
  });
  if (!found) return JSON.parse(text);
  return JSON.parse(safe, (_, value: unknown) => (typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value));
}

/** Undefined for what JSON has no words for, as JSON.stringify. */
export function writeJson(value: unknown): string {
  let found = false;
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (typeof one !== "bigint") return one;
    found = true;
    return mark + one.toString();
  });
  return found ? text.replace(marked, "$1") : text;
}
