import type { AssetId } from "../../domain/ids.ts";
import { byAsset } from "./by-asset.ts";
import type { Load } from "./weigh-stay.ts";
import type { WeighingErrors } from "./weighing-errors.ts";

/** A mass with one standard deviation, tonnes. */
export interface Tonnes {
  readonly t: number;
  readonly sigmaT: number;
}

/** What one machine moved, tonnes. */
export interface MachineLoads {
  readonly assetId: AssetId;
  /** Stays that are over. */
  readonly stays: number;
  readonly broughtT: number;
  readonly takenT: number;
  /** Stays that could not be weighed. */
  readonly unweighed: number;
  /** Whether it ever reported a payload near the fence: a van does not. */
  readonly weighs: boolean;
}

/** All loads of a fence. */
export interface LoadSum {
  readonly brought: Tonnes;
  readonly taken: Tonnes;
  /** Brought less taken. */
  readonly net: Tonnes;
  readonly counts: Readonly<Record<Load["kind"], number>>;
  /** Loads among them of which the confidence is low. */
  readonly lowConfidence: number;
  /** By asset id. */
  readonly machines: readonly MachineLoads[];
}

/**
 * Sums loads: the errors of weighings are independent. The scale factor of a machine is off for all of its
 * loads alike, so that the errors of what it brought and took cancel.
 */
export function sumLoads(loads: readonly Load[], errors: WeighingErrors): LoadSum {
  const groups = byAsset(loads, ({ stay }) => stay.assetId);
  const machines = [...groups].map(([assetId, own]) => machineLoads(assetId, own));
  const total = (sign: (load: Load) => boolean) => tonnesOf(loads.filter(sign), errors);
  const brought = total(({ kind }) => kind === "brought");
  const taken = total(({ kind }) => kind === "taken");
  const count = (kind: Load["kind"]) => loads.filter((load) => load.kind === kind).length;
  return {
    brought,
    taken: { t: taken.t === 0 ? 0 : -taken.t, sigmaT: taken.sigmaT },
    net: total(({ kind }) => kind === "brought" || kind === "taken"),
    counts: {
      brought: count("brought"),
      taken: count("taken"),
      none: count("none"),
      unknown: count("unknown"),
    },
    lowConfidence: loads.filter(
      ({ kind, confidence }) => (kind === "brought" || kind === "taken") && confidence === "low",
    ).length,
    machines: machines.toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1)),
  };
}

function machineLoads(assetId: AssetId, loads: readonly Load[]): MachineLoads {
  const sumT = (kind: Load["kind"]) =>
    loads.reduce((sum, load) => sum + (load.kind === kind ? Math.abs(load.movedKg) : 0), 0) / 1_000;
  return {
    assetId,
    stays: loads.length,
    broughtT: sumT("brought"),
    takenT: sumT("taken"),
    unweighed: loads.filter(({ kind }) => kind === "unknown").length,
    weighs: loads.some(({ before, after }) => before !== undefined || after !== undefined),
  };
}

function tonnesOf(loads: readonly Load[], { calibrationShare }: WeighingErrors): Tonnes {
  const byMachine = new Map<AssetId, number>();
  let kg = 0;
  let variance = 0;
  for (const { stay, movedKg, sigmaKg } of loads) {
    kg += movedKg;
    variance += sigmaKg ** 2;
    byMachine.set(stay.assetId, (byMachine.get(stay.assetId) ?? 0) + movedKg);
  }
  for (const machineKg of byMachine.values()) variance += (calibrationShare * machineKg) ** 2;
  return { t: kg / 1_000, sigmaT: Math.sqrt(variance) / 1_000 };
}
