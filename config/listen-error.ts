import { DomainError } from "../domain/errors.ts";

/** What to do about it, by the error code of `listen`. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ["EACCES", "needs more rights than this process has"],
  ["EADDRINUSE", "is in use by another program"],
  ["EADDRNOTAVAIL", "is not on an address of this machine"],
  ["ENOTFOUND", "is not on an address of this machine"],
]);

/**
 * The error of a port that cannot be opened, in terms of its setting: `SETTINGS_INVALID` where a
 * person can mend it, else the cause itself.
 */
export function listenError(setting: string, host: string, port: number, cause: unknown): unknown {
  const advice = ADVICE.get((cause as NodeJS.ErrnoException | undefined)?.code);
  if (advice === undefined) return cause;
  return new DomainError("SETTINGS_INVALID", `${setting} ${port} (${host}) ${advice}`, { cause });
}
