import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import type { JournalPosition } from "../ports/journal.ts";
import type { TelemetryArchive } from "../ports/telemetry-archive.ts";
import type { Series, TelemetryPoint } from "../ports/telemetry-store.ts";
import { BlockCutter } from "../telemetry/embedded/blocks/block-cutter.ts";
import { PERIOD_MS } from "../telemetry/embedded/blocks/period.ts";
import {
  catalogPath,
  type NumberedName,
  openCatalog,
  writeCatalog,
} from "../telemetry/embedded/lmdb/catalog.ts";
import { markIncomplete, setPeriodAside } from "../telemetry/embedded/lmdb/damaged-periods.ts";
import { completeNameLog } from "../telemetry/embedded/lmdb/name-log.ts";
import {
  listPeriods,
  nextRunId,
  PeriodFiles,
  putBlock,
  putRuns,
  readRuns,
} from "../telemetry/embedded/lmdb/period-file.ts";
import { openEmbeddedTelemetryStore } from "../telemetry/embedded/open.ts";
import type { SealThread, SealThreadStart } from "../telemetry/embedded/sealing/seal-thread.ts";
import type { EmbeddedTelemetryStore } from "../telemetry/embedded/store.ts";
import type { Points } from "../telemetry/points/points.ts";
import { settle } from "../telemetry/points/settle.ts";
import { keyWindows } from "../telemetry/points/windows.ts";
import type { BackupCopy } from "./backup-copy.ts";
import { stagingOf } from "./check-folder.ts";
import { readCatalogFile, type TelemetryState } from "./check-telemetry.ts";
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
  /** Another way to run the writer of the stores, for tests. */
  readonly startThread?: ((start: SealThreadStart) => SealThread) | undefined;
}

/** Points of one asset that are taken from elsewhere at a time, ms of fix time. */
const PART_MS = DAY_MS;

/**
 * Puts what can be read of damaged files into sound ones, then what a backup and InfluxDB have of the same
 * weeks, and lets the next start replay the journal. A damaged file leaves the folder of the store last:
 * until then a check finds it, and an interrupted repair begins again.
 * @throws DomainError `STORE_DAMAGED` when the names of the assets are lost, `STORE_UNAVAILABLE` when
 *   InfluxDB is away.
 */
export async function repairTelemetry(
  dataDir: string,
  state: TelemetryState,
  tools: TelemetryTools,
): Promise<void> {
  const dir = join(dataDir, "telemetry", "embedded");
  if (state.isGone && (await takeWhole(dir, tools))) return;
  await mkdir(dir, { recursive: true });
  const names = await repairCatalog(dataDir, state, tools);
  if (state.findings.some(({ file }) => file.endsWith("names.log"))) {
    await tools.aside.move("telemetry/embedded/names.log");
  }
  completeNameLog(dir, names);
  const aside = setPeriodsAside(dir, state, tools.nowMs);
  for (const { startMs, path } of aside) {
    tools.signal.throwIfAborted();
    tools.onStep(`telemetry: what can be read of ${basename(path)}`);
    await salvage(dir, startMs, readPeriod(path).blocks);
  }
  const starts = [...new Set(aside.map(({ startMs }) => startMs))];
  await fillFromElsewhere(dataDir, starts, state, tools);
  await writePosition(dir, tools.position, state, starts);
  for (const { path } of aside) {
    // An empty file only says that rows are missing.
    if ((await stat(path)).size === 0) await rm(path);
    else await tools.aside.move(join("telemetry", "embedded", basename(path)));
  }
}

/** Takes all of the telemetry from the backup, in one step; false: there is none. */
async function takeWhole(
  dir: string,
  { backup, onStep, position, aside }: TelemetryTools,
): Promise<boolean> {
  if (backup === undefined || !(await backup.has("telemetry/embedded/catalog.mdb"))) return false;
  onStep("telemetry: all of it from the backup");
  const kept = join(backup.dir, "telemetry", "embedded");
  const catalog = openCatalog(kept);
  writeCatalog(catalog, { position });
  await catalog.close();
  await mkdir(dirname(dir), { recursive: true });
  // It may be there, with nothing in it that was acknowledged.
  await aside.move(join("telemetry", "embedded"));
  await rename(kept, dir);
  await syncFolder(dirname(dir));
  return true;
}

/** Gives damaged period files another name and marks the missing ones, so that nothing reads past them. */
function setPeriodsAside(dir: string, { damagedPeriods }: TelemetryState, nowMs: number) {
  return damagedPeriods.map(({ startMs, path }) => {
    if (path === undefined) return { startMs, path: markIncomplete(dir, startMs, nowMs) };
    const isInPlace = !path.includes(".damaged-");
    return { startMs, path: isInPlace ? setPeriodAside(dir, startMs, nowMs) : path };
  });
}

async function repairCatalog(dataDir: string, state: TelemetryState, tools: TelemetryTools) {
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
      "nothing here shows whose readings are in the telemetry: give a backup with --backup FILE",
    );
  }
  tools.onStep(`telemetry: a new catalog with ${names.length} names`);
  const made = join(stagingOf(dataDir), "catalog");
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  const catalog = openCatalog(made);
  // A week without file stays listed until it is filled.
  const starts = new Set([...state.periods, ...state.damagedPeriods.map(({ startMs }) => startMs)]);
  const periods = [...starts].sort((a, b) => a - b);
  writeCatalog(catalog, { names, periods, position: tools.position });
  await catalog.close();
  await tools.aside.keep("telemetry/embedded/catalog.mdb");
  const dir = join(dataDir, "telemetry", "embedded");
  await rename(catalogPath(made), catalogPath(dir));
  await syncFolder(dir);
  return names;
}

/** Names for numbers whose name is lost: a new asset must not be given one of them. */
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

/** Lists the periods that have a file now, and makes replay begin at `position`. */
async function writePosition(
  dir: string,
  position: JournalPosition,
  { periods }: TelemetryState,
  repaired: readonly number[],
): Promise<void> {
  const { content } = await readCatalogFile(dir);
  const present = new Set(await listPeriods(dir));
  const left = [...new Set([...(content.periods ?? []), ...periods, ...repaired])].filter(
    // A period of which nothing is left anywhere is listed no more.
    (startMs) => !repaired.includes(startMs) || present.has(startMs),
  );
  const catalog = openCatalog(dir);
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
  const own = await openEmbeddedTelemetryStore(
    { dir: join(dataDir, "telemetry") },
    tools.startThread,
  );
  let kept: EmbeddedTelemetryStore | undefined;
  try {
    if (hasBackup) {
      const dir = join(backup.dir, "telemetry");
      kept = await openEmbeddedTelemetryStore({ dir }, tools.startThread);
    }
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
