import { createWriteStream } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { openStageStore } from "../../../processing/engine/run/stage-store.ts";
import { createApiClient } from "../../support/api-client.ts";
import { freshDataDir } from "../../support/databases.ts";
import { openDevice } from "../../support/mqtt-device.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { createSite, settled } from "../../support/site.ts";
import { IDS, type RunningStores, type StoredTruth, startStores } from "./stores.ts";

const ADMIN_KEY = "damage-test-admin-key-of-forty-two-letters";
const DAY_MS = 24 * 3_600_000;
/** Readings of each asset: half of them a week ago, in a file of their own. */
const READINGS = 300;

/** How many of them the backup has. */
export const KEPT_READINGS = READINGS - 50;

/** A data folder that everything was acknowledged in, and an archive of it; both are copied, not used. */
export interface DamageScene {
  readonly root: string;
  /** As a clean stop leaves it. */
  readonly dataDir: string;
  /** As `kill -9` leaves it, with the same in it. */
  readonly killedDir: string;
  readonly backupFile: string;
  /** What the sound folder answers. */
  readonly truth: StoredTruth;
  cleanUp(): Promise<void>;
}

const baseMs = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const timeOf = (number: number) =>
  number < READINGS / 2 ? baseMs - 8 * DAY_MS + number * 1_000 : baseMs + number * 1_000;

/** One life of the real program: a site with a fence that trucks cross, a backup, and readings after it. */
export async function prepareScene(): Promise<DamageScene> {
  const root = await mkdtemp(join(tmpdir(), "plumbline-damaged-"));
  const dataDir = join(root, "sound");
  const killedDir = join(root, "killed");
  await rename(await freshDataDir(), killedDir);
  const backupFile = join(root, "backup.tar");
  const service = await startServiceProcess({
    dataDir: killedDir,
    adminKey: ADMIN_KEY,
    startMs: 250_000,
  });
  try {
    const api = createApiClient(service.http, ADMIN_KEY);
    const access = await createSite(api, "site-1", IDS);
    await api.post("/keys", { name: "reader", scopes: ["equipment:read"], plan: "standard" });
    await api.post("/equipment/geofences", {
      id: "yard",
      name: "Yard",
      project_id: "site-1",
      polygon: [
        [52.4, 13.3],
        [52.4, 13.5],
        [52.5, 13.5],
        [52.5, 13.3],
      ],
    });
    async function publish(from: number, to: number): Promise<void> {
      for (const id of IDS) {
        const own = access.get(id);
        if (own === undefined) throw new Error(`no asset ${id}`);
        const device = await openDevice({ access: own, port: service.mqttPort });
        const numbers = Array.from({ length: to - from }, (_, i) => from + i);
        await Promise.all(numbers.map((number) => device.publish({ payload: reading(number) })));
        if (from > 0) await device.publish({ payload: `{broken ${id}` });
        await device.disconnect();
      }
      await settled(api);
    }
    await publish(0, KEPT_READINGS);
    const archive = await fetch(`${service.http}/api/v1/backup`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    await pipeline(
      Readable.fromWeb(archive.body as ReadableStream<Uint8Array>),
      createWriteStream(backupFile),
    );
    await publish(KEPT_READINGS, READINGS);
  } finally {
    await service.end("SIGKILL");
  }
  const stages = await openStageStore(join(killedDir, "processing", "stages"));
  await stages.once({ name: "features", version: 1 }, ["image"], async () => ({ found: 7 }));
  await cp(killedDir, dataDir, { recursive: true });
  const sound = await startStores(dataDir);
  const truth = await settledTruth(sound);
  await sound.close();
  return {
    root,
    dataDir,
    killedDir,
    backupFile,
    truth,
    cleanUp: () => rm(root, { recursive: true, force: true }),
  };
}

/** Between two reads of the answers, ms: several times what the pipeline needs for a batch. */
const POLL_MS = 3_000;
/** Equal reads after which the readers have processed what the kill left in the journal. */
const EQUAL_READS = 3;

/** What is answered when nothing is added any more: the start after a kill goes on from the journal. */
async function settledTruth(stores: RunningStores): Promise<StoredTruth> {
  let truth = await stores.truth();
  for (let equal = 0; equal < EQUAL_READS; ) {
    await delay(POLL_MS);
    const next = await stores.truth();
    equal = isDeepStrictEqual(next, truth) ? equal + 1 : 0;
    truth = next;
  }
  return truth;
}

function reading(number: number): string {
  return JSON.stringify({
    timestamp: timeOf(number),
    number,
    // In and out of the fence every 50 readings.
    latitude: Math.floor(number / 50) % 2 === 0 ? 52.45 : 52.55,
    longitude: 13.4,
    speed_kmh: 20 + Math.sin(number),
  });
}
