import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Lease } from "./ports/platform/leases.ts";

interface Tenure {
  /** Epoch under which this node took the lease last. */
  readonly epoch: number;
  /** Since then nobody else had it, ms since the Unix epoch by this machine's clock. */
  readonly sinceMs: number;
}

/**
 * Since when nobody but this node has held each of its leases. A node that takes a lease again under the
 * next epoch was the last to hold it; any other epoch means that somebody else was, or may have been.
 * Noted in `DATA_DIR/tenures.json`, beside the telemetry that it speaks of: a folder that is new, or a
 * note that was not written before a crash, begins anew.
 */
export interface Tenures {
  /** Notes leases that were taken at `atMs` or before; those noted already are left as they are. */
  taken(leases: readonly Lease[], atMs: number): Promise<void>;
  /** `undefined`: the lease was never noted under this epoch. */
  sinceMs(lease: Lease): number | undefined;
}

/** Loads what this node noted before. A file that cannot be read is nothing noted. */
export async function openTenures(dataDir: string): Promise<Tenures> {
  const path = join(dataDir, "tenures.json");
  const tenures = parse(await readFile(path, "utf8").catch(() => ""));

  return {
    async taken(leases, atMs) {
      let isNew = false;
      for (const { name, epoch } of leases) {
        const known = tenures.get(name);
        if (known?.epoch === epoch) continue;
        const sinceMs = known?.epoch === epoch - 1 ? known.sinceMs : atMs;
        tenures.set(name, { epoch, sinceMs });
        isNew = true;
      }
      if (!isNew) return;
      const text = JSON.stringify(Object.fromEntries(tenures));
      // Not written, on a full disk: the next start begins anew, which is true as well.
      await writeFile(`${path}.new`, text, { mode: 0o600 })
        .then(() => rename(`${path}.new`, path))
        .catch(() => undefined);
    },
    sinceMs({ name, epoch }) {
      const known = tenures.get(name);
      return known?.epoch === epoch ? known.sinceMs : undefined;
    },
  };
}

function parse(text: string): Map<string, Tenure> {
  try {
    const found = Object.entries(JSON.parse(text) as Record<string, Partial<Tenure> | null>);
    return new Map(
      found.flatMap(([name, one]) =>
        typeof one?.epoch === "number" && typeof one.sinceMs === "number"
          ? [[name, { epoch: one.epoch, sinceMs: one.sinceMs }]]
          : [],
      ),
    );
  } catch {
    return new Map();
  }
}
