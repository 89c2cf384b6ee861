import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { decodeSecretKey, secretCheckValue, secretKeyPath } from "../data-folder/secret-key.ts";
import { writeFileAtomically } from "../data-folder/small-file.ts";
import { migrate } from "../records/migrate.ts";
import { openPglite } from "../records/pglite/open.ts";
import { openArchive } from "../telemetry/open.ts";
import { unpackBackup } from "./backup-copy.ts";
import { repairFiles } from "./check-files.ts";
import { type CheckOptions, checkFolder, type FolderState, stagingOf } from "./check-folder.ts";
import { isEqual } from "./check-small-files.ts";
import { type Damage, openDamageLog } from "./damage-log.ts";
import type { Finding } from "./finding.ts";
import { holesBefore } from "./lost-records.ts";
import { planJournal, repairJournal, rewindCursors } from "./repair-journal.ts";
import { repairRecords } from "./repair-records.ts";
import { repairTelemetry, type TelemetryTools } from "./repair-telemetry.ts";
import { openSetAside, type SetAsideFolder } from "./set-aside.ts";

/** The options of a repair beside those of a check. */
export interface RepairOptions extends CheckOptions {
  /** An archive of `plumbline backup`. */
  readonly backupFile: string | undefined;
  /** Name InfluxDB, where there is one. */
  readonly settings: Parameters<typeof openArchive>[0];
  readonly startThread?: TelemetryTools["startThread"];
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
 * exchanged in one step, and what was stored is stored once. What cannot be rebuilt from these sources stays
 * a finding, with a note.
 * @throws DomainError `BACKUP_INVALID`, `STORE_UNAVAILABLE` when InfluxDB is away, `SCHEMA_TOO_NEW`.
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
    -readonly [Store in "records" | "telemetry"]?: FolderState[Store];
  } = {};
  let keptKey: string | undefined;
  try {
    if (backupFile !== undefined) onStep("unpacks the backup");
    const backup =
      backupFile === undefined
        ? undefined
        : await unpackBackup(backupFile, join(staging, "backup"));
    keptKey = await backup?.text("secret.key");
    const isHit = (store: string) => before.findings.some((one) => one.store === store);
    const plan = await planJournal(dataDir, before.journal, backup);
    // What the stores lack may be in the journal: every reader begins at its oldest record again.
    const replays = plan.bringsRecords || isHit("telemetry") || isHit("records");
    noteAll(dataDir, before);
    if (replays || isHit("journal")) await rewindCursors(dataDir, before.journal, plan, aside);
    const position = {
      journalId: before.journal.id ?? "",
      sequence: Math.max(0, plan.oldest - 1),
    };
    if (plan.bringsRecords || isHit("telemetry")) {
      const tools = { ...options, backup, archive, aside, position };
      await asFarAsPossible(notes, () => repairTelemetry(dataDir, before.telemetry, tools));
    } else untouched.telemetry = before.telemetry;
    signal.throwIfAborted();
    if (before.records.findings.length > 0) {
      const tools = { backup, staging: join(staging, "records"), aside, signal, onStep, notes };
      await asFarAsPossible(notes, () => repairRecords(dataDir, before.records, tools));
    } else if (plan.bringsRecords && hasCluster(dataDir)) {
      await forgetCheckpoint(dataDir);
    } else untouched.records = before.records;
    signal.throwIfAborted();
    // Last: until then a check finds the damage that made the others replay the journal.
    await repairJournal(dataDir, before.journal, plan, { backup, aside, onStep });
    await moveRemade(before, aside);
    const counted = before.records.files;
    await repairFiles(dataDir, { findings: before.findings, counted }, { backup, aside, notes });
    forgetNoted(dataDir, ({ lost }) => lost === undefined);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const after = await checkFolder(options, untouched);
  // What nothing could bring back stays noted, for a repair with a backup that has it.
  forgetNoted(dataDir, ({ lost = [] }) => holesBefore(lost, after.journal).length === 0);
  const findings = await repairSecretKey(options, after, { keptKey, aside, notes });
  return { after: { ...after, findings }, moved: aside.moved, notes };
}

/**
 * Notes what is about to be repaired: a step may remove the last sign of a damage before the next one has
 * dealt with it, and the repair may be interrupted between them.
 */
function noteAll(dataDir: string, { findings }: FolderState): void {
  const log = openDamageLog(dataDir);
  for (const { store, file, problem } of findings) {
    if (store !== "journal" && store !== "records" && store !== "telemetry") continue;
    log.note({ store, file, problem, refusesAnswers: store !== "journal" });
  }
}

function forgetNoted(dataDir: string, isOver: (damage: Damage) => boolean): void {
  const log = openDamageLog(dataDir);
  for (const damage of log.list()) if (isOver(damage)) log.forget(damage.file);
}

/** What cannot be rebuilt is noted and stays damaged; the other stores are repaired all the same. */
async function asFarAsPossible(notes: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "STORE_DAMAGED")) throw error;
    notes.push(error.message);
  }
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
    notes.push("secret.key: give a backup with --backup FILE; it cannot be recovered otherwise");
    return findings;
  }
  if (expected !== undefined && !isEqual(secretCheckValue(decodeSecretKey(keptKey)), expected)) {
    notes.push("secret.key: that of the backup is not the one of these records either");
    return findings;
  }
  await aside.keep("secret.key");
  await writeFileAtomically(secretKeyPath(dataDir), keptKey);
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
