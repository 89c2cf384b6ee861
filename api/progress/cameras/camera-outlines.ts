import { isId, type ProjectId, type WorkZoneId } from "../../../domain/ids.ts";
import type { ImagePoint, SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { WorkZoneRecords } from "../../../storage/ports/sites/work-zones.ts";
import { kindOf } from "../../schemas/kind-of.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { CORNERS, MOST_ZONES } from "./camera-schemas.ts";

/**
 * Least extent of an outline each way, share of the view: below, nothing can be made out; a larger one
 * refuses far zones.
 */
const LEAST_EXTENT = 0.02;

/**
 * Reads the outlines of a camera's zones.
 * @throws ParameterError naming what is wrong first, as `zones[0].outline[3]`.
 */
export function readOutlines(zones: unknown): SiteCamera["zones"] {
  if (!Array.isArray(zones))
    throw invalidParameter("zones", `must be an array, not ${kindOf(zones)}`);
  if (zones.length > MOST_ZONES) {
    throw invalidParameter("zones", `must have at most ${MOST_ZONES} entries, not ${zones.length}`);
  }
  const read = zones.map((zone: unknown, i) => readZone(zone, `zones[${i}]`));
  for (const [i, { zone_id }] of read.entries()) {
    if (read.findIndex((other) => other.zone_id === zone_id) < i) {
      throw invalidParameter(`zones[${i}].zone_id`, `"${zone_id}" is outlined twice`);
    }
  }
  return read;
}

function readZone(zone: unknown, parameter: string): SiteCamera["zones"][number] {
  if (typeof zone !== "object" || zone === null || Array.isArray(zone)) {
    throw invalidParameter(parameter, "must be an object with zone_id and outline");
  }
  const { zone_id: id, outline } = zone as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || !isId(id)) {
    throw invalidParameter(`${parameter}.zone_id`, "must be the id of a work zone");
  }
  return { zone_id: id as WorkZoneId, outline: readOutline(outline, `${parameter}.outline`) };
}

function readOutline(outline: unknown, parameter: string): readonly ImagePoint[] {
  if (!Array.isArray(outline)) {
    throw invalidParameter(parameter, `must be an array of [x, y] pairs, not ${kindOf(outline)}`);
  }
  const { min, max } = CORNERS;
  const corners = outline.map((corner: unknown, i) => readCorner(corner, `${parameter}[${i}]`));
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = corners.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  const open = isClosed ? corners.slice(0, -1) : corners;
  if (open.length < min || open.length > max) {
    throw invalidParameter(parameter, `must have ${min} to ${max} corners, not ${open.length}`);
  }
  const extent = (axis: 0 | 1): number => {
    const values = open.map((corner) => corner[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  if (Math.min(extent(0), extent(1)) < LEAST_EXTENT) {
    throw invalidParameter(
      parameter,
      `must reach over ${LEAST_EXTENT} of the view's width and height at least`,
    );
  }
  return open;
}

function readCorner(corner: unknown, parameter: string): ImagePoint {
  const [x, y] = Array.isArray(corner) && corner.length === 2 ? (corner as unknown[]) : [];
  if (!isShare(x) || !isShare(y)) {
    throw invalidParameter(
      parameter,
      "must be [x, y], shares of the view's width and height from 0 to 1, not pixels",
    );
  }
  // JSON can say -0, and the stores need not keep it.
  return [x + 0, y + 0];
}

const isShare = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1;

/** @throws ParameterError for a zone that is not there or another project's: alike. */
export async function requireZones(
  workZones: Pick<WorkZoneRecords, "list">,
  projectId: ProjectId,
  zones: SiteCamera["zones"],
): Promise<void> {
  if (zones.length === 0) return;
  const found = await workZones.list({ projectIds: [projectId], offset: 0 });
  const known = new Set(found.zones.map(({ id }) => id));
  for (const [i, { zone_id }] of zones.entries()) {
    if (known.has(zone_id)) continue;
    throw invalidParameter(`zones[${i}].zone_id`, `"${zone_id}" names no work zone of the project`);
  }
}
