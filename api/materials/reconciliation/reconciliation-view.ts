import { SIGMAS_95, type StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import {
  compareChange,
  impliedDensity,
} from "../../../processing/reconciliation/compare-change.ts";
import { measuredChange } from "../../../processing/reconciliation/measured-change.ts";
import type { Tonnes } from "../../../processing/reconciliation/sum-loads.ts";
import type * as weighed from "../../../processing/reconciliation/weigh-stay.ts";
import type { WeighingErrors } from "../../../processing/reconciliation/weighing-errors.ts";
import { percentOf } from "../../representations/percent.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import type { Load, Reconciliation } from "./reconciliation-schemas.ts";
import {
  isCutShort,
  reconciliationWarnings,
  type WarningSources,
} from "./reconciliation-warnings.ts";

/** What was assumed of the figures. */
export interface Assumed extends WeighingErrors {
  /** One standard deviation of the density, share of it. */
  readonly densityShare: number;
}

/** A stockpile's measured change beside its loads, without the loads themselves. */
export function reconciliationView(
  stockpile: Stockpile & { readonly geofence_id: Reconciliation["geofence_id"] },
  sources: WarningSources,
  assumed: Assumed,
): Omit<Reconciliation, "data" | "pagination"> {
  const { from, to, sum, counted } = sources;
  const { density_t_per_m3: tPerM3 } = stockpile;
  const change = measuredChange(from, to);
  const compared =
    tPerM3 === undefined
      ? undefined
      : compareChange(change, sum.net, { tPerM3, share: assumed.densityShare });
  const implied = impliedDensity(change, sum.net);
  const isIncomplete = sum.counts.unknown > 0 || isCutShort(sources);
  return {
    stockpile_id: stockpile.id,
    geofence_id: stockpile.geofence_id,
    from_measurement: epochView(from),
    to_measurement: epochView(to),
    verdict:
      compared === undefined
        ? "no_density"
        : !compared.isSignificant
          ? "agree"
          : isIncomplete
            ? "incomplete"
            : "differ",
    measured: {
      m3: { value: rounded(change.m3), uncertainty_95: rounded(SIGMAS_95 * change.sigmaM3) },
      ...(compared && { tonnes: tonnesView(compared.measured) }),
      basis: change.basis,
    },
    counted: {
      brought_tonnes: tonnesView(sum.brought),
      taken_tonnes: tonnesView(sum.taken),
      net_tonnes: tonnesView(sum.net),
      ...(compared && { net_m3: volumeView(compared.counted) }),
      is_lower_bound: isIncomplete,
      brought_loads: sum.counts.brought,
      taken_loads: sum.counts.taken,
      passes: sum.counts.none,
      unweighed: sum.counts.unknown,
      low_confidence: sum.lowConfidence,
    },
    ...(compared && {
      difference: {
        tonnes: tonnesView(compared.difference),
        m3: volumeView(compared.difference),
        significant: compared.isSignificant,
      },
    }),
    density: {
      ...(tPerM3 === undefined ? {} : { t_per_m3: tPerM3 }),
      ...(implied && {
        implied_t_per_m3: {
          value: rounded(implied.value),
          interval_95: [rounded(implied.low), rounded(implied.high)],
        },
      }),
    },
    machines: sum.machines.map((machine) => ({
      asset_id: machine.assetId,
      stays: machine.stays,
      brought_tonnes: rounded(machine.broughtT),
      taken_tonnes: rounded(machine.takenT),
      unweighed: machine.unweighed,
      weighs: machine.weighs,
    })),
    inside_at_end: counted.inside.map(({ assetId, enteredMs }) => ({
      asset_id: assetId,
      entered_at: new Date(enteredMs).toISOString(),
    })),
    assumed: {
      load_sigma_percent: percentOf(assumed.loadShare),
      calibration_sigma_percent: percentOf(assumed.calibrationShare),
      density_sigma_percent: percentOf(assumed.densityShare),
      least_load_kg: assumed.leastLoadKg,
    },
    warnings: [...reconciliationWarnings(sources)],
  };
}

/** A stay and what it moved; `fromMs`: time of the first measurement, ms since the Unix epoch. */
export function loadView(load: weighed.Load, fromMs: number): Load {
  const { stay, before, after, movedKg, sigmaKg, kind } = load;
  return {
    asset_id: stay.assetId,
    entered_at: new Date(stay.enteredMs).toISOString(),
    exited_at: new Date(stay.exitedMs).toISOString(),
    kind,
    ...(kind === "unknown"
      ? {}
      : {
          tonnes: rounded(movedKg / 1_000),
          uncertainty_95_tonnes: rounded((SIGMAS_95 * sigmaKg) / 1_000),
        }),
    ...(before && { payload_before_kg: Math.round(before.kg) }),
    ...(after && { payload_after_kg: Math.round(after.kg) }),
    readings_before: before?.readings ?? 0,
    readings_after: after?.readings ?? 0,
    confidence: load.confidence,
    remarks: [...load.remarks],
    spans_from_measurement: stay.enteredMs <= fromMs,
    visit_ids: [...stay.visitIds],
  };
}

/** Columns of loads as CSV. */
export const LOAD_COLUMNS: CsvColumns<Load> = {
  asset_id: (load) => load.asset_id,
  entered_at: (load) => load.entered_at,
  exited_at: (load) => load.exited_at,
  kind: (load) => load.kind,
  tonnes: (load) => load.tonnes,
  uncertainty_95_tonnes: (load) => load.uncertainty_95_tonnes,
  payload_before_kg: (load) => load.payload_before_kg,
  payload_after_kg: (load) => load.payload_after_kg,
  readings_before: (load) => load.readings_before,
  readings_after: (load) => load.readings_after,
  confidence: (load) => load.confidence,
  remarks: (load) => load.remarks.join("; "),
  spans_from_measurement: (load) => load.spans_from_measurement,
  visit_ids: (load) => load.visit_ids.join(" "),
};

function epochView(measurement: StockpileMeasurement): Reconciliation["from_measurement"] {
  return {
    measurement_id: measurement.id,
    measured_at: measurement.measured_at,
    volume_m3: measurement.current_volume_m3,
    uncertainty_95_m3: measurement.uncertainty_95_m3,
  };
}

function tonnesView({ t, sigmaT }: Tonnes) {
  return { value: rounded(t), uncertainty_95: rounded(SIGMAS_95 * sigmaT) };
}

function volumeView({ m3, sigmaM3 }: { readonly m3: number; readonly sigmaM3: number }) {
  return { value: rounded(m3), uncertainty_95: rounded(SIGMAS_95 * sigmaM3) };
}

/** Three decimals: litres and kilograms. */
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
