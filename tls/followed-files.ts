import type { Logger } from "pino";
import { DomainError } from "../domain/errors.ts";
import {
  type PemTexts,
  parseTlsFiles,
  readPemTexts,
  type TlsFileSettings,
  type TlsFiles,
} from "./pem-files.ts";

/** The TLS files in use, and what became of newer ones. */
export interface FollowedFiles {
  readonly files: TlsFiles;
  /** Why the files on disk are not those in use; `undefined`: they are. */
  readonly trouble: string | undefined;
  /** Newer files that were taken, and that were refused, since the start. */
  readonly counts: { readonly applied: number; readonly refused: number };
  /** Reads the files now and says at once if they cannot be used. Never throws. */
  reload(): Promise<void>;
  /** Ends it. Resolves when no read is under way. */
  stop(): Promise<void>;
}

/**
 * Reads the TLS files, and again whenever their contents change. Files that cannot be used leave those in
 * use as they are.
 *
 * Contents are compared every `pollMs`, a few KB from the page cache. `fs.watch` would miss changes: a
 * Kubernetes secret swaps a symbolic link two folders up, and network disks announce nothing.
 * @throws DomainError `SETTINGS_INVALID` when the first files cannot be used.
 */
export async function followTlsFiles(options: {
  readonly settings: TlsFileSettings;
  readonly pollMs: number;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly onChange: (files: TlsFiles) => void;
}): Promise<FollowedFiles> {
  const { settings, pollMs, log, onChange } = options;
  const counts = { applied: 0, refused: 0 };
  let inUse = await readPemTexts(settings);
  let files = parseTlsFiles(inUse);
  let trouble: string | undefined;
  /** A problem seen once: while several files are replaced they do not fit together for a moment. */
  let suspicion: string | undefined;
  let reading = Promise.resolve();

  async function read(isPatient: boolean): Promise<void> {
    let texts: PemTexts;
    let newer: TlsFiles;
    try {
      texts = await readPemTexts(settings);
      if (isSame(texts, inUse)) {
        // Also when a bad file was taken back.
        [trouble, suspicion] = [undefined, undefined];
        return;
      }
      newer = parseTlsFiles(texts);
    } catch (error) {
      refuse(error, isPatient);
      return;
    }
    [inUse, files, trouble, suspicion] = [texts, newer, undefined, undefined];
    counts.applied += 1;
    const { serialNumber, validTo } = newer.certificate;
    log.info({ serialNumber, validTo, revoked: revokedCount(newer) }, "TLS files read again");
    onChange(newer);
  }

  function refuse(error: unknown, isPatient: boolean): void {
    const message = error instanceof DomainError ? error.message : String(error);
    if (isPatient && suspicion !== message) {
      suspicion = message;
      return;
    }
    if (trouble === message) return;
    trouble = message;
    counts.refused += 1;
    log.warn({ err: error }, "new TLS files are not used");
  }

  /** One read at a time, in order. */
  const enqueue = (isPatient: boolean): Promise<void> => {
    reading = reading.then(() => read(isPatient));
    return reading;
  };
  const timer = setInterval(() => void enqueue(true), pollMs);
  timer.unref();

  return {
    get files() {
      return files;
    },
    get trouble() {
      return trouble;
    },
    counts,
    reload: () => enqueue(false),
    async stop() {
      clearInterval(timer);
      await reading;
    },
  };
}

const isSame = (a: PemTexts, b: PemTexts): boolean =>
  a.cert === b.cert && a.key === b.key && a.ca === b.ca && a.crl === b.crl;

const revokedCount = ({ lists }: TlsFiles): number =>
  lists.reduce((sum, { serials }) => sum + serials.size, 0);
