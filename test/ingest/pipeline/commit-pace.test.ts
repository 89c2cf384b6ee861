import { describe, expect, it } from "vitest";
import { commitEveryMs } from "../../../ingest/pipeline/commit-pace.ts";

describe("the pace of commits that nobody waits for", () => {
  it("a quick commit is followed by the next after 50 ms, one of 15 ms after 150, and a slow one after 250", () => {
    expect([1, 15, 400].map(commitEveryMs)).toEqual([50, 150, 250]);
  });
});
