import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { proj4 } from "./proj4.ts";

/** Field of a thread's data that carries the folder on. */
export interface GridFolder {
  readonly gridDir: string | undefined;
}

/** Threads learn the folder from the thread that starts them. */
let folder = folderOf(workerData);
/** Grids by file name that are loaded, as proj4 knows them. */
const loaded = new Map<string, string>();

/**
 * Names the folder of the operator's grids of datum shifts (NTv2, `*.gsb`), for this thread and for those that
 * it starts afterwards. A grid is read when a coordinate system first asks for it.
 */
export function useGridFolder(path: string | undefined): void {
  folder = path;
}

/** For the data of a thread that is about to start. */
export const gridFolder = (): GridFolder => ({ gridDir: folder });

/** Path of a file of the operator's folder, whatever case its name is in; `undefined`: it is not there. */
export function gridFile(name: string): string | undefined {
  if (folder === undefined) return undefined;
  const found = readdirSync(folder).find(
    (candidate) => candidate.toLowerCase() === name.toLowerCase(),
  );
  return found && join(folder, found);
}

/**
 * What proj4 calls the first of these grids that the folder has, whatever case its name is in; `undefined`:
 * it has none of them.
 * @throws Error for a file that cannot be read or is not NTv2
 */
export function loadGrid(names: readonly string[]): string | undefined {
  if (folder === undefined) return undefined;
  const files = readdirSync(folder);
  const file = names
    .map((name) => name.toLowerCase().replace(/\.gsb$/, ""))
    .map((name) => files.find((candidate) => candidate.toLowerCase() === `${name}.gsb`))
    .find((found) => found !== undefined);
  if (file === undefined) return undefined;
  const key = loaded.get(file) ?? readGrid(join(folder, file), file);
  loaded.set(file, key);
  return key;
}

/** Bytes of an NTv2 overview header; fewer are not a grid. */
const HEADER_BYTES = 176;

function readGrid(path: string, file: string): string {
  const bytes = readFileSync(path);
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 8) !== "NUM_OREC") {
    throw new Error(`${file} is not a grid of datum shifts (NTv2)`);
  }
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { subgrids } = proj4.nadgrid(file, buffer as ArrayBuffer);
  // The first that holds a place is taken: a finer part of another comes after it in the file.
  subgrids.reverse();
  return file;
}

function folderOf(data: unknown): string | undefined {
  const folder = (data as Partial<GridFolder> | null | undefined)?.gridDir;
  return typeof folder === "string" ? folder : undefined;
}
