import { buffer } from "node:stream/consumers";
import type { CaptureImage } from "../../../domain/sites/capture.ts";
import type { ZoneView } from "../../../domain/sites/site-camera.ts";
import { AllImagesRefused } from "../analysis/all-images-refused.ts";
import type { AnalyserInput, CaptureAnalyser, CaptureFindings } from "../analysis/analyser.ts";
import { attemptFolder } from "../analysis/attempt-folder.ts";
import type { CameraTools } from "./camera-tools.ts";
import { FEATURES_VERSION } from "./features/view-features.ts";
import { gateImages, rejectedImage } from "./gated-images.ts";
import { viewFrame } from "./model/counting-labels.ts";
import { movedCameras } from "./moved-cameras.ts";
import { placeImage } from "./place-image.ts";
import { cameraLoader } from "./reference-views.ts";
import { type SeenImage, seeImage } from "./seen-images.ts";
import { captureTimes } from "./taken-at.ts";
import { DRAW_VIEW } from "./view/tasks.ts";
import { viewKey } from "./view-key.ts";
import { isSeenByImages, type ZoneByImages, zoneByImages } from "./zone-by-images.ts";

/**
 * Where fetching and the gate, reading, and estimating end, % of the work: only the bar of progress depends on
 * it. Wrong shares make it jump or stand.
 */
const GATED = 40;
const SEEN = 85;
const ESTIMATED = 95;

/**
 * Analyses captures of fixed cameras (`cctv`) and photographs by hand (`manual`), docs/progress-method.md#fixed-cameras: a gate for
 * each image, its camera, how it lies against the reference view, and for each zone with enough labels a
 * percent with its interval, or a stage. A camera that moved gives no estimates. What is kept of views is in
 * `captures/{id}/views`, pictures with outlines are in the attempt's folder.
 */
