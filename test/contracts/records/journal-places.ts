import { describe, expect, it } from "vitest";
import type { OpenStore } from "./rows.ts";

export function describeJournalPlaces(current: () => OpenStore): void {
  describe("places of followers of shared journals", () => {
    it("a place is that of one reader in one journal, 0 at first, and never goes back", async () => {
      const { journalPlaces } = current().store;
      const [journal, other] = ["places-1", "places-2"] as const;
      expect(await journalPlaces.find(journal, "archive")).toBe(0);
      for (const sequence of [7, 9_007_199_254_740_991, 3]) {
        await journalPlaces.advance(journal, "archive", sequence);
      }
      await journalPlaces.advance(journal, "another", 5);
      expect(await journalPlaces.find(journal, "archive")).toBe(9_007_199_254_740_991);
      expect(await journalPlaces.find(journal, "another")).toBe(5);
      expect(await journalPlaces.find(other, "archive")).toBe(0);
    });
  });
}
