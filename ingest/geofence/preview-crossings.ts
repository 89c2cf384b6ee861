import { MOCKED_FIELD } from "../../domain/equipment/mocked-position.ts";
import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { AssetAssignment, GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { Series, TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { accuracyOr } from "./accuracy.ts";
import { advanceFences } from "./advance.ts";
import type { Crossing } from "./crossing.ts";
import { newFenceFold } from "./fence-fold.ts";
import { FenceTimeline } from "./fence-timeline.ts";

/** A crossing that a fence would have seen. */
export interface PreviewedCrossing extends Omit<Crossing, "fence"> {
  readonly assetId: AssetId;
}

/** What was found, and how far the search went. */
export interface PreviewedRange {
  /** By asset in the order given, then by time. */
  readonly crossings: readonly PreviewedCrossing[];
  readonly fixes: number;
  /** Assets that were searched to the end. */
  readonly assets: number;
}

/** What may be spent on one preview. */
export interface PreviewLimits {
  readonly fixes: number;
  readonly crossings: number;
}

/** Read back at a time, ms: 86,400 rows of four numbers at 1 Hz. */
const READ_MS = DAY_MS;
/** Fixes before the event loop gets a turn: some 3 ms of work. */
const SLICE = 2_000;
const FIELDS = ["latitude", "longitude", "accuracy_meters", "hdop", MOCKED_FIELD] as const;

/**
 * The crossings of one fence in `[fromMs, toMs)`, had it been in force all the time. They follow from the
 * past fixes of each asset, by the pipeline's own rules. An asset whose first fix is inside enters with the
 * cause `first_fix`. Stores nothing. Ends early when `limits` are used up.
 * @throws DomainError `STORE_UNAVAILABLE`.
 */
export async function previewCrossings(
  version: GeofenceVersion,
  assignments: ReadonlyMap<AssetId, readonly AssetAssignment[]>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  telemetry: Pick<TelemetryStore, "read">,
  limits: PreviewLimits,
): Promise<PreviewedRange> {
  const timeline = new FenceTimeline();
  timeline.apply([{ ...version, validFromMs: 0, validToMs: undefined }]);
  const crossings: PreviewedCrossing[] = [];
  let fixes = 0;
  let assets = 0;

  for (const [assetId, assigned] of assignments) {
    timeline.assign(assetId, assigned);
    const fold = newFenceFold();
    const emit = ({ fence: _, ...crossing }: Crossing) => crossings.push({ assetId, ...crossing });
    for (let atMs = fromMs; atMs < toMs; atMs += READ_MS) {
      const series = await telemetry.read({
        assetId,
        fromMs: atMs,
        toMs: Math.min(toMs, atMs + READ_MS),
        fields: FIELDS,
      });
      for (const [i, tMs] of series.timesMs.entries()) {
        const fix = fixAt(series, i, tMs);
        if (fix === undefined) continue;
        if (fixes >= limits.fixes || crossings.length >= limits.crossings) {
          return { crossings, fixes, assets };
        }
        fixes += 1;
        if (fixes % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
        advanceFences(fold, fix, assetId, timeline, emit);
      }
    }
    assets += 1;
  }
  return { crossings, fixes, assets };
}

/** `undefined`: the row has no position that was measured. */
function fixAt({ columns }: Series, i: number, tMs: number) {
  const [latDeg, lonDeg, accuracyM, hdop, mocked] = FIELDS.map((field) => columns.get(field)?.[i]);
  if (latDeg === undefined || lonDeg === undefined || mocked === 1) return undefined;
  if (Number.isNaN(latDeg) || Number.isNaN(lonDeg)) return undefined;
  return { tMs, lonDeg, latDeg, accuracyM: accuracyOr(accuracyM, hdop).meters };
}