export function createCameraAnalyser(tools: CameraTools): CaptureAnalyser {
  return {
    async analyse(input, { signal, onProgress }) {
      const { capture, zones } = input;
      const found = await tools.siteCameras.list({ projectIds: [capture.project_id], offset: 0 });
      const gated = await gateImages(tools, input.images, {
        signal,
        onDone: (share) => onProgress("reading images", GATED * share),
      });
      const times = captureTimes(capture);
      const facts = {
        captureType: capture.capture_type,
        cameras: found.cameras,
        zones,
        cameraId: textOf(capture.flight_metadata?.["camera_id"]),
        zoneId: textOf(capture.flight_metadata?.["zone_id"]),
      };
      const readTools = { pool: tools.pool, load: cameraLoader(tools, signal) };
      let done = 0;
      const read = await Promise.all(
        gated.map(async (entry): Promise<SeenImage | CaptureImage> => {
          if (!("passed" in entry)) return rejectedImage(entry.url, entry.rejected);
          const { passed } = entry;
          const takenAtMs = times.of(passed.image);
          const about = { captureType: capture.capture_type, takenAtMs, signal };
          const place = placeImage(passed.hints, facts);
          const seen = await keepView(
            tools,
            input,
            await seeImage(readTools, entry, passed, place, about),
          );
          done += 1;
          onProgress("looking at images", GATED + ((SEEN - GATED) * done) / gated.length);
          return seen;
        }),
      );
      const seen = read.filter((one): one is SeenImage => "outcome" in one);
      const moved = await movedCameras(tools, capture, seen);
      const outcomes = read.map((one) => ("outcome" in one ? one.outcome : one));
      if (moved.length === 0 && outcomes.every(({ status }) => status === "rejected")) {
        throw new AllImagesRefused(outcomes);
      }
      const still = withoutMoved(seen, moved);
      const estimated: ZoneByImages[] = [];
      for (const zone of zones.filter(isSeenByImages)) {
        const one = await zoneByImages(tools, zone, still, signal);
        if (one !== undefined) estimated.push(one);
      }
      onProgress("drawing pictures", ESTIMATED);
      const unlike = unlikeLabels(still, estimated);
      const last = new Map(seen.map((one, i) => [one, still[i] ?? one]));
      const outcomeOf = (one: SeenImage): CaptureImage => {
        const now = last.get(one) ?? one;
        return unlike.get(now) ?? now.outcome;
      };
      return {
        captureDateMs: times.capture(
          gated.flatMap((one) => ("passed" in one ? [one.passed.image] : [])),
        ),
        images: read.map((one) => ("outcome" in one ? outcomeOf(one) : one)),
        estimates: estimated.map(({ estimate }) => estimate),
        products: undefined,
        baselines: [],
        datum: undefined,
        views: still.flatMap((image) => viewsOf(image, input)),
        moved,
        pictures: await storePictures(tools, input, still, signal),
        warnings: [],
      };
    },
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Keeps what people are shown of a view when they are asked for a label. */
async function keepView(
  { files }: Pick<CameraTools, "files">,
  { capture }: AnalyserInput,
  image: SeenImage,
): Promise<SeenImage> {
  if (image.jpeg === undefined || image.zones.length === 0) return image;
  await files.put(viewKey(capture.id, image.sha256), image.jpeg);
  // 500 of them are 100 MB.
  return { ...image, jpeg: undefined };
}

/**
 * Images of a camera that moved say nothing more, but those that were laid on the reference view: those were
 * taken before.
 */
function withoutMoved(
  seen: readonly SeenImage[],
  moved: CaptureFindings["moved"],
): readonly SeenImage[] {
  const isMoved = new Set(moved.map(({ cameraId }) => cameraId));
  return seen.map((image): SeenImage => {
    const { camera, placement, outcome } = image;
    if (camera === undefined || placement !== "unclear" || !isMoved.has(camera.id)) return image;
    return { ...image, outcome: { ...outcome, status: "camera_moved" } };
  });
}

/** Images most of whose zones are unlike all that was labelled, as they are published. */
function unlikeLabels(
  seen: readonly SeenImage[],
  estimated: readonly ZoneByImages[],
): ReadonlyMap<SeenImage, CaptureImage> {
  const outcomes = new Map<SeenImage, CaptureImage>();
  for (const image of seen) {
    const novel = estimated.flatMap((zone) => zone.novel.get(image) ?? []);
    const count = novel.filter(Boolean).length;
    if (image.outcome.status !== "used" || count * 2 <= novel.length) continue;
    const reason = `unlike all that was labelled in ${count} of ${novel.length} zones`;
    outcomes.set(image, { ...image.outcome, status: "low_confidence", reason });
  }
  return outcomes;
}

function viewsOf(image: SeenImage, { capture, zones }: AnalyserInput): readonly ZoneView[] {
  const { camera, sha256, takenAtMs } = image;
  const isKept = new Set(zones.filter(isSeenByImages).map(({ id }) => id));
  return image.zones
    .filter(({ zoneId }) => isKept.has(zoneId))
    .map(({ zoneId, features }) => ({
      capture_id: capture.id,
      camera_id: camera?.id,
      zone_id: zoneId,
      image_sha256: sha256,
      taken_at: new Date(takenAtMs).toISOString(),
      reference_sha256: viewFrame(camera, zoneId),
      features_version: FEATURES_VERSION,
      features,
    }));
}

/** The newest image of each camera with the outlines of its zones, and of each photographed zone. */
async function storePictures(
  { pool, files }: Pick<CameraTools, "pool" | "files">,
  { capture, job, zones }: AnalyserInput,
  seen: readonly SeenImage[],
  signal: AbortSignal,
): Promise<CaptureFindings["pictures"]> {
  const folder = attemptFolder(capture.id, job);
  const pictures: CaptureFindings["pictures"][number][] = [];
  const newest = new Map<string, SeenImage>();
  for (const image of seen.toSorted((a, b) => a.takenAtMs - b.takenAtMs)) {
    const name = image.camera?.id ?? image.zones[0]?.zoneId;
    if (image.zones.length > 0 && name !== undefined) newest.set(name, image);
  }
  for (const [name, { camera, sha256, map, takenAtMs }] of newest) {
    signal.throwIfAborted();
    const opened = await files.get(viewKey(capture.id, sha256));
    if (opened === undefined) continue;
    const jpeg = await buffer(opened.body);
    const outlines = camera?.zones.map(({ outline }) => outline) ?? [];
    const bytes =
      map === undefined ? jpeg : await pool.run(DRAW_VIEW, { jpeg, map, outlines }, signal);
    const key = `${folder}/${camera === undefined ? "zone" : "camera"}-${name}.jpg`;
    await files.put(key, bytes);
    const place = camera?.name ?? zones.find(({ id }) => id === name)?.name ?? name;
    const at = new Date(takenAtMs).toISOString().slice(0, 16).replace("T", " ");
    pictures.push({ title: `${place}, ${at} UTC`, key });
  }
  return pictures;
}
