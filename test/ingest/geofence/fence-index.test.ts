import { it } from "vitest";
import { expectExactIndex } from "./fence-index-trial.ts";

// Ten times as many: fence-index-long.test.ts.
it("the index finds for 100,000 random and boundary points exactly the fences that hold them", () => {
  expectExactIndex(100_000);
});
