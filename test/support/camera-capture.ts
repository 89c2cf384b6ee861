import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { CameraId, CaptureId, JobId, ProjectId, WorkZoneId } from "../../domain/ids.ts";
import { type Capture, NEW_CAPTURE } from "../../domain/sites/capture.ts";
import type { SiteCamera } from "../../domain/sites/site-camera.ts";
import type { WorkZone, ZoneMetric } from "../../domain/sites/work-zone.ts";
import { readImage } from "../../processing/images/read-image.ts";
import type { WorkerPool } from "../../processing/pool/pool.ts";
import type { CameraTools } from "../../processing/progress/camera/camera-tools.ts";
import { readView } from "../../processing/progress/camera/features/read-view.ts";
import { estimateByViews } from "../../processing/progress/camera/model/estimate-by-views.ts";
import { drawView } from "../../processing/progress/camera/view/draw-view.ts";
import { readReference } from "../../processing/progress/camera/view/read-reference.ts";
import type { ViewPixels } from "../../processing/progress/camera/view/view-frame.ts";
import type { Job } from "../../storage/ports/platform/jobs.ts";
import { NOON_MS, PEPPER } from "./api-app.ts";
import type { CameraScene } from "./camera-scene.ts";
import { openMemoryFiles } from "./memory-files.ts";
import { type MemoryRecords, openMemoryRecords } from "./memory-records.ts";

const PROJECT = "p1" as ProjectId;
export const ZONE = "z1" as WorkZoneId;
export const CAMERA = "cam1" as CameraId;

/** Tasks of the pool in this thread: the same functions, quicker to start. */
const TASKS: Readonly<Record<string, (input: never) => unknown>> = {
  "read-image": readImage,
  "read-reference": readReference,
  "read-view": readView,
  "judge-zone": async (input: never) => estimateByViews(input),
  "draw-view": drawView,
};
export const inlinePool = {
  run: async ({ name }: { readonly name: string }, input: unknown) =>
    await TASKS[name]?.(input as never),
} as Pick<WorkerPool, "run">;

/** A project with a zone and images that are served from memory, and everything that works on captures of it. */
export interface CameraProject extends AsyncDisposable {
  readonly records: MemoryRecords;
  readonly tools: CameraTools;
  /** Puts an image at an address, and yields the address. */
  image(url: string, content: ViewPixels | Uint8Array): Promise<string>;
  zone(change?: Partial<WorkZone>): Promise<WorkZone>;
  /** A camera whose reference view is the scene before any work. */
  camera(scene: CameraScene, change?: Partial<SiteCamera>): Promise<SiteCamera>;
  /** What an analyser is given for a capture of these images. */
  input(
    images: readonly string[],
    change?: Partial<Capture>,
  ): Promise<{ job: Job; capture: Capture; images: readonly string[]; zones: readonly WorkZone[] }>;
}

export const jpegOf = async ({ width, height, rgb }: ViewPixels): Promise<Buffer> =>
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();

export async function openCameraProject(): Promise<CameraProject> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-camera-"));
  const records = openMemoryRecords();
  const { store } = openMemoryFiles(() => NOON_MS, PEPPER);
  const served = new Map<string, Buffer>();
  const at = new Date(NOON_MS).toISOString();
  await records.projects.insert({
    id: PROJECT,
    name: "Harbour",
    location: { latitude: 53.5, longitude: 9.9 },
    time_zone: "UTC",
    shift: { start: "00:00", end: "24:00" },
    created_at: at,
    updated_at: at,
  });
  const onDisk = async (content: Buffer, kind: string) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    const path = join(dir, `${sha256}.${kind}`);
    await writeFile(path, content);
    return { path, sha256 };
  };
  const bytesOf = async (content: ViewPixels | Uint8Array): Promise<Buffer> =>
    content instanceof Uint8Array ? Buffer.from(content) : await jpegOf(content);
  let captures = 0;
  return {
    records,
    tools: {
      pool: inlinePool,
      images: {
        resolve: async (entries) =>
          await Promise.all(
            entries.map(async (entry) => {
              const [url = "", name = url.split("/").at(-1) ?? ""] = entry.split("#");
              const content = served.get(url);
              if (content === undefined) return { refused: `${name} was answered with status 404` };
              return { value: { ...(await onDisk(content, "jpg")), name } };
            }),
          ),
      },
      folder: {
        find: async () => undefined,
        async keep(fill) {
          const sink = new PassThrough();
          const content = buffer(sink);
          await fill(sink);
          sink.end();
          const kept = await onDisk(await content, "jpg");
          return { ...kept, kind: "jpg", bytes: (await content).length };
        },
      },
      files: store,
      siteCameras: records.siteCameras,
      captures: records.captures,
    },
    async image(url, content) {
      served.set(url, await bytesOf(content));
      return url;
    },
    async zone(change = {}) {
      const zone: WorkZone = {
        id: ZONE,
        project_id: PROJECT,
        name: "Block A",
        polygon: undefined,
        metric: { kind: "image" } as ZoneMetric,
        baseline: undefined,
        design: undefined,
        weight: undefined,
        declared_progress: 0,
        declared_at: at,
        activities: { codes: [], wbs: [], names: [] },
        created_at: at,
        updated_at: at,
        ...change,
      };
      await records.workZones.insert(zone);
      return zone;
    },
    async camera(scene, change = {}) {
      const content = await jpegOf(scene.shoot({ progress: 0 }));
      const sha256 = createHash("sha256").update(content).digest("hex");
      const id = change.id ?? CAMERA;
      const key = `cameras/${id}/${sha256}.jpg`;
      await store.put(key, content);
      const camera: SiteCamera = {
        id,
        project_id: PROJECT,
        name: "Gate 3",
        reference_key: key,
        reference_sha256: sha256,
        reference_set_at: "2026-01-01T00:00:00.000Z",
        zones: [{ zone_id: ZONE, outline: scene.outline }],
        url_prefixes: ["https://cams.test/gate-3/"],
        state: "active",
        suspended_at: undefined,
        created_at: at,
        updated_at: at,
        ...change,
      };
      await records.siteCameras.insert(camera);
      return camera;
    },
    async input(images, change = {}) {
      captures += 1;
      const job_id = `job_${captures}` as JobId;
      const capture: Capture = {
        id: `cap_${captures}` as CaptureId,
        project_id: PROJECT,
        job_id,
        capture_type: "cctv",
        images_count: images.length,
        flight_metadata: undefined,
        created_at: new Date(NOON_MS + captures * 60_000).toISOString(),
        estimated_completion: at,
        ...NEW_CAPTURE,
        ...change,
      };
      await records.captures.insert(capture);
      const { zones } = await records.workZones.list({ projectIds: [PROJECT], offset: 0 });
      const job = { id: job_id, attempts: 1 } as Job;
      return { job, capture, images, zones };
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
