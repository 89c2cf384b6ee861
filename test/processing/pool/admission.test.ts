import { describe, expect, it } from "vitest";
import { createAdmission } from "../../../processing/pool/admission.ts";

/** Runs what is due without a clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("admission", () => {
  it("admission lets in what fits, in order, and never a small one past a large one", async () => {
    const admission = createAdmission({ places: 3, memoryBytes: 10, roomBytes: 8 });
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

  it("admission lets no more in than there are places", async () => {
    const admission = createAdmission({ places: 1, memoryBytes: 10, roomBytes: 8 });
    const leave = await admission.enter(0, undefined);
    const next = admission.enter(0, undefined);
    await settled();
    expect(admission.waiting).toBe(1);
    leave();
    await next;
    expect([admission.running, admission.waiting]).toEqual([1, 0]);
  });

  it("admission lets the next in when the large one before it gives up waiting", async () => {
    const admission = createAdmission({ places: 2, memoryBytes: 10, roomBytes: 8 });
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

  it("admission makes tasks wait for what is held, but lets one in that is alone", async () => {
    const admission = createAdmission({ places: 3, memoryBytes: 10, roomBytes: 8 });
    const release = await admission.hold(8, undefined);
    const leave = await admission.enter(5, undefined);
    const second = admission.enter(1, undefined);
    await settled();
    expect([admission.running, admission.waiting, admission.usedBytes]).toEqual([1, 1, 13]);
    release();
    await second;
    expect([admission.running, admission.usedBytes]).toEqual([2, 6]);
    leave();
  });

  it("admission lets hold no more at once than there is room, in order", async () => {
    const admission = createAdmission({ places: 1, memoryBytes: 10, roomBytes: 8 });
    const held: string[] = [];
    const hold = async (name: string, bytes: number, signal?: AbortSignal) => {
      const release = await admission.hold(bytes, signal);
      held.push(name);
      return release;
    };
    const first = hold("first", 5);
    const giveUp = new AbortController();
    const large = hold("large", 8, giveUp.signal);
    const small = hold("small", 3);
    const outcome = expect(large).rejects.toBe("tired");
    await settled();
    expect([held, admission.usedBytes]).toEqual([["first"], 5]);
    giveUp.abort("tired");
    await outcome;
    const release = await small;
    expect([held, admission.usedBytes]).toEqual([["first", "small"], 8]);
    release();
    (await first)();
    expect(admission.usedBytes).toBe(0);
  });

  it("admission refuses to hold what will never fit, and says how much memory would do", async () => {
    const MIB = 1024 ** 2;
    const limits = { memoryBytes: 10 * MIB, roomBytes: 8 * MIB };
    const admission = createAdmission({ places: 1, ...limits });
    await expect(admission.hold(9 * MIB, undefined)).rejects.toMatchObject({
      finding: { gate: "OUT_OF_MEMORY", value: 11, threshold: 10, unit: "MiB" },
    });
  });
});
