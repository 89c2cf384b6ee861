import { buffer } from "node:stream/consumers";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { storeProducts } from "../../survey/store-products.ts";
import type { ReportTools } from "./report-tools.ts";
import { knowledgeOf } from "./seen-zones.ts";
import type { PlannedZone, ZonePlanInput } from "./zone-plan/zone-plan.ts";

/** Height of a zone's block where its design gives none, metres: a storey. It only shapes the drawing. */
const STOREY_M = 3;

/**
 * Pictures of a report, drawn and stored in `folder`: the products of the newest flight until then, under a
 * map of the zones over its orthophoto; without a flight, map and model of the zones' outlines.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`, `TASK_FAILED`.
 */
export async function reportImages(
  { files, drawZonePlan }: Pick<ReportTools, "files" | "drawZonePlan">,
  about: {
    /** Newest drone capture with products on or before the report's date. */
    readonly flight: Pick<Capture, "products" | "capture_date"> | undefined;
    readonly workZones: readonly WorkZone[];
    readonly zones: readonly ReportZone[];
    readonly captureDate: string;
    /** Without a slash at the end. */
    readonly folder: string;
  },
  signal: AbortSignal,
): Promise<ProgressReport["images"]> {
  const { flight, captureDate, folder } = about;
  const products = flight?.products;
  const drawn = await drawZonePlan(
    { zones: plannedZones(about), ground: products && (await loadGround(files, products)) },
    signal,
  );
  const png = { name: "zones.png", bytes: drawn.map };
  if (products === undefined) {
    const glb = { name: "zones.glb", bytes: drawn.model };
    const { map, model } = await storeProducts(files, folder, { map: png, model: glb }, signal);
    return {
      orthomosaic_key: map,
      map_key: map,
      model_3d_key: model,
      kind: "zone_plan",
      as_of: captureDate,
    };
  }
  const { map } = await storeProducts(files, folder, { map: png }, signal);
  return {
    orthomosaic_key: products.orthomosaic ?? map,
    map_key: map,
    model_3d_key: products.model_3d,
    kind: "survey",
    as_of: flight?.capture_date ?? captureDate,
  };
}

/** Zones as they are drawn: outlines as they are now, percents of the report. */
function plannedZones({
  workZones,
  zones,
  captureDate,
}: {
  readonly workZones: readonly WorkZone[];
  readonly zones: readonly ReportZone[];
  readonly captureDate: string;
}): readonly PlannedZone[] {
  const atMs = Date.parse(captureDate);
  const byId = new Map(workZones.map((zone) => [zone.id, zone]));
  return zones.map((reported) => {
    const { zone_id, name, progress, status } = reported;
    const zone = byId.get(zone_id);
    return {
      name,
      progress: knowledgeOf(reported, atMs) === "never" ? undefined : progress,
      status,
      polygon: zone?.polygon,
      heightM: zone ? heightOf(zone) : STOREY_M,
    };
  });
}

/** Of the design above the baseline, where the zone's metric gives it. */
function heightOf({ metric, design }: WorkZone): number {
  if (metric.kind === "height") {
    const top = Math.max(...metric.levels.map(({ top_m }) => top_m));
    if (top > 0) return top;
  }
  if (design?.kind === "level" && design.reference === "baseline" && design.height_m !== 0) {
    return Math.abs(design.height_m);
  }
  return STOREY_M;
}

/** The orthophoto's preview; `undefined` where there is none, or its file is gone. */
async function loadGround(
  files: ReportTools["files"],
  { orthomosaic_preview: key, preview_corners: corners }: NonNullable<Capture["products"]>,
): Promise<ZonePlanInput["ground"]> {
  if (key === undefined || corners === undefined) return undefined;
  const opened = await files.get(key);
  return opened && { bytes: new Uint8Array(await buffer(opened.body)), corners };
}
