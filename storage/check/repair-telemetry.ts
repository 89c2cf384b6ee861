import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { TelemetryArchive } from "../ports/telemetry-archive.ts";
import type { JournalPosition, Series, TelemetryPoint } from "../ports.ts";
import { BlockCutter } from "../telemetry/embedded/block-cutter.ts";
import { type NumberedName, openCatalog, writeCatalog } from "../telemetry/embedded/catalog.ts";
import { setPeriodAside } from "../telemetry/embedded/damaged-periods.ts";
import { completeNameLog } from "../telemetry/embedded/name-log.ts";
import { openEmbeddedTelemetryStore } from "../telemetry/embedded/open.ts";
import { PERIOD_MS } from "../telemetry/embedded/period.ts";
import {
  nextRunId,
  PeriodFiles,
  putBlock,
  putRuns,
  readRuns,
} from "../telemetry/embedded/period-file.ts";
import type { Points } from "../telemetry/points.ts";
import { settle } from "../telemetry/settle.ts";
import { keyWindows } from "../telemetry/windows.ts";
import type { BackupCopy } from "./backup-copy.ts";
import { type DamagedPeriod, readCatalogFile, type TelemetryState } from "./check-telemetry.ts";
import type { OnStep } from "./finding.ts";
import { type ReadableBlock, readPeriod } from "./read-period.ts";
import type { SetAsideFolder } from "./set-aside.ts";

/** What telemetry can be rebuilt from, and with. */
export interface TelemetryTools {
  readonly backup: BackupCopy | undefined;
  readonly archive: Pick<TelemetryArchive, "read"> | undefined;
  /** Where replay of the journal begins, so that what it still has is stored again. */
  readonly position: JournalPosition;
  readonly aside: SetAsideFolder;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  readonly nowMs: number;
}

/** Points of one asset that are taken from elsewhere at a time, ms of fix time. */
const PART_MS = 24 * 3_600_000;

/**
 * Puts what can be read of damaged files into sound ones, then what a backup and InfluxDB have of the same
 * weeks, and lets the next start replay the journal. Doing it again after an interruption is harmless: a
 * damaged file is moved away last.
 * @throws DomainError `STORE_DAMAGED` when nothing tells the names of the assets.
 */
export async function repairTelemetry(
  dataDir: string,
  state: TelemetryState,
  tools: TelemetryTools,
): Promise<void> {
  const dir = join(dataDir, "telemetry", "embedded");
  await mkdir(dir, { recursive: true });
  if (state.isGone && (await tools.backup?.has("telemetry/embedded/catalog.mdb")) === true) {
    tools.onStep("telemetry: all of it from the backup");
    await cp(join(tools.backup?.dir ?? "", "telemetry", "embedded"), dir, { recursive: true });
    const catalog = openCatalog(dir);
    writeCatalog(catalog, { position: tools.position });
    await catalog.close();
    return;
  }
  const names = await repairCatalog(dir, state, tools);
  if (state.findings.some(({ file }) => file.endsWith("names.log"))) {
    await tools.aside.move("telemetry/embedded/names.log");
  }
  completeNameLog(dir, names);
  const aside: DamagedPeriod[] = [];
  for (const period of state.damagedPeriods) {
    const { startMs, path } = period;
    const isInPlace = path !== undefined && !path.includes(".damaged-");
    aside.push(isInPlace ? { startMs, path: setPeriodAside(dir, startMs, tools.nowMs) } : period);
  }
  for (const { startMs, path } of aside) {
    tools.signal.throwIfAborted();
    if (path === undefined) continue;
    tools.onStep(`telemetry: what can be read of ${basename(path)}`);
    await salvage(dir, startMs, readPeriod(path).blocks);
  }
  await writePosition(dir, tools.position, state, aside);
  // Moved before the store opens: it refuses to answer for a period that has a file set aside.
  for (const { path } of aside) {
    if (path !== undefined) await tools.aside.move(join("telemetry", "embedded", basename(path)));
  }
  const starts = [...new Set(aside.map(({ startMs }) => startMs))];
  await fillFromElsewhere(dataDir, starts, state, tools);
}

async function repairCatalog(dir: string, state: TelemetryState, tools: TelemetryTools) {
  if (!state.isCatalogDamaged) return state.names;
  const kept = tools.backup && join(tools.backup.dir, "telemetry", "embedded");
  const ofBackup = kept === undefined ? [] : (await readCatalogFile(kept)).content.names;
  // What is here is newer.
  const byKey = new Map(
    [...ofBackup, ...state.names].map((one) => [`${one.kind} ${one.number}`, one]),
  );
  const names = withoutGaps([...byKey.values()]);
  if (names.length === 0 && state.periods.length > 0) {
    throw new DomainError(
      "STORE_DAMAGED",
      "nothing here tells whose readings are in the telemetry: give a backup with --backup FILE",
    );
  }
  tools.onStep(`telemetry: a new catalog with ${names.length} names`);
  await tools.aside.move("telemetry/embedded/catalog.mdb");
  await tools.aside.move("telemetry/embedded/catalog.mdb-lock");
  const catalog = openCatalog(dir);
  writeCatalog(catalog, { names, periods: state.periods, position: tools.position });
  await catalog.close();
  return names;
}

