import { PGlite } from "@electric-sql/pglite";
import type { DurableFS } from "./durable-fs.ts";

/**
 * PGlite's own parameters but for `-F`, which switches fsync off. 64 MB of buffers hold the states of
 * some 40,000 assets; the default of 128 MB is resident from the start (measured: 80 MB more).
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "shared_buffers=64MB",
  "-c",
  "fsync=on",
  "-c",
  "wal_sync_method=fsync",
];

/**
 * Opens the cluster in the folder of `fs`; runs crash recovery when it was not closed. `onLog` gets
 * every line of PostgreSQL's log; `parameters` are added to the usual ones.
 */
export const startPglite = (
  fs: DurableFS,
  onLog: (line: string) => void,
  parameters: readonly string[],
): Promise<PGlite> =>
  PGlite.create({
    fs,
    startParams: [...START_PARAMETERS, ...parameters],
    onStderr: (line) => {
      onLog(line);
      // Not to the console as well.
      return false;
    },
  });
