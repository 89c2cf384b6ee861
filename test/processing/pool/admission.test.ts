import { describe, expect, it } from "vitest";
import { createAdmission } from "../../../processing/pool/admission.ts";

/** Runs what is due without a clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("admission", () => {
  it("lets in what fits, in order, and never a small one past a large one", async () => {
    const admission = createAdmission({ places: 3, memoryBytes: 10 });
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      const leave = await admission.enter(bytes, undefined);
      entered.push(name);
      return leave;
    };
    const first = enter("first", 6);
    const large = enter("large", 5);
    const small = enter("small", 1);
    await settled();
    expect([entered, admission.running, admission.waiting]).toEqual([["first"], 1, 2]);
    (await first)();
    await Promise.all([large, small]);
    expect([entered, admission.usedBytes]).toEqual([["first", "large", "small"], 6]);
  });

  it("lets no more in than there are places", async () => {
    const admission = createAdmission({ places: 1, memoryBytes: 10 });
    const leave = await admission.enter(0, undefined);
    const next = admission.enter(0, undefined);
    await settled();
    expect(admission.waiting).toBe(1);
    leave();
    await next;
    expect([admission.running, admission.waiting]).toEqual([1, 0]);
  });

  it("lets the next in when the large one before it gives up waiting", async () => {
    const admission = createAdmission({ places: 2, memoryBytes: 10 });
    const giveUp = new AbortController();
    await admission.enter(6, undefined);
    const large = admission.enter(5, giveUp.signal);
    const small = admission.enter(4, undefined);
    const outcome = expect(large).rejects.toBe("tired");
    giveUp.abort("tired");
    await outcome;
    await small;
    expect([admission.running, admission.usedBytes]).toEqual([2, 10]);
  });
});
