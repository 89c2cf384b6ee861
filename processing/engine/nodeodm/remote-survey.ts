import { randomUUID } from "node:crypto";
import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { DomainError } from "../../../domain/errors.ts";
import { BOUNDLESS_DISK, type DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { ControlPoint, SurveyProgress } from "../port/engine.ts";
import { type NodeOdmClient, TASK_STATUS, type TaskInfo, type TaskOption } from "./client.ts";
import { unpack } from "./unpack.ts";

/** What a NodeODM made of the images, as files. */
export interface RemoteProducts {
  /** GeoTIFF of heights. */
  readonly dsm: string;
  /** GeoTIFF of colours; `undefined`: the node made none. */
  readonly orthophoto: string | undefined;
}

export interface RemoteSurvey {
  readonly images: readonly ImageFile[];
  readonly controlPoints: readonly ControlPoint[];
  /** Folder of this survey: keeps which task is ours, and takes the results. */
  readonly dir: string;
  /** Admits what is fetched. Absent: nothing is refused. */
  readonly disk?: DiskSpace;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SurveyProgress) => void;
  readonly pollMs?: number;
  /** How long a node that does not answer is asked again, ms. */
  readonly patienceMs?: number;
}

/**
 * How often the task's state is asked for, ms; a task takes many minutes. Less only asks more often, more shows
 * progress and the end later.
 */
const POLL_MS = 5_000;
/**
 * A node that is restarted goes on with its tasks; after this long it is taken for gone, ms. Less fails surveys
 * over a short outage, more keeps a job waiting for a node that does not come back.
 */
const PATIENCE_MS = 600_000;
/**
 * Unpacked size of one product at most, bytes: 25 million cells of four bytes, tenfold. Less refuses large
 * products, more lets a broken archive fill the disk.
 */
const PRODUCT_BYTES = 4 * 1024 ** 3;
/** Share of the whole at which sending ends, and at which the task is done, %. */
const SENT = 20;
const MADE = 92;

const DSM = "odm_dem/dsm.tif";
const ORTHOPHOTO = "odm_orthophoto/odm_orthophoto.tif";

/**
 * Cells that are asked for, cm: the node takes its own estimate of the ground sample distance where
 * that is coarser. Names as the node lists them at `GET /options`.
 */
const OPTIONS: readonly TaskOption[] = [
  { name: "dsm", value: true },
  { name: "dem-resolution", value: 5 },
  { name: "orthophoto-resolution", value: 3 },
  { name: "auto-boundary", value: true },
];

/** Which task is ours, and whether its products are here already. */
const Note = Type.Object({ uuid: Type.String({ format: "uuid" }), isFetched: Type.Boolean() });
const noteCheck = Compile(Note);

/**
 * Has a NodeODM work on the images. Which task is ours is noted in `dir` before anything is sent: after a
 * crash the same call goes on with it. A task that is no longer needed is cancelled and removed.
 * @throws DomainError `ENGINE_FAILED` when the node failed, with the end of its output; AbortError.
 */
export async function runRemoteSurvey(
  client: NodeOdmClient,
  survey: RemoteSurvey,
): Promise<RemoteProducts> {
  const { dir, disk = BOUNDLESS_DISK, signal, onProgress } = survey;
  const note = join(dir, "nodeodm.json");
  const products = { dsm: join(dir, "dsm.tif"), orthophoto: join(dir, "orthophoto.tif") };
  if ((await readNote(note))?.isFetched === true) return present(products);
  const uuid = await startOrResume(client, survey, note);
  try {
    await waitFor(client, uuid, survey);
  } catch (error) {
    if (signal.aborted) await discard(client, uuid);
    throw error;
  }
  onProgress({ stage: "download", percent: MADE });
  const archive = join(dir, "all.zip");
  await client.download(uuid, archive, disk, signal);
  const found = await unpack(
    archive,
    dir,
    [
      { entry: DSM, as: "dsm.tif", maxBytes: PRODUCT_BYTES },
      { entry: ORTHOPHOTO, as: "orthophoto.tif", maxBytes: PRODUCT_BYTES },
    ],
    disk,
    signal,
  );
  await rm(archive, { force: true });
  if (!found.has(DSM)) {
    throw new DomainError("ENGINE_FAILED", `the NodeODM's result holds no ${DSM}`);
  }
  await writeNote(note, { uuid, isFetched: true });
  await discard(client, uuid);
  return present(products);
}

async function present(products: { dsm: string; orthophoto: string }): Promise<RemoteProducts> {
  const hasOrthophoto = await access(products.orthophoto).then(
    () => true,
    () => false,
  );
  return { dsm: products.dsm, orthophoto: hasOrthophoto ? products.orthophoto : undefined };
}

