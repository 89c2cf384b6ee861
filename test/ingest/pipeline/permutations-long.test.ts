import { describeAnyOrder } from "./any-order-trial.ts";

describeAnyOrder(1_000, 150);
