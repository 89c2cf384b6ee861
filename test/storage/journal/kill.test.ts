import { it } from "vitest";
import { expectNothingLost } from "./kill-trial.ts";

// Three times as many: kill-long.test.ts.
it("the journal has every acknowledged record after each of 2 kills, in order and without gap", async () => {
  await expectNothingLost(2);
});
