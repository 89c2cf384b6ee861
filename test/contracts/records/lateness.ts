import { describe, expect, it } from "vitest";
import type { OpenStore } from "./rows.ts";

export function describeLatenessRecords(current: () => OpenStore): void {
  describe("since when lateness is known", () => {
    it("a new record store knows of all positions whether they were late", async () => {
      expect(await current().store.lateness.knownFromMs()).toBe(0);
    });
  });
}
