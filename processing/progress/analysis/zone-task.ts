import { createHash } from "node:crypto";
import { SURFACE_METRICS, type WorkZone } from "../../../domain/sites/work-zone.ts";

/** Digits that distinguish tasks of one zone. */
const DIGITS = 16;

/**
 * Names what a zone is to become, by what its percent hangs on: the metric, and for those of surfaces the
 * outline and both surfaces. Tolerances count: they decide what is done.
 */
export function zoneTask({
  metric,
  polygon,
  baseline,
  design,
}: Pick<WorkZone, "metric" | "polygon" | "baseline" | "design">): string {
  const ends = SURFACE_METRICS.includes(metric.kind)
    ? [polygon ?? null, baseline ?? null, design ?? null]
    : [];
  const text = JSON.stringify([metric, ...ends]);
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
