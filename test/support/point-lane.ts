import type {
  ArchiveBatch,
  ArchiveLane,
  ArchiveReceipt,
} from "../../storage/ports/telemetry-archive.ts";
import type { PointColumns, TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/** Bytes that a field of a {@link pointLane} counts for. */
export const FIELD_BYTES = 200;

/** A batch that keeps its points as they are. Precedence is not the archive's: it has neither. */
class PointBatch implements ArchiveBatch {
  readonly list: TelemetryPoint[] = [];
  readonly #most: number;
  #fields = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get points(): number {
    return this.list.length;
  }

  get bytes(): number {
    return this.#fields * FIELD_BYTES;
  }

  get isFull(): boolean {
    return this.list.length >= this.#most;
  }

  add({ assetId, projectId, fixTimeMs, names, values, start, end }: PointColumns): void {
    this.#fields += end - start;
    const fields: Record<string, number> = {};
    for (let i = start; i < end; i += 1) fields[names[i] ?? ""] = values[i] ?? Number.NaN;
    this.list.push({ assetId, projectId, fixTimeMs, seq: -1, payloadHash: 0, fields });
  }

  clear(): void {
    this.list.length = 0;
    this.#fields = 0;
  }
}

/** A lane of an archive in memory: `send` gets the points of a batch of `most` at most. */
export function pointLane(
  send: (points: readonly TelemetryPoint[]) => Promise<ArchiveReceipt>,
  { most = 5_000 }: { readonly most?: number } = {},
): ArchiveLane {
  return {
    openBatch: () => new PointBatch(most),
    send: async (batch) => {
      if (batch instanceof PointBatch) return send([...batch.list]);
      throw new TypeError("a batch of another archive");
    },
    close: () => undefined,
  };
}
