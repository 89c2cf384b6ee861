import { besideTelemetry } from "./beside-telemetry.ts";
import { brighton } from "./brighton.ts";
import { brightonByHand } from "./brighton-by-hand.ts";
import { byHand } from "./by-hand.ts";
import { cameraSites } from "./camera-sites.ts";
import type { Check } from "./check.ts";
import { contract } from "./contract.ts";
import { fixedCamera } from "./fixed-camera.ts";
import { interrupted } from "./interrupted.ts";
import { outOfOrder } from "./out-of-order.ts";
import { project } from "./project.ts";

/** The suite, in the order it runs: one file for each check. */
export const CHECKS: readonly Check[] = [
  cameraSites,
  project,
  contract,
  fixedCamera,
  outOfOrder,
  besideTelemetry,
  interrupted,
  byHand,
  brighton,
  brightonByHand,
];
