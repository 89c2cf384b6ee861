import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import {
  type ArchiveLane,
  ArchiveUnavailable,
  sendPoints,
  type TelemetryArchive,
} from "../ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../ports/telemetry-store.ts";
import type { EmbeddedTelemetryStore } from "../telemetry/embedded/store.ts";

/**
 * What is read and sent at once: a day at 1 Hz is 86,400 points, some 30 MB. Longer parts take more memory
 * and repeat more after a stop; shorter ones are more reads.
 */
export const PART_MS = DAY_MS;
/** Points of one request. */
const BATCH_POINTS = 5_000;
/** Requests under way at once; more wrote no faster at InfluxDB 1.6.7 (docs/decisions/012). */
const LANES = 2;
/**
 * Pauses before a batch is sent again, ms; then the migration stops, to be resumed. They outlast a restart
 * of the server; longer ones hide that it is gone.
 */
const RETRY_PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** Sends points to an archive over several lanes. */
export interface PointSender {
  /**
   * Resolves when the server has all of them.
   * @throws DomainError `STORE_UNAVAILABLE` when it does not answer for half a minute or forbids it;
   * `MIGRATION_FAILED` when it refuses a point.
   */
  send(points: readonly TelemetryPoint[], signal: AbortSignal): Promise<void>;
  close(): void;
}

export function openPointSender(
  archive: TelemetryArchive,
  pausesMs: readonly number[] = RETRY_PAUSES_MS,
): PointSender {
  const lanes = Array.from({ length: LANES }, () => archive.openLane());

  async function sendBatch(
    lane: ArchiveLane,
    batch: readonly TelemetryPoint[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        const { refused, expired } = await sendPoints(lane, batch);
        const [first] = refused;
        if (first !== undefined) {
          throw failed(`${archive.name} refuses a point: ${first.reason} (${first.line})`);
        }
        if (expired > 0) {
          throw failed(`${archive.name} keeps no points that old: is RETENTION_DAYS the same?`);
        }
        return;
      } catch (error) {
        if (!(error instanceof ArchiveUnavailable)) throw error;
        const pauseMs = error.failure.kind === "retry" ? pausesMs[attempt] : undefined;
        if (pauseMs === undefined) {
          throw new DomainError("STORE_UNAVAILABLE", `${archive.name}: ${error.failure.reason}`);
        }
        await delay(error.failure.retryAfterMs ?? pauseMs, undefined, { signal });
      }
    }
  }

  return {
    async send(points, signal) {
      let next = 0;
      async function work(lane: ArchiveLane): Promise<void> {
        while (next < points.length) {
          const batch = points.slice(next, next + BATCH_POINTS);
          next += BATCH_POINTS;
          await sendBatch(lane, batch, signal);
        }
      }
      // All have settled before a failure is thrown, so that nothing goes on after it.
      const outcomes = await Promise.allSettled(lanes.map(work));
      const failure = outcomes.find((outcome) => outcome.status === "rejected");
      if (failure !== undefined) throw failure.reason;
    },
    close() {
      for (const lane of lanes) lane.close();
    },
  };
}

/** Copies one asset's time line in parts; calls `onPart` with the end of each when it is stored. */
export async function copyAsset(
  source: EmbeddedTelemetryStore,
  sender: PointSender,
  range: { readonly assetId: AssetId; readonly fromMs: number; readonly toMs: number },
  signal: AbortSignal,
  onPart: (points: number, endMs: number) => Promise<void>,
): Promise<void> {
  const { assetId, toMs } = range;
  for (let fromMs = range.fromMs; fromMs < toMs; ) {
    signal.throwIfAborted();
    const endMs = Math.min(fromMs + PART_MS, toMs);
    const points = await source.export({ assetId, fromMs, toMs: endMs });
    await sender.send(points, signal);
    await onPart(points.length, endMs);
    fromMs = endMs;
  }
}

const failed = (message: string): DomainError => new DomainError("MIGRATION_FAILED", message);
