import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import { isTlsTrouble } from "./postgres-tls.ts";

/** SQLSTATE codes that a caller can act on (PostgreSQL manual, appendix A). */
const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
/** Text with U+0000, which PostgreSQL cannot store. */
const CHARACTER_NOT_IN_REPERTOIRE = "22021";

/**
 * SQLSTATEs after which nothing was stored and the same call may succeed later: connection (08),
 * rollback by deadlock or serialisation (40), resources such as a full disk or no free connection
 * (53), cancelled by time-out (57014), server stopping or starting (57P), system errors (58).
 */
const AWAY_SQLSTATE = /^(08|40|53|57014|57P|58)/;
/** A page, index or file of the database is damaged or missing. */
const DAMAGED_SQLSTATES = new Set(["XX001", "XX002", "58P01"]);
/** A primary that became a replica, a lock not got in time, a refused log-in, an absent database. */
const AWAY_SQLSTATES = new Set(["25006", "55P03", "28000", "28P01", "3D000"]);
/** Errors of the socket and of name look-up, by Node's `code`. */
const AWAY_SYSTEM_CODES = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
/** What pg and pg-pool throw without any code (their sources, 8.23 and 3.14). */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

interface CodedError extends Error {
  readonly code?: unknown;
  /** Of a violated constraint. */
  readonly table?: string;
  readonly constraint?: string;
}

/** Whether the database could not be asked, or did not answer, as opposed to: it refused. */
function isAway(error: CodedError): boolean {
  // Node joins the attempts on several addresses of one name.
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (isTlsTrouble(error)) return true;
  if (typeof error.code !== "string") return AWAY_MESSAGE.test(error.message);
  return (
    AWAY_SYSTEM_CODES.has(error.code) ||
    AWAY_SQLSTATES.has(error.code) ||
    (error.code.length === 5 && AWAY_SQLSTATE.test(error.code))
  );
}

/**
 * Turns what pg throws into what the ports promise: `STORE_UNAVAILABLE` when the database is away,
 * `STORE_DAMAGED` when its files are not as they were written,
 * `PARAMETER_INVALID` for text it cannot hold. Everything else comes back as it is.
 */
export function storeError(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  if (DAMAGED_SQLSTATES.has(String((error as CodedError).code))) {
    return new DomainError("STORE_DAMAGED", `the records are damaged: ${error.message}`, {
      cause: error,
    });
  }
  if (isAway(error)) {
    const reason = error.message || "no connection";
    return new DomainError("STORE_UNAVAILABLE", `record store: ${reason}`, { cause: error });
  }
  if ((error as CodedError).code === CHARACTER_NOT_IN_REPERTOIRE) {
    return new DomainError("PARAMETER_INVALID", "text must not contain U+0000", { cause: error });
  }
  return error;
}

/** Whether the connection is of no more use: its state is unknown, or it is gone. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === "STORE_UNAVAILABLE";
  return error instanceof Error && isAway(error);
}

/** What a broken constraint means to the caller. */
export interface Violations {
  /** A function is given the index or constraint that is broken, where a table has several. */
  readonly unique?:
    | readonly [ErrorCode, string]
    | ((constraint: string) => readonly [ErrorCode, string]);
  /** A function is given the table that refers to the row, or whose row refers to nothing. */
  readonly foreignKey?:
    | readonly [ErrorCode, string]
    | ((table: string) => readonly [ErrorCode, string]);
}

/** Awaits `work` and throws a `DomainError` for the named violations. */
export async function explainViolations<T>(work: Promise<T>, violations: Violations): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const meaning = error instanceof Error ? meaningOf(error, violations) : undefined;
    if (meaning === undefined) throw error;
    throw new DomainError(...meaning, { cause: error });
  }
}

function meaningOf(
  { code, table = "", constraint = "" }: CodedError,
  { unique, foreignKey }: Violations,
): readonly [ErrorCode, string] | undefined {
  if (code === UNIQUE_VIOLATION) {
    return typeof unique === "function" ? unique(constraint) : unique;
  }
  if (code !== FOREIGN_KEY_VIOLATION) return undefined;
  return typeof foreignKey === "function" ? foreignKey(table) : foreignKey;
}
