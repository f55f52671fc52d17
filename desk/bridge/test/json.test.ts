import { describe, expect, it } from "vitest";
import { parseJson, writeJson } from "../src/json.js";

describe("integers beyond 2^53", () => {
  it("are read and written digit by digit, beside numbers that fit", () => {
    const text = '{"n":1152921504606846977,"m":[-9007199254740993,9007199254740991,1.5,1e20],"s":"1152921504606846977"}';
    const read = parseJson(text) as { n: unknown; m: unknown[]; s: unknown };
    expect(read.n).toBe(1152921504606846977n);
    expect(read.m).toEqual([-9007199254740993n, 9007199254740991, 1.5, 1e20]);
    expect(read.s).toBe("1152921504606846977");
    expect(writeJson(read)).toBe(text.replace("1e20", "100000000000000000000"));
  });

  it("leave strings as they are, whatever stands in them", () => {
    const odd = { a: 'say "1152921504606846977", \\', b: "\\\"12345678901234567890", c: "", '99999999999999999999': [1] };
    expect(parseJson(JSON.stringify(odd))).toEqual(odd);
    expect(parseJson(writeJson({ ...odd, n: 12345678901234567890n }))).toEqual({ ...odd, n: 12345678901234567890n });
  });

  it("take nothing that is no JSON", () => {
    for (const text of ["", "{", '{"a":12345678901234567890', "12345678901234567890x", "01234567890123456789"]) expect(() => parseJson(text)).toThrow();
  });
});
