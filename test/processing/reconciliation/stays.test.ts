import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { staysOf } from "../../../processing/reconciliation/stays.ts";
import { visitEnd, visitOf } from "../../support/hauling.ts";

const MINUTE_MS = 60_000;

describe("staysOf", () => {
  it("staysOf joins visits that are at most a minute apart, and keeps those that are farther apart", () => {
    const stays = staysOf([
      visitOf("c", [8.5, 9]),
      visitOf("a", [0, 2]),
      visitOf("b", [3, 7]),
      visitOf("d", [11, undefined]),
    ]);
    expect(stays.map((stay) => [stay.visitIds, stay.enteredMs, stay.exitedMs])).toEqual([
      [["a", "b"], 0, 7 * MINUTE_MS],
      [["c"], 8.5 * MINUTE_MS, 9 * MINUTE_MS],
      [["d"], 11 * MINUTE_MS, undefined],
    ]);
  });

  it("staysOf knows the machine's stays before and behind, and not those of other machines", () => {
    const stays = staysOf([
      visitOf("a", [0, 2]),
      visitOf("b", [5, 7]),
      visitOf("other", [3, 4], { assetId: "t2" as AssetId }),
    ]);
    const free = stays.map(({ visitIds, freeFromMs, freeToMs }) => [
      visitIds[0],
      freeFromMs / MINUTE_MS,
      freeToMs / MINUTE_MS,
    ]);
    expect(free).toEqual([
      ["a", Number.NEGATIVE_INFINITY, 5],
      ["b", 2, Number.POSITIVE_INFINITY],
      ["other", Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    ]);
  });

  it("staysOf makes one stay of the two visits that an edit of the fence cuts", () => {
    const [stay] = staysOf([
      visitOf("a", [0, 4], { exited: visitEnd(4 * MINUTE_MS, "fence_changed") }),
      visitOf("b", [4, 6], { entered: visitEnd(4 * MINUTE_MS, "fence_changed") }),
    ]);
    expect(stay).toMatchObject({
      visitIds: ["a", "b"],
      entryCause: "crossing",
      exitCause: "crossing",
      inferred: false,
    });
  });

  it("staysOf is inferred only if all of its visits are", () => {
    const inferred = { inferred: true };
    const stays = staysOf([
      visitOf("a", [0, 1], inferred),
      visitOf("b", [10, 11], inferred),
      visitOf("c", [11.5, 12]),
    ]);
    expect(stays.map((stay) => stay.inferred)).toEqual([true, false]);
  });
});
