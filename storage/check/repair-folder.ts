import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDamageLog } from "../damage-log.ts";
import { migrate } from "../records/migrate.ts";
import { openPglite } from "../records/pglite/open.ts";
import { decodeSecretKey, secretCheckValue, secretKeyPath } from "../secret-key.ts";
import { openArchive } from "../telemetry/open.ts";
import { unpackBackup } from "./backup-copy.ts";
import { type CheckOptions, checkFolder, type FolderState, stagingOf } from "./check-folder.ts";
import { checkJournal } from "./check-journal.ts";
import { isEqual } from "./check-small-files.ts";
import type { Finding } from "./finding.ts";
import { repairJournal, rewindCursors } from "./repair-journal.ts";
import { repairRecords } from "./repair-records.ts";
import { repairTelemetry } from "./repair-telemetry.ts";
import { openSetAside, type SetAsideFolder } from "./set-aside.ts";

/** What a repair is given beside what the check is. */
export interface RepairOptions extends CheckOptions {
  /** An archive of `plumbline backup`. */
  readonly backupFile: string | undefined;
  /** Name InfluxDB, where there is one. */
  readonly settings: Parameters<typeof openArchive>[0];
  readonly nowMs: number;
}

/** What a repair has done. */
export interface RepairResult {
  /** The folder as it is now. */
  readonly after: FolderState;
  /** Where damaged files lie now, below the data folder. */
  readonly moved: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Repairs a locked data folder as far as its own files, a backup and InfluxDB allow. Damaged files are moved
 * to `DATA_DIR/damaged`, never deleted. An interrupted repair is begun again by the same command: a store is
 * exchanged in one step, and what was stored is stored once.
 * @throws DomainError `STORE_DAMAGED` for what cannot be rebuilt from what is at hand, `BACKUP_INVALID`.
 */
export async function repairFolder(
  options: RepairOptions,
  before: FolderState,
): Promise<RepairResult> {
  const { dataDir, signal, onStep, nowMs, backupFile } = options;
  const staging = stagingOf(dataDir);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const aside = openSetAside(dataDir, nowMs);
  const notes: string[] = [];
  const archive = openArchive(options.settings);
  const untouched: {
    -readonly [Store in "records" | "telemetry" | "journal"]?: FolderState[Store];
  } = {};
  let keptKey: string | undefined;
  try {
    if (backupFile !== undefined) onStep("unpacks the backup");
    const backup =
      backupFile === undefined
        ? undefined
        : await unpackBackup(backupFile, join(staging, "backup"));
    keptKey = await backup?.text("secret.key");
    const hasNew = await repairJournal(dataDir, before.journal, { backup, aside, onStep });
    const journal =
      before.journal.findings.length === 0
        ? before.journal
        : await checkJournal(dataDir, () => undefined);
    const isHit = (store: string) => before.findings.some((one) => one.store === store);
    // What they lack may be in the journal: every reader begins at its oldest record again.
    if (hasNew || isHit("telemetry") || isHit("records")) await rewindCursors(dataDir, journal);
    const position = { journalId: journal.id ?? "", sequence: Math.max(0, journal.oldest - 1) };
    if (hasNew || isHit("telemetry")) {
      await repairTelemetry(dataDir, before.telemetry, {
        ...options,
        backup,
        archive,
        aside,
        position,
      });
    } else untouched.telemetry = before.telemetry;
    if (before.records.findings.length > 0) {
      const tools = { backup, staging: join(staging, "records"), aside, signal, onStep };
      notes.push(...(await repairRecords(dataDir, before.records, tools)));
    } else if (hasNew && hasCluster(dataDir)) {
      await forgetCheckpoint(dataDir);
    } else untouched.records = before.records;
    untouched.journal = journal;
    await moveRemade(before, aside);
    const log = openDamageLog(dataDir);
    for (const { file } of log.list()) log.forget(file);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const after = await checkFolder(options, untouched);
  const findings = await repairSecretKey(options, after, { keptKey, aside, notes });
  return { after: { ...after, findings }, moved: aside.moved, notes };
}

const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, "records", "cluster"));

/** Files that the service makes again. */
async function moveRemade({ findings }: FolderState, aside: SetAsideFolder): Promise<void> {
  for (const { store, file } of findings) {
    if (store === "node" || store === "processing") await aside.move(file);
  }
}

/** Takes the key of the backup where the one that is here is missing or wrong; yields what is left. */
async function repairSecretKey(
  { dataDir, secretKey }: RepairOptions,
  { findings, records }: FolderState,
  tools: {
    readonly keptKey: string | undefined;
    readonly aside: SetAsideFolder;
    readonly notes: string[];
  },
): Promise<readonly Finding[]> {
  const { keptKey, aside, notes } = tools;
  const expected = records.secretCheck;
  const isHit = findings.some(({ store }) => store === "secret");
  if (!isHit || secretKey !== undefined) return findings;
  if (keptKey === undefined) {
    notes.push("secret.key: give a backup with --backup FILE; nothing else can tell it");
    return findings;
  }
  if (expected !== undefined && !isEqual(secretCheckValue(decodeSecretKey(keptKey)), expected)) {
    notes.push("secret.key: that of the backup is not the one of these records either");
    return findings;
  }
  await aside.move("secret.key");
  await writeFile(secretKeyPath(dataDir), keptKey, { mode: 0o600, flag: "wx", flush: true });
  notes.push("secret.key: from the backup");
  return findings.filter(({ store }) => store !== "secret");
}

/** Records came back that the pipeline may have passed over. */
async function forgetCheckpoint(dataDir: string): Promise<void> {
  const database = await openPglite(join(dataDir, "records"));
  try {
    await migrate(database);
    await database.query("DELETE FROM pipeline_checkpoint");
  } finally {
    await database.close();
  }
}
