import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { Journal, JournalPosition } from "../ports/journal.ts";
import type { FileDamage } from "../telemetry/embedded/lmdb/damaged-periods.ts";
import type { Damage } from "./damage-log.ts";
import { textOfHoles } from "./lost-records.ts";

type Found = Omit<Damage, "sinceMs">;

/** What opening the journal found and repaired. None of it makes a request fail. */
export function journalDamage({ recovery }: Pick<Journal, "recovery">): readonly Found[] {
  const { holes = [], passedHoles = [], setAside = [], remade = [] } = recovery;
  const problem =
    holes.length > 0 ? `records ${textOfHoles(holes)} cannot be read` : "no reader lacks a record";
  const lost = holes.length > 0 ? { lost: holes } : {};
  const found = setAside.map((path) => ({
    ...inJournal(`journal/${basename(path)}`, `damaged: ${problem}`),
    ...lost,
  }));
  if (setAside.length === 0 && holes.length > 0) {
    found.push({ ...inJournal("journal", problem), ...lost });
  } else if (setAside.length === 0 && passedHoles.length > 0) {
    found.push(inJournal("journal", `records ${textOfHoles(passedHoles)} are gone; ${problem}`));
  }
  return [...found, ...remade.map(({ file, problem }) => inJournal(`journal/${file}`, problem))];
}

/** The stores come from another journal than the one that is there. */
export const replacedJournal = ({ sequence }: JournalPosition): Found =>
  inJournal(
    "journal",
    `not the one of the records: what came after record ${sequence} of that is gone`,
  );

const inJournal = (file: string, problem: string): Found => ({
  store: "journal",
  file,
  problem,
  refusesAnswers: false,
});

export const telemetryDamage = ({ file, problem }: FileDamage): Found => ({
  store: "telemetry",
  file: `telemetry/embedded/${file}`,
  problem,
  // The names are in the catalog as well.
  refusesAnswers: file !== "names.log",
});

export const recordsDamage = (problem: string): Found => ({
  store: "records",
  file: "records/cluster",
  problem,
  refusesAnswers: true,
});

/**
 * No database under a journal that has records: the folder is gone, or a volume is not mounted.
 * @throws DomainError `STORE_DAMAGED`, because a new database would know no device and no key.
 */
export function refuseLostRecords(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  journal: Pick<Journal, "syncedSequence">,
): void {
  const cluster = join(dataDir, "records", "cluster");
  if (databaseUrl !== undefined || journal.syncedSequence === 0 || existsSync(cluster)) return;
  throw new DomainError(
    "STORE_DAMAGED",
    `${cluster} is gone, but the journal has ${journal.syncedSequence} records: set DATABASE_URL if the records are in PostgreSQL`,
  );
}

/**
 * No store under a journal that was written to one: the folder is gone, or a volume is not mounted. To be
 * called before a store is opened, which would make an empty one.
 * @throws DomainError `STORE_DAMAGED`, because history would be answered with nothing.
 */
export function refuseLostTelemetry(dataDir: string, journal: Pick<Journal, "cursor">): void {
  if (hasStoreFiles(join(dataDir, "telemetry", "embedded"))) return;
  refuseEmptyTelemetry(dataDir, journal, undefined);
}

/**
 * A store that holds nothing under a journal that was written to one. It knows how far it has come since its
 * first block, so one without a position is new.
 * @throws DomainError `STORE_DAMAGED`.
 */
export function refuseEmptyTelemetry(
  dataDir: string,
  journal: Pick<Journal, "cursor">,
  position: JournalPosition | undefined,
): void {
  const written = journal.cursor("telemetry").sequence;
  if (written === 0 || position !== undefined) return;
  throw new DomainError(
    "STORE_DAMAGED",
    `the telemetry in ${dataDir} is gone: it held the readings up to record ${written} of the journal`,
  );
}

/** A catalog without its weeks or weeks without their catalog are not gone, and reported with another message. */
function hasStoreFiles(dir: string): boolean {
  return existsSync(dir) && readdirSync(dir).some((name) => /^(period-|catalog\.mdb)/.test(name));
}

const REPAIRABLE: ReadonlySet<ErrorCode> = new Set(["STORE_DAMAGED", "JOURNAL_CORRUPT"]);

/** SQLSTATE of PostgreSQL: a start runs no statement that a sound database refuses. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Why a start failed: with what to do where a file is damaged, any other error as it is. */
export function explainDamage(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  error: unknown,
): unknown {
  const command = `run "plumbline check --data-dir ${dataDir}"`;
  if (error instanceof DomainError) {
    if (!REPAIRABLE.has(error.code)) return error;
    const { message, cause } = error;
    return new DomainError(error.code, `${message}; ${command}`, { cause });
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (databaseUrl !== undefined || !(error instanceof Error) || !SQLSTATE.test(String(code))) {
    return error;
  }
  const message = `the records in ${dataDir} are damaged: ${error.message}; ${command}`;
  return new DomainError("STORE_DAMAGED", message);
}
