import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { createLabelJob } from "../../processing/progress/camera/label-job.ts";
import { LABEL_JOB } from "../../processing/progress/camera/label-request.ts";
import { JobRunner } from "../../processing/queue/runner.ts";
import { ADMIN_KEY, NOON_MS, type TestApp } from "./api-app.ts";
import { inlinePool, jpegOf } from "./camera-capture.ts";
import type { CameraScene, SceneShot } from "./camera-scene.ts";

export const CAMERAS = "/api/v1/progress/cameras";

/** Uploads a picture as POST /progress/images does, and yields its address. */
export async function uploaded(t: TestApp, scene: CameraScene, shot: SceneShot): Promise<string> {
  const content = await jpegOf(scene.shoot(shot));
  const sha256 = createHash("sha256").update(content).digest("hex");
  const key = `images/${sha256}.jpg`;
  await t.files.store.put(key, content);
  return t.files.sign(key, NOON_MS + 86_400_000);
}

/** A body of POST /progress/cameras with what is required, and `change`. */
export const newCamera = (reference_image: string, scene: CameraScene, change: object = {}) => ({
  project_id: "p1",
  name: "Gate 3",
  reference_image,
  zones: [{ zone_id: "z1", outline: scene.outline }],
  ...change,
});

/** Creates a camera and yields it as the API shows it. */
export async function createCamera(t: TestApp, scene: CameraScene, change: object = {}) {
  const reference = await uploaded(t, scene, { progress: 0 });
  const created = await t.send("POST", CAMERAS, ADMIN_KEY, newCamera(reference, scene, change));
  if (created.statusCode !== 201) throw new Error(created.body);
  return created.json();
}

/** Works on the app's labels, in this thread; images are those of its file store. */
export async function startLabelling(t: TestApp): Promise<AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-label-"));
  const onDisk = async (content: Buffer) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    const path = join(dir, `${sha256}.jpg`);
    await writeFile(path, content);
    return { path, sha256 };
  };
  const handler = createLabelJob({
    pool: inlinePool,
    files: t.files.store,
    siteCameras: t.records.siteCameras,
    images: {
      resolve: async (entries) =>
        await Promise.all(
          entries.map(async (entry, i) => {
            const key = t.files.keyOf(entry);
            const opened = key === undefined ? undefined : await t.files.store.get(key);
            if (opened === undefined) return { refused: `image ${i + 1} is not stored any more` };
            return {
              value: { ...(await onDisk(await buffer(opened.body))), name: `image ${i + 1}` },
            };
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
        return { ...(await onDisk(await content)), kind: "jpg", bytes: (await content).length };
      },
    },
  });
  const runner = new JobRunner({
    jobs: t.records.jobs,
    handlers: new Map([[LABEL_JOB, handler]]),
    runner: "test",
    concurrency: 1,
    isAlone: true,
    log: pino({ level: "silent" }),
    onEnded: (id) => t.watch.poke(id),
    times: { pollMs: 5, watchMs: 50, stopMs: 100 },
  });
  return {
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
