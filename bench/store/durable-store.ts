import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../../domain/time.ts";
import { RECORD_KIND } from "../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../ingest/journal-record/readings.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { openEmbeddedTelemetryStore } from "../../storage/telemetry/embedded/open.ts";
import { Fleet } from "./fleet.ts";

export const COMMIT_POINTS = 1_000;
const nowMs = Date.now();

/**
 * What `total` points cost until they are in the journal, on disk, and in the store. Two commits gather at a time, as
 * in service: one is on its way to the disk while the next is made.
 */
export async function durableStore(dir: string, total: number) {
  const journal = await openJournal({ dir: join(dir, "journal"), minFreeBytes: 0 });
  const store = await openEmbeddedTelemetryStore({ dir: join(dir, "telemetry") });
  const fleet = new Fleet(1_000, nowMs - 72 * HOUR_MS, 10_000);
  let makingMs = 0;
  let encodingMs = 0;
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  let last = Promise.resolve();
  for (let done = 0; done < total; done += COMMIT_POINTS) {
    const makeMs = performance.now();
    const points = fleet.next(COMMIT_POINTS);
    const encodeMs = performance.now();
    const bodies = points.map(encode);
    makingMs += encodeMs - makeMs;
    encodingMs += performance.now() - encodeMs;
    const synced = appendAll(journal, bodies);
    await last;
    last = synced.then((sequence) => store.write(points, { journalId: journal.id, sequence }));
  }
  await last;
  await store.flush();
  const elapsedMs = performance.now() - startMs - makingMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  await journal.close();
  await store.close();
  const bytes = await usedBytes(join(dir, "telemetry", "embedded"));
  return {
    rate: (total / (elapsedMs - encodingMs)) * 1_000,
    rateWithEncoding: (total / elapsedMs) * 1_000,
    cpuUs: (user + system) / total,
    bytesPerPoint: bytes / total,
  };
}

/** The journal body of one point, as a device that sends single readings makes it. */
function encode({ assetId, projectId, ...rest }: TelemetryPoint): Uint8Array {
  const reading = { ...rest, timeSource: "device", rawTimeMs: undefined, faults: [] } as const;
  return encodeReadings(
    { assetId, projectId, receivedAtMs: nowMs, readings: [reading] },
    { clientHash: 1, packetId: 1, payloadHash: rest.payloadHash },
  );
}

/** One record per point; resolves with the last sequence when all are synced. */
function appendAll(journal: Journal, bodies: readonly Uint8Array[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let sequence = 0;
    for (const [i, body] of bodies.entries()) {
      const isLast = i === bodies.length - 1;
      sequence = journal.append(RECORD_KIND.readings, nowMs, body, (error) => {
        if (error !== undefined) reject(error);
        else if (isLast) resolve(sequence);
      });
    }
  });
}

async function usedBytes(dir: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).blocks * 512),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