/** The id of a task that has everything and was started, by us now or before a crash. */
async function startOrResume(
  client: NodeOdmClient,
  survey: RemoteSurvey,
  path: string,
): Promise<string> {
  const { images, controlPoints, dir, signal, onProgress } = survey;
  const known = await readNote(path);
  if (known !== undefined) {
    const task = await patiently(survey, () => client.task(known.uuid, signal));
    if (task !== undefined && !hasFailed(task)) return known.uuid;
    // Never started, failed or cancelled: what the node has of it is of no use.
    await discard(client, known.uuid);
  }
  const uuid = randomUUID();
  await writeNote(path, { uuid, isFetched: false });
  onProgress({ stage: "upload", percent: 0 });
  const { maxImages } = await patiently(survey, () => client.info(signal));
  if (typeof maxImages === "number" && images.length > maxImages) {
    throw new DomainError(
      "ENGINE_FAILED",
      `the NodeODM takes at most ${maxImages} images, the survey has ${images.length}`,
    );
  }
  await client.init(uuid, `survey ${uuid.slice(0, 8)}`, OPTIONS, signal);
  try {
    for (const [i, image] of images.entries()) {
      await patiently(survey, () =>
        client.upload(uuid, { path: image.path, name: uploadName(image, i) }, signal),
      );
      onProgress({ stage: "upload", percent: (SENT * (i + 1)) / images.length });
    }
    const list = controlPointList(controlPoints, images);
    if (list !== undefined) {
      const file = join(dir, "gcp_list.txt");
      await writeFile(file, list);
      await patiently(survey, () =>
        client.upload(uuid, { path: file, name: "gcp_list.txt" }, signal),
      );
    }
    await client.commit(uuid, signal);
  } catch (error) {
    if (signal.aborted) await discard(client, uuid);
    throw error;
  }
  return uuid;
}

async function waitFor(client: NodeOdmClient, uuid: string, survey: RemoteSurvey): Promise<void> {
  const { signal, onProgress, pollMs = POLL_MS } = survey;
  for (;;) {
    const task = await patiently(survey, () => client.task(uuid, signal));
    if (task === undefined) {
      throw new DomainError("ENGINE_FAILED", "the NodeODM does not know the task any more");
    }
    if (task.status.code === TASK_STATUS.completed) return;
    if (hasFailed(task)) throw await failureOf(client, uuid, task, signal);
    const share = Math.min(100, Math.max(0, task.progress ?? 0)) / 100;
    const stage =
      task.status.code === TASK_STATUS.queued ? "queued at the NodeODM" : "reconstruction";
    onProgress({ stage, percent: SENT + (MADE - SENT) * share });
    await delay(pollMs, undefined, { signal });
  }
}

/** Asks again while the node does not answer: it may be restarting, or the network away. */
async function patiently<T>(survey: RemoteSurvey, ask: () => Promise<T>): Promise<T> {
  const { signal, pollMs = POLL_MS, patienceMs = PATIENCE_MS } = survey;
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof DomainError && /not reachable|in time/.test(error.message);
      if (!isAway || performance.now() > untilMs) throw error;
      await delay(pollMs, undefined, { signal });
    }
  }
}

function hasFailed({ status }: TaskInfo): boolean {
  return status.code === TASK_STATUS.failed || status.code === TASK_STATUS.canceled;
}

async function failureOf(
  client: NodeOdmClient,
  uuid: string,
  task: TaskInfo,
  signal: AbortSignal,
): Promise<DomainError> {
  if (task.status.code === TASK_STATUS.canceled) {
    return new DomainError("ENGINE_FAILED", "the task was cancelled at the NodeODM");
  }
  const output = await client.output(uuid, signal).catch(() => []);
  const said = task.status.errorMessage ?? output.findLast((line) => line.trim() !== "") ?? "";
  return new DomainError("ENGINE_FAILED", `the NodeODM could not process the images: ${said}`);
}

/** Leaves nothing behind at the node; one that is away forgets by itself (its own clean-up). */
async function discard(client: NodeOdmClient, uuid: string): Promise<void> {
  await client.cancel(uuid).catch(() => undefined);
  await client.remove(uuid).catch(() => undefined);
}

/** Names at the node are unique and safe, whatever the files are called. */
function uploadName({ name }: ImageFile, index: number): string {
  const ending = /\.(jpe?g|png|tiff?)$/i.exec(name)?.[0].toLowerCase() ?? ".jpg";
  return `${String(index).padStart(4, "0")}${ending}`;
}

/**
 * ODM's own form: a system, then longitude, latitude, height, pixel and image of every mark; `undefined`: none has
 * to shape the model. A list without points would take the place of the images' positions.
 */
function controlPointList(
  points: readonly ControlPoint[],
  images: readonly ImageFile[],
): string | undefined {
  const nameOf = new Map(images.map((image, i) => [image.name, uploadName(image, i)]));
  const lines = points
    .filter(({ isCheck }) => !isCheck)
    .flatMap(({ name, lonDeg, latDeg, heightM, marks }) =>
      marks.flatMap(({ image, u, v }) => {
        const file = nameOf.get(image);
        return file === undefined
          ? []
          : [`${lonDeg} ${latDeg} ${heightM} ${u} ${v} ${file} ${name.replace(/\s+/g, "_")}`];
      }),
    );
  return lines.length === 0 ? undefined : ["EPSG:4326", ...lines, ""].join("\n");
}

async function readNote(path: string): Promise<Static<typeof Note> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const note: unknown = JSON.parse(text);
    return noteCheck.Check(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

async function writeNote(path: string, note: Static<typeof Note>): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(note));
  await rename(`${path}.part`, path);
}
