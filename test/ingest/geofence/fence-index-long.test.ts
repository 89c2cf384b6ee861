import { it } from "vitest";
import { expectExactIndex } from "./fence-index-trial.ts";

it("the index finds for 1,000,000 random and boundary points exactly the fences that hold them", () => {
  expectExactIndex(1_000_000);
});
