import { access } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";

/** What a data folder holds while an archive is being restored into it. */
export const RESTORING = ".restoring";

/** @throws DomainError `BACKUP_REFUSED` for a data folder whose restore did not end. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const isUnfinished = await access(join(dataDir, RESTORING)).then(
    () => true,
    () => false,
  );
  if (!isUnfinished) return;
  throw new DomainError(
    "BACKUP_REFUSED",
    `a restore into ${dataDir} (DATA_DIR) did not end: run it again, or remove the folder`,
  );
}
