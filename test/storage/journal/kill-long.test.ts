import { it } from "vitest";
import { expectNothingLost } from "./kill-trial.ts";

it("the journal has every acknowledged record after each of 6 kills, in order and without gap", async () => {
  await expectNothingLost(6);
});
