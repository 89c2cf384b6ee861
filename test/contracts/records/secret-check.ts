import { describe, expect, it } from "vitest";
import type { OpenStore } from "./rows.ts";

export function describeSecretCheck(current: () => OpenStore): void {
  describe("check value of the secret key", () => {
    it("the check value stays the first one, whatever is offered later, until it is removed", async () => {
      const { secretCheck } = current().store;
      await secretCheck.forget();
      expect(await secretCheck.find()).toBeUndefined();
      expect(await secretCheck.keep(Uint8Array.of(0, 1, 255))).toEqual(Uint8Array.of(0, 1, 255));
      expect(await secretCheck.keep(Uint8Array.of(2))).toEqual(Uint8Array.of(0, 1, 255));
      expect(await secretCheck.find()).toEqual(Uint8Array.of(0, 1, 255));
      await secretCheck.forget();
      expect(await secretCheck.keep(Uint8Array.of(2))).toEqual(Uint8Array.of(2));
    });
  });
}
