import { setFlagsFromString } from "node:v8";
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
 * How much a function of PostgreSQL runs before V8 compiles it a second time, with all optimisations, in V8's
 * own unit (bytes of WebAssembly executed). Node 20's 1,800,000 has V8 optimise hundreds of functions that
 * only a start needs: 1 of the 4.5 s of CPU that a start takes (bench/start.ts). What a running service uses
 * all the time gets there within its first seconds.
 */
const TIERING_BUDGET = 36_000_000;

/**
 * Opens the cluster in the folder of `fs`; runs crash recovery when it was not closed. `onLog` gets
 * every line of PostgreSQL's log; `parameters` are added to the usual ones.
 */
export const startPglite = (
  fs: DurableFS,
  onLog: (line: string) => void,
  parameters: readonly string[],
): Promise<PGlite> => {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  return PGlite.create({
    fs,
    startParams: [...START_PARAMETERS, ...parameters],
    onStderr: (line) => {
      onLog(line);
      // Not to the console as well.
      return false;
    },
  });
};
