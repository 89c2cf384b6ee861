import { describeAnyOrder } from "./any-order-trial.ts";

// Ten times as many: permutations-long.test.ts.
describeAnyOrder(100, 15);
