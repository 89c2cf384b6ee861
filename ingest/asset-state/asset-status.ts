import type { AssetRegistration, AssetStatus } from "../../domain/equipment/asset.ts";
import { localDate, localDayAt, shiftSecondsElapsed } from "../../domain/local-time.ts";
import type { Project } from "../../domain/project.ts";
import { reportingIntervalS } from "../liveness/reporting-interval.ts";
import { MAX_GAP_MS } from "../track/work.ts";
import type { AssetState } from "./asset-state.ts";
import { type Basis, dayFigures } from "./day-figures.ts";

/** Reporting intervals that reported work is believed for after its report: the next may be late. */
const LATE_REPORT = 1.5;

/**
 * The contract's status at `nowMs`: `maintenance` when a person set it or a critical alert is open; else
 * work within the last 5 min makes an asset active. An asset that reports less often is active until its
 * next report is overdue, if the newest one says that it works.
 */
export function assetStatus(
  asset: AssetRegistration,
  state: AssetState | undefined,
  nowMs: number,
): AssetStatus {
  if (asset.maintenance || state?.hasCriticalAlert) return "maintenance";
  if (state === undefined) return "idle";
  const { lastWorkedAtMs, reportedToMs, reportGapsS } = state;
  const intervalS = reportingIntervalS(asset, reportGapsS) ?? 0;
  const believedMs = Math.max(MAX_GAP_MS, LATE_REPORT * intervalS * 1_000);
  const isNewest = lastWorkedAtMs > 0 && reportedToMs - lastWorkedAtMs <= MAX_GAP_MS;
  return isNewest && nowMs - lastWorkedAtMs <= believedMs ? "active" : "idle";
}

/** Utilisation of today so far, and what it is based on. */
export interface UtilizationNow {
  /** Percent, 0 to 100, one decimal; 0 where nothing is known, then `basis` is `none`. */
  readonly percent: number;
  readonly lower: number;
  readonly upper: number;
  readonly basis: Basis;
  /** Share of the day so far that was seen, 0 to 1. */
  readonly seen: number;
}

const NOT_YET: UtilizationNow = { percent: 0, lower: 0, upper: 0, basis: "none", seen: 0 };
const UNKNOWN: UtilizationNow = { ...NOT_YET, upper: 100 };

/**
 * Working seconds inside the shift since local midnight / shift seconds elapsed since then x 100;
 * 0 while none has elapsed or nothing was reported today.
 */
export function utilizationToday(
  project: Project,
  state: AssetState | undefined,
  nowMs: number,
): UtilizationNow {
  const elapsedS = shiftSecondsElapsed(project, nowMs);
  if (elapsedS <= 0) return NOT_YET;
  const today = state?.today;
  if (today === undefined || today.day !== localDate(project.time_zone, nowMs)) return UNKNOWN;
  const ms = nowMs - localDayAt(project, nowMs).startMs;
  const { working } = dayFigures(today, { ms, shiftMs: elapsedS * 1_000 });
  const percent = (seconds: number) => Math.min(100, Math.round((seconds / elapsedS) * 1_000) / 10);
  const { value, lower, upper, basis, seen } = working;
  return {
    percent: percent(value ?? 0),
    lower: percent(lower ?? 0),
    upper: upper === null ? 100 : percent(upper),
    basis,
    seen: Math.round((seen ?? 0) * 100) / 100,
  };
}
