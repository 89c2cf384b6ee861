import { readFileSync } from "node:fs";
import { DomainError } from "../../../domain/errors.ts";

/**
 * Values of `sslmode`, and what they are to pg. Unlike libpq, `prefer`, `require` and `verify-ca` check the
 * certificate and its name too: encryption to an unverified server does not protect from one that intercepts
 * the connection.
 */
const MODES: Readonly<Record<string, string>> = {
  disable: "disable",
  "no-verify": "no-verify",
  prefer: "verify-full",
  require: "verify-full",
  "verify-ca": "verify-full",
  "verify-full": "verify-full",
};
const FILES = ["sslrootcert", "sslcert", "sslkey"];
/** What Node says of certificates that it does not accept (its manual, "X509 certificate error codes"). */
const NOT_ACCEPTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;
const NO_TLS = "The server does not support SSL connections";

/**
 * The URL as pg is to have it.
 * @throws DomainError `SETTINGS_INVALID` for an unknown `sslmode`, or a file that cannot be read.
 */
export function checkedUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get("sslmode");
  for (const name of FILES) {
    const path = url.searchParams.get(name);
    if (path !== null) requireReadable(name, path);
  }
  if (mode === null) return databaseUrl;
  const known = MODES[mode];
  if (known === undefined) {
    throw invalid(`sslmode=${mode} is not one of ${Object.keys(MODES).join(", ")}`);
  }
  url.searchParams.set("sslmode", known);
  return url.href;
}

/** Whether the two sides cannot agree on TLS: the server may be right again later. */
export function isTlsTrouble({ code, message }: Error & { readonly code?: unknown }): boolean {
  return message === NO_TLS || (typeof code === "string" && NOT_ACCEPTED.test(code));
}

/** What to do about it, for an error of the very first connection; any other comes back as it is. */
export function explainTlsTrouble(error: unknown): unknown {
  const cause = error instanceof DomainError ? error.cause : error;
  if (!(cause instanceof Error) || !isTlsTrouble(cause)) return error;
  if (cause.message === NO_TLS) {
    return invalid("the server speaks no TLS; sslmode=disable goes without", cause);
  }
  return invalid(
    `the server's certificate is not accepted (${cause.message}); sslrootcert=<file> names its authority, sslmode=no-verify accepts any`,
    cause,
  );
}

function requireReadable(name: string, path: string): void {
  try {
    readFileSync(path);
  } catch (cause) {
    throw invalid(`the file of ${name} cannot be read`, cause);
  }
}

function invalid(problem: string, cause?: unknown): DomainError {
  return new DomainError("SETTINGS_INVALID", `DATABASE_URL: ${problem}`, { cause });
}
