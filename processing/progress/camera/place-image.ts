import type { WorkZoneId } from "../../../domain/ids.ts";
import type { CaptureType } from "../../../domain/sites/capture.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { PlaceHints } from "./place-hints.ts";

/** What an image is analysed as. */
export type ImagePlace =
  /** Of one of these cameras. `isNamed`: somebody said of which. */
  | {
      readonly kind: "cameras";
      readonly cameras: readonly SiteCamera[];
      readonly isNamed: boolean;
    }
  /** A photograph that shows one zone, whole. */
  | { readonly kind: "photograph"; readonly zoneId: WorkZoneId }
  | { readonly kind: "none"; readonly reason: string };

/** What is known of all images of a capture. */
export interface PlaceFacts {
  readonly captureType: CaptureType;
  readonly cameras: readonly SiteCamera[];
  readonly zones: readonly WorkZone[];
  /** `flight_metadata.camera_id` and `flight_metadata.zone_id`, for images that name nothing themselves. */
  readonly cameraId: string | undefined;
  readonly zoneId: string | undefined;
}

/**
 * Cameras that an image is compared with at most: each takes a tenth of a second. With fewer, images of later
 * cameras are of none unless they are named.
 */
const MOST_COMPARED = 24;

/**
 * Says what an image is of: by `#camera=` or `#zone=` behind its address, by the capture's metadata, by the
 * address's beginning (the longest of the cameras' prefixes), else by what it shows.
 */
export function placeImage(hints: PlaceHints, facts: PlaceFacts): ImagePlace {
  const { cameras, zones } = facts;
  const isHinted = hints.camera !== undefined || hints.zone !== undefined;
  const cameraId = isHinted ? hints.camera : facts.cameraId;
  const zoneId = isHinted ? hints.zone : facts.zoneId;
  if (cameraId !== undefined) {
    const camera = cameras.find(({ id }) => id === cameraId);
    if (camera !== undefined) return { kind: "cameras", cameras: [camera], isNamed: true };
    return none(`names the camera "${cameraId}", which is not in the project`);
  }
  if (zoneId !== undefined) return photograph(zoneId, zones);
  const byAddress = cameraOfAddress(hints.entry, cameras);
  if (byAddress !== undefined) return { kind: "cameras", cameras: [byAddress], isNamed: true };
  if (cameras.length === 0) {
    return none("is of no camera and no zone: name one by #camera= or #zone= behind its address");
  }
  return { kind: "cameras", cameras: cameras.slice(0, MOST_COMPARED), isNamed: false };
}

function photograph(zoneId: string, zones: readonly WorkZone[]): ImagePlace {
  const zone = zones.find(({ id }) => id === zoneId);
  if (zone === undefined) return none(`names the zone "${zoneId}", which is not in the project`);
  if (zone.metric.kind !== "stages") {
    return none(
      `names the zone "${zone.name}", whose metric is ${zone.metric.kind}: photographs without a fixed view show only stages`,
    );
  }
  return { kind: "photograph", zoneId: zone.id };
}

function cameraOfAddress(entry: string, cameras: readonly SiteCamera[]): SiteCamera | undefined {
  let best: { readonly camera: SiteCamera; readonly length: number } | undefined;
  for (const camera of cameras) {
    for (const prefix of camera.url_prefixes) {
      if (entry.startsWith(prefix) && prefix.length > (best?.length ?? 0)) {
        best = { camera, length: prefix.length };
      }
    }
  }
  return best?.camera;
}

const none = (reason: string): ImagePlace => ({ kind: "none", reason });