/** Names for numbers that nothing tells the name of: a new asset must not be given one of them. */
function withoutGaps(names: readonly NumberedName[]): readonly NumberedName[] {
  return (["asset", "project"] as const).flatMap((kind) => {
    const byNumber = new Map(
      names.filter((one) => one.kind === kind).map((one) => [one.number, one]),
    );
    return Array.from(
      { length: Math.max(-1, ...byNumber.keys()) + 1 },
      (_, number) => byNumber.get(number) ?? { kind, number, name: `lost-${kind}-${number}` },
    );
  });
}

async function writePosition(
  dir: string,
  position: JournalPosition,
  { periods }: TelemetryState,
  aside: readonly DamagedPeriod[],
): Promise<void> {
  const { content } = await readCatalogFile(dir);
  const catalog = openCatalog(dir);
  // A period of which nothing is left anywhere is listed no more.
  const gone = new Set(aside.map(({ startMs }) => startMs));
  const files = new PeriodFiles(dir, 1);
  const left = [...new Set([...(content.periods ?? []), ...periods])].filter(
    (startMs) => !gone.has(startMs) || files.openExisting(startMs) !== undefined,
  );
  await files.closeAll();
  writeCatalog(catalog, { periods: left.sort((a, b) => a - b), position });
  await catalog.close();
}

/** Writes blocks as one run more, which the directory names when all of it is there. */
async function salvage(
  dir: string,
  startMs: number,
  blocks: readonly ReadableBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  const files = new PeriodFiles(dir, 1);
  try {
    const file = files.open(startMs);
    const id = nextRunId(file);
    let written = 0;
    const cutter = new BlockCutter((block) => {
      file.transactionSync(() => putBlock(file, id, written++, block));
    });
    for (const window of keyWindows(chains(blocks).map(pointsOf))) {
      cutter.add(settle(window, "points"));
    }
    const extent = cutter.finish();
    if (extent === undefined) return;
    file.transactionSync(() => putRuns(file, [...readRuns(file), { id, level: 0, ...extent }]));
  } finally {
    await files.closeAll();
  }
}

/** Lays blocks end to end, each behind the one before it, in as few rows as that takes. */
function chains(blocks: readonly ReadableBlock[]): ReadableBlock[][] {
  const chained: ReadableBlock[][] = [];
  for (const block of blocks.toSorted((a, b) => a.firstKey - b.firstKey)) {
    const free = chained.find((chain) => (chain.at(-1)?.lastKey ?? 0) < block.firstKey);
    if (free === undefined) chained.push([block]);
    else free.push(block);
  }
  return chained;
}

function* pointsOf(chain: readonly ReadableBlock[]): Generator<Points> {
  for (const block of chain) yield block.points();
}

/** Stores what the backup and InfluxDB have of these periods. */
async function fillFromElsewhere(
  dataDir: string,
  starts: readonly number[],
  state: TelemetryState,
  tools: TelemetryTools,
): Promise<void> {
  const { backup, archive, position, signal, onStep } = tools;
  const hasBackup = backup !== undefined && (await backup.has("telemetry/embedded/catalog.mdb"));
  if (starts.length === 0 && !state.isCatalogDamaged) return;
  if (!hasBackup && archive === undefined) return;
  const own = await openEmbeddedTelemetryStore({ dir: join(dataDir, "telemetry") });
  const kept = hasBackup
    ? await openEmbeddedTelemetryStore({ dir: join(backup.dir, "telemetry") })
    : undefined;
  try {
    const assets = new Set([...own.assetIds(), ...(kept?.assetIds() ?? [])]);
    for (const startMs of starts) {
      for (const assetId of assets) {
        for (let fromMs = startMs; fromMs < startMs + PERIOD_MS; fromMs += PART_MS) {
          signal.throwIfAborted();
          const query = { assetId, fromMs, toMs: fromMs + PART_MS };
          const points = [
            ...((await kept?.export(query)) ?? []),
            ...asPoints(assetId, state, await archive?.read(query)),
          ];
          if (points.length > 0) await own.write(points, position);
        }
      }
      onStep(`telemetry: ${new Date(startMs).toISOString().slice(0, 10)} from elsewhere`);
    }
    await own.flush();
  } finally {
    await kept?.close();
    await own.close();
  }
}

/** Rows of InfluxDB as points of the least precedence: it knows neither sequence number nor hash. */
function asPoints(
  assetId: AssetId,
  { projectByAsset }: TelemetryState,
  series: Series | undefined,
): TelemetryPoint[] {
  const projectId = (projectByAsset.get(assetId) ?? "") as ProjectId;
  return [...(series?.timesMs ?? [])].map((fixTimeMs, row) => {
    // Devices choose the names: one may be that of a property of every object.
    const fields: Record<string, number> = Object.create(null);
    for (const [name, values] of series?.columns ?? []) {
      const value = values[row] ?? Number.NaN;
      if (!Number.isNaN(value)) fields[name] = value;
    }
    return { assetId, projectId, fixTimeMs, seq: -1, payloadHash: 0, fields };
  });
}
