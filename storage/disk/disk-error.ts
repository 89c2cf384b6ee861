import { fullDisk } from "../../domain/platform/storage-shortage.ts";

/**
 * An error of the operating system that says that the disk (or the owner's share of it) is full, as the
 * shortage that it is; any other as it is. Others may write to a disk without asking for admission.
 */
export function diskError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return fullDisk("the disk is full", error);
}
