import { setTimeout as delay } from "node:timers/promises";
import { NewestTimes } from "../../ingest/archive/newest-times.ts";
import { RowSettler } from "../../ingest/archive/row-settler.ts";
import {
  type ArchiveLane,
  type ArchiveReceipt,
  ArchiveUnavailable,
  sendPoints,
  type TelemetryArchive,
} from "../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint, TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { PATIENT_MS } from "./patience.ts";
import { pointsOfRun } from "./points-of-run.ts";

/**
 * An archive and the local store that settles its rows, as one store. Every point goes to both as the
 * service brings it there, and everything is read from the archive alone.
 */
export function createArchiveStore(
  local: TelemetryStore,
  archive: TelemetryArchive,
  floorMs: number,
  deleteBefore: (beforeMs: number) => Promise<void>,
): TelemetryStore {
  const lane: ArchiveLane = archive.openLane();
  const settler = new RowSettler(local);
  const newest = new NewestTimes(floorMs);
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async writeRun(points, position) {
      await this.write(pointsOfRun(points), position);
    },
    async write(points, position) {
      await local.write(points, position);
      const sent = writing.then(async () => {
        const isNewest = points.map(({ assetId, fixTimeMs }) =>
          newest.isNewest(assetId, fixTimeMs),
        );
        const rows = await settler.settle(points.filter((_, i) => !isNewest[i]));
        const receipt = await sendPatiently(lane, [
          ...points.filter((_, i) => isNewest[i]),
          ...rows,
        ]);
        if (receipt.refused.length > 0) throw new Error(receipt.refused[0]?.reason);
      });
      writing = sent.catch(() => undefined);
      await sent;
    },
    get durablePosition() {
      return local.durablePosition;
    },
    onDurable: (listener) => local.onDurable(listener),
    read: (query) => archive.read(query),
    flush: () => local.flush(),
    async expire(beforeMs) {
      await local.expire(beforeMs);
      await deleteBefore(beforeMs);
    },
    async close() {
      lane.close();
      await local.close();
    },
  };
}

/** Sends again what may pass by itself, as the service does: a busy InfluxDB gives a write up after 10 s. */
async function sendPatiently(
  lane: ArchiveLane,
  points: readonly TelemetryPoint[],
): Promise<ArchiveReceipt> {
  const untilMs = performance.now() + PATIENT_MS;
  for (;;) {
    try {
      return await sendPoints(lane, points);
    } catch (error) {
      const isPassing = error instanceof ArchiveUnavailable && error.failure.kind === "retry";
      if (!isPassing || performance.now() > untilMs) throw error;
      await delay(25);
    }
  }
}
