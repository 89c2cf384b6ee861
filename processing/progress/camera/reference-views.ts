import { pipeline } from "node:stream/promises";
import { DomainError } from "../../../domain/errors.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { ImageKind } from "../../images/files/image-kind.ts";
import { type ImageOutcome, outcomeOf } from "../../images/image-outcome.ts";
import { READ_IMAGE } from "../../images/tasks.ts";
import type { CameraTools } from "./camera-tools.ts";
import type { CandidateCamera } from "./features/read-view.ts";
import { READ_REFERENCE } from "./view/tasks.ts";

/** Makes a camera ready for images to be compared with. */
export type LoadCamera = (camera: SiteCamera) => Promise<ImageOutcome<CandidateCamera>>;

/** Reads each reference view once, when it is first asked for. */
export function cameraLoader(
  tools: Pick<CameraTools, "pool" | "folder" | "files">,
  signal: AbortSignal,
): LoadCamera {
  const loaded = new Map<string, ReturnType<LoadCamera>>();
  return (camera) => {
    const known = loaded.get(camera.id);
    if (known !== undefined) return known;
    const loading = loadCamera(tools, camera, signal);
    // Whoever awaits it gets the error.
    loading.catch(() => undefined);
    loaded.set(camera.id, loading);
    return loading;
  };
}

async function loadCamera(
  { pool, folder, files }: Pick<CameraTools, "pool" | "folder" | "files">,
  camera: SiteCamera,
  signal: AbortSignal,
): Promise<ImageOutcome<CandidateCamera>> {
  const { id: cameraId, reference_key: key, reference_sha256: sha256 } = camera;
  const name = `the reference view of camera ${cameraId}`;
  return await outcomeOf(name, async () => {
    const kind = (key.split(".").at(-1) ?? "") as ImageKind;
    let kept = await folder.find(sha256, kind);
    if (kept === undefined) {
      const opened = await files.get(key);
      if (opened === undefined) {
        throw new DomainError("IMAGE_REFUSED", `${name} is not stored any more`);
      }
      kept = await folder.keep((sink) => pipeline(opened.body, sink, { signal, end: false }));
    }
    const file = { path: kept.path, sha256, name };
    const { orientation } = await pool.run(READ_IMAGE, file, signal);
    const zones = camera.zones.map(({ zone_id, outline }) => ({ zoneId: zone_id, outline }));
    const outlines = zones.map(({ outline }) => outline);
    const input = { file: { path: kept.path, name, orientation }, outlines };
    return { cameraId, zones, view: await pool.run(READ_REFERENCE, input, signal) };
  });
}
