import { describe, expect, it } from "vitest";
import type { ApiClient } from "../../support/api-client.ts";
import { crossingsInEvents, crossingTable } from "./recorded.ts";

const at = (second: number) => `2026-03-02T06:00:${String(second).padStart(2, "0")}.000Z`;

const event = (id: string, revision: number, type: string, second: number, withdrawn = false) => ({
  ...{ id, revision, withdrawn, inferred: false, cause: "crossing" },
  type: `equipment.geofence.${type}`,
  asset_id: "truck",
  geofence_id: "yard",
  occurred_at: at(second),
});

/** Answers with the given pages, one after the other. */
function pages(...answers: readonly (readonly object[])[]): Pick<ApiClient, "get"> {
  return {
    get: async <T>(path: string) => {
      const page = Number(new URLSearchParams(path.split("?")[1]).get("cursor"));
      const data = answers[page] ?? [];
      const has_more = page + 1 < answers.length;
      return { data, pagination: { next_cursor: String(page + 1), has_more } } as T;
    },
  };
}

describe("crossingsInEvents", () => {
  it("crossingsInEvents keeps the newest revision of each event over all pages, and none that is withdrawn", async () => {
    const api = pages(
      [event("a", 1, "entered", 1), event("b", 1, "exited", 9), event("c", 1, "entered", 20)],
      [event("a", 2, "entered.revised", 3), event("b", 2, "exited.withdrawn", 9, true)],
    );

    const crossings = await crossingsInEvents(api);

    expect(crossingTable(crossings)).toEqual([
      `truck yard ${at(3)} entered false crossing`,
      `truck yard ${at(20)} entered false crossing`,
    ]);
  });
});
