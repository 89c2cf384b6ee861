import type { CameraId, WorkZoneId } from "../../../../domain/ids.ts";
import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { zoneNetwork } from "../network/zone-network.ts";
import { changeIndex } from "../view/change-index.ts";
import { decodeView, type ViewFile } from "../view/decode-view.ts";
import { type FrameMap, shiftedBy } from "../view/frame-map.ts";
import { WHOLE_IMAGE } from "../view/outline.ts";
import { pictureLight } from "../view/picture-light.ts";
import type { ReferenceView } from "../view/read-reference.ts";
import { type Registration, registerView } from "../view/register-view.ts";
import { frameLuminance, type ViewPixels } from "../view/view-frame.ts";
import { warpZone } from "../view/warp-zone.ts";
import { joinFeatures } from "./view-features.ts";
import { zoneFeatures } from "./zone-features.ts";

/** Where a camera sees a zone. */
export interface OutlinedZone {
  readonly zoneId: WorkZoneId;
  readonly outline: readonly ImagePoint[];
}

/** A camera that an image may be of. */
export interface CandidateCamera {
  readonly cameraId: CameraId;
  readonly view: ReferenceView;
  readonly zones: readonly OutlinedZone[];
}

export interface ReadViewInput {
  readonly file: ViewFile;
  /** The image's camera, or all that it may be of; empty: a photograph without a fixed view. */
  readonly candidates: readonly CandidateCamera[];
  /** Zones that a photograph without a fixed view shows, whole. */
  readonly wholeZones: readonly WorkZoneId[];
}

/** What a view shows of a zone. */
export interface SeenZone {
  readonly zoneId: WorkZoneId;
  readonly features: Float32Array;
  /** Share of the outline that lies within the picture, 0 to 1. */
  readonly observedFraction: number;
}

export interface ReadView {
  /** The camera it fits best, and how; `undefined` without candidates. */
  readonly match:
    | {
        readonly cameraId: CameraId;
        readonly registration: Registration;
        /** Only where it is registered. */
        readonly changeIndex: number | undefined;
      }
    | undefined;
  /** Empty unless it is registered, or has no candidates. */
  readonly zones: readonly SeenZone[];
  /** The image as people see it, at most 1,280 pixels long. */
  readonly jpeg: Uint8Array;
}

/**
 * Reads one image: finds its camera and its shift against the reference view, and describes the zones. For
 * tasks. @throws DomainError `IMAGE_REFUSED`.
 */
export async function readView(input: ReadViewInput): Promise<ReadView> {
  const { pixels, jpeg } = await decodeView(input.file);
  const { candidates, wholeZones } = input;
  if (candidates.length === 0) {
    const whole = wholeZones.map((zoneId) => ({ zoneId, outline: WHOLE_IMAGE }));
    const zones = await describe(pixels, shiftedBy({ dx: 0, dy: 0 }), whole, { byNetwork: false });
    return { match: undefined, zones, jpeg };
  }
  const luminance = frameLuminance(pixels);
  const best = bestMatch(candidates, luminance, pixels.height / pixels.width);
  const { candidate, registration } = best;
  const { cameraId, view, zones } = candidate;
  if (registration.kind !== "registered") {
    return { match: { cameraId, registration, changeIndex: undefined }, zones: [], jpeg };
  }
  const { map } = registration;
  const outlines = zones.map(({ outline }) => outline);
  return {
    match: {
      cameraId,
      registration,
      changeIndex: changeIndex(view.luminance, luminance, map, outlines),
    },
    zones: await describe(pixels, map, zones, { byNetwork: true }),
    jpeg,
  };
}

interface Match {
  readonly candidate: CandidateCamera;
  readonly registration: Registration;
}

/** A camera that points where it did goes before one that moved, that before one that is not found. */
const ORDER = ["registered", "moved", "unclear"] as const;

function bestMatch(
  candidates: readonly CandidateCamera[],
  luminance: Float32Array,
  aspect: number,
): Match {
  const [best] = candidates
    .map((candidate) => ({
      candidate,
      registration: registerView(candidate.view.reference, luminance, aspect),
    }))
    .sort(
      ({ registration: a }, { registration: b }) =>
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.agreement - a.agreement,
    );
  if (best === undefined) throw new RangeError("a view needs a camera to be compared with");
  return best;
}

/**
 * Hand-made features, and the network's after them. Without it where no camera has a fixed view: stages are
 * estimated as well without it.
 */
async function describe(
  pixels: ViewPixels,
  map: FrameMap,
  zones: readonly OutlinedZone[],
  { byNetwork }: { readonly byNetwork: boolean },
): Promise<readonly SeenZone[]> {
  const light = pictureLight(pixels);
  const patches = zones.map(({ outline }) => warpZone(pixels, map, outline));
  const network = byNetwork && zones.length > 0 ? await zoneNetwork() : undefined;
  const described = await network?.describe(patches, light);
  return zones.flatMap(({ zoneId }, i) => {
    const patch = patches[i];
    if (patch === undefined) return [];
    const features = joinFeatures(zoneFeatures(patch, light), described?.[i] ?? new Float32Array());
    return { zoneId, features, observedFraction: patch.observedFraction };
  });
}
