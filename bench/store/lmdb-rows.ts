import { join } from "node:path";
import { open } from "lmdb";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/**
 * The baseline: one B-tree row per point under (asset, fix time), as one would write it first. One
 * durable transaction per call.
 */
export class LmdbRows {
  private readonly db;
  private readonly numbers = new Map<string, number>();

  constructor(dir: string) {
    this.db = open<Uint8Array, Uint8Array>({
      path: join(dir, "rows.mdb"),
      noSubdir: true,
      encoding: "binary",
      keyEncoding: "binary",
      overlappingSync: false,
      mapSize: 64 * 2 ** 30,
    });
  }

  write(points: readonly TelemetryPoint[]): void {
    this.db.transactionSync(() => {
      for (const { assetId, fixTimeMs, seq, payloadHash, fields } of points) {
        const values = Object.values(fields);
        const row = Buffer.allocUnsafe(12 + values.length * 8);
        row.writeDoubleLE(seq, 0);
        row.writeUInt32LE(payloadHash, 8);
        for (const [i, value] of values.entries()) row.writeDoubleLE(value, 12 + i * 8);
        this.db.putSync(this.key(assetId, fixTimeMs), row);
      }
    });
  }

  /** The rows of an asset as columns, in the order of the fields. */
  read(assetId: string): Float64Array[] {
    const asset = this.numbers.get(assetId) ?? 0;
    const range = { start: key(asset, 0), end: key(asset + 1, 0) };
    const rows = [...this.db.getRange(range)].map(({ value }) => Buffer.from(value));
    const width = ((rows[0]?.length ?? 12) - 12) / 8;
    return Array.from({ length: width }, (_, i) =>
      Float64Array.from(rows, (row) => row.readDoubleLE(12 + i * 8)),
    );
  }

  close(): Promise<void> {
    return this.db.close();
  }

  private key(assetId: string, timeMs: number): Uint8Array {
    let asset = this.numbers.get(assetId);
    if (asset === undefined) {
      asset = this.numbers.size;
      this.numbers.set(assetId, asset);
    }
    return key(asset, timeMs);
  }
}

function key(asset: number, timeMs: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(10);
  bytes.writeUInt32BE(asset, 0);
  bytes.writeUIntBE(timeMs, 4, 6);
  return bytes;
}
