import { advanceFences } from "../geofence/advance.ts";
import { advanceLimits } from "../maintenance/limit-fold.ts";
import { foldWork } from "../utilization/utilization.ts";
import { markLate, type SampleStage } from "./timeline.ts";

/** Working time, engine time and distance, by local day. */
export const workingTime: SampleStage = {
  name: "working-time",
  onSample: (track, sample, { calendar }) => foldWork(track, sample, calendar),
};

/** Limits of the asset's maintenance plan that are exceeded, or no longer. */
export const limits: SampleStage = {
  name: "limits",
  onSample(track, sample, rules, sink) {
    // A plan that changed after this reading was taken, and was applied first.
    if (sample.tMs <= track.limits.clockMs) markLate(track, sample.tMs);
    else advanceLimits(track.limits, sample, rules.limits, sink.limit);
  },
};

/** Visits to geofences. */
export const geofences: SampleStage = {
  name: "geofences",
  onSample(track, sample, rules, sink) {
    if (Number.isNaN(sample.latitude)) return;
    // A fence that changed after this reading was taken, and was applied first.
    if (sample.tMs <= track.fences.clockMs) {
      markLate(track, sample.tMs);
      return;
    }
    const fix = {
      tMs: sample.tMs,
      lonDeg: sample.longitude,
      latDeg: sample.latitude,
      accuracyM: sample.accuracyM,
    };
    advanceFences(track.fences, fix, track.assetId, rules.fences, sink.crossing);
  },
};
