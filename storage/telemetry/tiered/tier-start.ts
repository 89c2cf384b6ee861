import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../domain/time.ts";

interface TierStart {
  readonly keepAllUntilMs: number;
}

/**
 * Until when the local store keeps everything, ms. A store that had telemetry before there was an
 * archive keeps all of it until its retention has passed, because the archive has none of it; noted
 * in the data folder at the first start with an archive.
 */
export async function readTierStart(
  dataDir: string,
  options: {
    readonly hasTelemetry: boolean;
    readonly retentionDays: number;
    readonly nowMs: number;
  },
): Promise<number> {
  const path = tierFile(dataDir);
  const known = parse(await readFile(path, "utf8").catch(() => ""));
  if (known !== undefined) return known.keepAllUntilMs;
  const { hasTelemetry, retentionDays, nowMs } = options;
  const start: TierStart = { keepAllUntilMs: hasTelemetry ? nowMs + retentionDays * DAY_MS : 0 };
  await writeFile(path, `${JSON.stringify(start)}\n`, { mode: 0o600 });
  return start.keepAllUntilMs;
}

/** Notes that the archive has everything, whatever the store holds. */
export async function noteWholeArchive(dataDir: string): Promise<void> {
  const start: TierStart = { keepAllUntilMs: 0 };
  await writeFile(tierFile(dataDir), `${JSON.stringify(start)}\n`, { mode: 0o600 });
}

/** Whether the archive may lack what the local store of that folder has. */
export async function isArchivePartial(dataDir: string, nowMs: number): Promise<boolean> {
  const known = parse(await readFile(tierFile(dataDir), "utf8").catch(() => ""));
  return known !== undefined && nowMs < known.keepAllUntilMs;
}

/** Notes that there is no archive: one that comes later begins anew. */
export async function forgetTierStart(dataDir: string): Promise<void> {
  await rm(tierFile(dataDir), { force: true });
}

const tierFile = (dataDir: string): string => join(dataDir, "telemetry-tier.json");

function parse(text: string): TierStart | undefined {
  try {
    const found = JSON.parse(text) as Partial<TierStart>;
    return typeof found.keepAllUntilMs === "number"
      ? { keepAllUntilMs: found.keepAllUntilMs }
      : undefined;
  } catch {
    return undefined;
  }
}
