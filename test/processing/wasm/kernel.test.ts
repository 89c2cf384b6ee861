import { describe, expect, it } from "vitest";
import { openKernel } from "../../../processing/wasm/kernel.ts";
import { MATCH_WASM } from "../../../processing/wasm/match.wasm.ts";

describe("openKernel", () => {
  it("openKernel lays blocks out at multiples of 16 bytes, without overlap, above the first 1024", () => {
    const kernel = openKernel(MATCH_WASM, ["nearest"]);

    expect(kernel.layout({ a: 1, b: 16, c: 17, d: 0, e: 4 })).toEqual({
      a: 1024,
      b: 1040,
      c: 1056,
      d: 1088,
      e: 1088,
    });
  });

  it("openKernel grows the memory to hold a layout of 1 MB", () => {
    const kernel = openKernel(MATCH_WASM, ["nearest"]);
    const at = kernel.layout({ values: 1_000_000 });

    const view = kernel.f32(at.values, 250_000).fill(1.5);

    expect(view.every((value) => value === 1.5)).toBe(true);
  });

  it("openKernel extends a layout behind its blocks, which keep their bytes, until the next layout", () => {
    const kernel = openKernel(MATCH_WASM, ["nearest"]);
    const at = kernel.layout({ a: 20 });
    kernel.u8(at.a, 20).fill(9);

    const more = kernel.extend(1_000_000);

    expect(more).toBe(at.a + 32);
    expect(kernel.extend(4)).toBe(more + 1_000_000);
    expect(kernel.u8(at.a, 20).every((value) => value === 9)).toBe(true);
    expect(kernel.layout({ a: 20, b: 4 }).b).toBe(more);
  });

  it("openKernel gives each opening a memory of its own", () => {
    const one = openKernel(MATCH_WASM, ["nearest"]);
    const two = openKernel(MATCH_WASM, ["nearest"]);
    const at = one.layout({ values: 4 });
    two.layout({ values: 4 });

    one.i32(at.values, 1)[0] = 7;

    expect(two.i32(at.values, 1)[0]).toBe(0);
  });

  it("openKernel refuses a module that lacks a function by its name, when it is first used", () => {
    const kernel = openKernel(MATCH_WASM, ["farthest"]);

    expect(() => kernel.functions).toThrow("farthest");
  });
});
