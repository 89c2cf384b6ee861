import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { refuseUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { type FolderLock, lockFolder } from "../data-folder/folder-lock.ts";
import type { JournalPosition } from "../ports/journal.ts";
import { checkFiles } from "./check-files.ts";
import { checkJournal, type JournalState } from "./check-journal.ts";
import { checkRecords, type RecordsState, UNREAD_RECORDS } from "./check-records.ts";
import { checkNodeFiles, checkSecretKey, checkStages } from "./check-small-files.ts";
import { checkTelemetry, type TelemetryState } from "./check-telemetry.ts";
import { type Damage, openDamageLog } from "./damage-log.ts";
import type { Finding, OnStep } from "./finding.ts";
import { holesBefore } from "./lost-records.ts";

/** The options of a check. */
export interface CheckOptions {
  readonly dataDir: string;
  /** `SECRET_KEY`, where it is set. */
  readonly secretKey: string | undefined;
  /** Whether the records are in PostgreSQL, and not in the folder. */
  readonly usesPostgres: boolean;
  /** Whether files are in a bucket, and not in the folder. Default: no. */
  readonly usesBucket?: boolean;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
}

/** What a folder holds, store by store. */
export interface FolderState {
  readonly findings: readonly Finding[];
  readonly journal: JournalState;
  readonly telemetry: TelemetryState;
  readonly records: RecordsState;
}

/** Copies that a check or a repair works on; removed at its end and at the beginning of the next. */
export const stagingOf = (dataDir: string): string => join(dataDir, "check-staging");

/**
 * Takes a data folder for a check: no service may run on it, and none starts meanwhile.
 * @throws DomainError `STORE_LOCKED` naming the process that has it, `SETTINGS_INVALID` for no data folder.
 */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  const isOne = ["journal", "records", "telemetry", "secret.key"].some((name) =>
    existsSync(join(dataDir, name)),
  );
  if (!isOne) {
    const problem = existsSync(dataDir) ? "is not a data folder of Plumbline" : "does not exist";
    throw new DomainError("SETTINGS_INVALID", `${dataDir} ${problem}`);
  }
  await refuseUnfinishedRestore(dataDir);
  // The service takes the journal first: with it locked, none can start half-way.
  const lock = await lockFolder(join(dataDir, "journal"));
  try {
    for (const store of ["records", "telemetry"]) {
      if (!existsSync(join(dataDir, store))) continue;
      const other = await lockFolder(join(dataDir, store));
      await other.release();
    }
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Checks every file of a locked data folder and changes nothing but its folder of copies. Stores in `known`
 * keep their earlier findings.
 */
export async function checkFolder(
  options: CheckOptions,
  known: Partial<Pick<FolderState, "journal" | "telemetry" | "records">> = {},
): Promise<FolderState> {
  const { dataDir, secretKey, usesPostgres, signal, onStep } = options;
  const staging = stagingOf(dataDir);
  await rm(staging, { recursive: true, force: true });
  try {
    const telemetry = known.telemetry ?? (await checkTelemetry(dataDir, onStep));
    signal.throwIfAborted();
    const records = usesPostgres
      ? { findings: [], ...UNREAD_RECORDS }
      : (known.records ?? (await checkRecords(dataDir, staging, onStep)));
    signal.throwIfAborted();
    const stored = storedPosition(telemetry, records);
    const noted = openDamageLog(dataDir).list();
    const journal = known.journal ?? withNoted(await checkJournal(dataDir, onStep, stored), noted);
    signal.throwIfAborted();
    const hasCluster = !usesPostgres && existsSync(join(dataDir, "records", "cluster"));
    const hasRecords = hasCluster && !isKeyless(records);
    onStep("small files and finished stages");
    const findings = [
      ...journal.findings,
      ...lostTelemetry(journal, telemetry),
      ...telemetry.findings,
      ...records.findings,
      ...(await checkSecretKey(dataDir, { secretKey, expected: records.secretCheck, hasRecords })),
      ...(await checkNodeFiles(dataDir)),
      ...(await checkStages(dataDir)),
      ...(options.usesBucket === true ? [] : await checkFiles(dataDir, records.files)),
    ];
    return {
      findings: [...findings, ...onlyNoted(noted, findings, journal)],
      journal,
      telemetry,
      records,
    };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Tables whose rows a secret key was used for (roles/process/secret-key.ts). */
const KEYED_TABLES = ["api_keys", "assets", "webhooks"];

/** Whether a database was made and never used: the next start makes a key for it. */
const isKeyless = ({ rows, secretCheck }: RecordsState): boolean =>
  rows !== undefined &&
  secretCheck === undefined &&
  KEYED_TABLES.every((name) => (rows.get(name) ?? 0) === 0);

/** The newest position in the journal of this folder that a store has reached; `undefined`: not known. */
function storedPosition(
  { position }: TelemetryState,
  { checkpoints }: RecordsState,
): JournalPosition | undefined {
  const ids = new Set(checkpoints.map(({ journalId }) => journalId));
  // The telemetry is this folder's own. The records may have been made with other journals as well.
  const journalId = position?.journalId ?? (ids.size === 1 ? [...ids][0] : undefined);
  if (journalId === undefined) return undefined;
  const own = [...checkpoints, ...(position === undefined ? [] : [position])].filter(
    (one) => one.journalId === journalId,
  );
  return { journalId, sequence: Math.max(...own.map(({ sequence }) => sequence)) };
}

function lostTelemetry({ cursors }: JournalState, { isGone }: TelemetryState): readonly Finding[] {
  const written = cursors.get("telemetry") ?? 0;
  if (!isGone || written === 0) return [];
  return [
    {
      store: "telemetry",
      file: "telemetry",
      problem: "it is gone",
      holds: `the readings up to record ${written} of the journal`,
      sources: ["the journal", "a backup"],
    },
  ];
}

/** The journal with what a start could not read, where no segment is left that would show it. */
function withNoted(journal: JournalState, noted: readonly Damage[]): JournalState {
  const lost = holesBefore(
    noted.flatMap(({ lost = [] }) => lost),
    journal,
  );
  return { ...journal, lost: [...journal.lost, ...lost] };
}

/** What the service noted and worked around, or a repair that did not end. It is reported until a repair. */
function onlyNoted(
  noted: readonly Damage[],
  findings: readonly Finding[],
  journal: JournalState,
): readonly Finding[] {
  const known = new Set(findings.map(({ file }) => file));
  return noted
    .filter(({ file }) => !known.has(file))
    .filter(({ lost }) => lost === undefined || holesBefore(lost, journal).length > 0)
    .map(({ store, file, problem, sinceMs }) => ({
      store,
      file,
      problem: `${problem} (noted ${new Date(sinceMs).toISOString()})`,
      holds: "what an earlier start or an interrupted repair found",
      sources: ["a backup"],
    }));
}
