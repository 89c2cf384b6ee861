import { valueNoise } from "../../randomness/noise.ts";
import { type GridPoint, type GridRect, insideM } from "./site-grid.ts";
import type { ZoneWork } from "./zone-plan.ts";

type Earthwork = Extract<ZoneWork, { kind: "fill" | "cut" }>;

/** The end of a lift that is in work lies in this slope: run over rise. */
const FRONT_RUN = 3;
/** Unevenness of a surface that machines work on, and of a finished one, metres. */
const WORKED_M = 0.035;
const TRIMMED_M = 0.012;
/** Loads that were tipped on the lift in work: how many, how high and wide, metres. */
const LOADS = 3;
const LOAD_M = { height: 0.7, radius: 1.3 };
/** An overbuilt fill: this much above the design on one side, and below it on the other, metres. */
const OVER_M = 0.45;
const UNDER_M = 0.6;

/** What the design raises or digs at a place, metres, 0 or more: a flat middle and side slopes. */
export function designLiftM(work: Earthwork, rect: GridRect, at: GridPoint): number {
  return Math.min(work.heightM, Math.max(0, insideM(rect, at)) / work.slopeRun);
}

/** What is raised or dug at a place when a share of the work is done, metres, 0 or more. */
export function builtLiftM(
  work: Earthwork,
  rect: GridRect,
  at: GridPoint,
  done: number,
  seed: number,
): number {
  if (done <= 0) return 0;
  const goalM = designLiftM(work, rect, at) + (work.isOverbuilt ? errorM(rect, at, work) : 0);
  if (goalM <= 0) return 0;
  const topM = work.heightM + (work.isOverbuilt ? OVER_M : 0);
  const lifts = Math.ceil(topM / work.liftM - 1e-9);
  const whole = Math.min(lifts, Math.floor(done * lifts));
  const part = done * lifts - whole;
  // Lifts go to and fro.
  const ahead = (whole % 2 === 0 ? 1 : -1) * (at.alongM - rect.alongM) + rect.halfLengthM;
  const rampM = FRONT_RUN * work.liftM;
  const frontM = part * (2 * rect.halfLengthM + rampM);
  const share = part === 0 ? 0 : Math.min(1, Math.max(0, (frontM - ahead) / rampM));
  const levelM = (whole + share) * work.liftM;
  if (levelM <= 0) return 0;
  const noise = valueNoise(at.alongM / 1.1, at.rightM / 1.1, seed + whole);
  if (levelM >= goalM) return goalM + TRIMMED_M * noise;
  const workedM = levelM + WORKED_M * noise;
  const loadM = work.kind === "fill" ? loadAtM(rect, at, frontM - rampM, whole, seed) : 0;
  return Math.max(0, Math.min(goalM, workedM + loadM));
}

/** Cones of loads behind the front of the lift in work. */
function loadAtM(
  rect: GridRect,
  at: GridPoint,
  frontM: number,
  lift: number,
  seed: number,
): number {
  let highest = 0;
  for (let k = 0; k < LOADS; k += 1) {
    const draw = (n: number) => valueNoise(0.5 + k * 3.7, n * 5.3 + 0.5, seed + lift + 17);
    const alongM = frontM - 4 - 3 * k + 1.5 * draw(1);
    const rightM = rect.rightM + rect.halfWidthM * 0.6 * draw(2);
    if (alongM < 3) continue;
    const ahead = (lift % 2 === 0 ? 1 : -1) * (at.alongM - rect.alongM) + rect.halfLengthM;
    const awayM = Math.hypot(ahead - alongM, at.rightM - rightM);
    highest = Math.max(highest, LOAD_M.height * (1 - awayM / LOAD_M.radius));
  }
  return highest;
}

/** Where an overbuilt fill goes wrong: too high ahead of its middle, missing at a rear corner. */
function errorM(rect: GridRect, at: GridPoint, work: Earthwork): number {
  const along = (at.alongM - rect.alongM) / rect.halfLengthM;
  const right = (at.rightM - rect.rightM) / rect.halfWidthM;
  const onTop = Math.min(1, designLiftM(work, rect, at) / work.heightM);
  const over = ramp((along - 0.1) / 0.15) * onTop * OVER_M;
  const under = ramp((-0.25 - along) / 0.15) * ramp((0.1 - right) / 0.15) * UNDER_M;
  return over - under;
}

const ramp = (t: number): number => Math.min(1, Math.max(0, t));
