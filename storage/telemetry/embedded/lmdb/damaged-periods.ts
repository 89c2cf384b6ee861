import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { DomainError } from "../../../../domain/errors.ts";
import { catalogPath } from "./catalog.ts";
import { syncFolder } from "./lmdb-file.ts";
import { findLmdbProblem } from "./lmdb-pages.ts";
import { listPeriods, periodPath } from "./period-file.ts";

/** A file of the store that cannot be used. */
export interface FileDamage {
  /** Name in the folder of the store. */
  readonly file: string;
  readonly problem: string;
}

const SET_ASIDE = /^period-(-?\d+)\.mdb\.damaged-\d+$/;

/** A period file that was set aside: its rows are missing until `plumbline check --repair`. */
export interface SetAside {
  readonly startMs: number;
  readonly path: string;
}

/** Period files that were set aside and not repaired yet. */
export async function listSetAside(dir: string): Promise<readonly SetAside[]> {
  return (await readdir(dir)).flatMap((name) => {
    const start = SET_ASIDE.exec(name)?.[1];
    return start === undefined ? [] : [{ startMs: Number(start), path: join(dir, name) }];
  });
}

/**
 * Checks every file before LMDB opens it, because LMDB ends the process on a damaged one. Damaged periods are
 * set aside, so that new points find a sound file.
 * @throws DomainError `STORE_DAMAGED` when the catalog is damaged or gone: no row has an asset without it.
 */
export async function setDamagedAside(
  dir: string,
  nowMs: number,
  onDamage: (damage: FileDamage) => void,
): Promise<void> {
  const periods = await listPeriods(dir);
  refuseDamagedCatalog(dir, periods.length > 0);
  for (const startMs of periods) {
    const path = periodPath(dir, startMs);
    const problem = statSync(path).size === 0 ? undefined : findLmdbProblem(path);
    if (problem === undefined) continue;
    onDamage({ file: basename(path), problem });
    setPeriodAside(dir, startMs, nowMs);
  }
}

/** Marks the periods whose file the catalog lists and that have none. */
export async function markMissingPeriods(
  dir: string,
  listed: readonly number[],
  nowMs: number,
  onDamage: (damage: FileDamage) => void,
): Promise<void> {
  const found = new Set(await listPeriods(dir));
  const known = new Set((await listSetAside(dir)).map(({ startMs }) => startMs));
  for (const startMs of listed) {
    const path = periodPath(dir, startMs);
    const isThere = found.has(startMs) && statSync(path).size > 0;
    if (isThere || known.has(startMs)) continue;
    onDamage({
      file: basename(path),
      problem: found.has(startMs) ? "it is empty" : "it is missing",
    });
    rmSync(path, { force: true });
    markIncomplete(dir, startMs, nowMs);
  }
}

/**
 * Makes an empty file that says that rows of a period are missing, also when it gets a new file. Yields its
 * path.
 */
export function markIncomplete(dir: string, startMs: number, nowMs: number): string {
  const path = `${periodPath(dir, startMs)}.damaged-${nowMs}`;
  writeFileSync(path, "", { mode: 0o600 });
  syncFolder(dir);
  return path;
}

/** Gives the file of a period another name; nobody may have it open. */
export function setPeriodAside(dir: string, startMs: number, nowMs: number): string {
  const path = periodPath(dir, startMs);
  const aside = `${path}.damaged-${nowMs}`;
  renameSync(path, aside);
  rmSync(`${path}-lock`, { force: true });
  syncFolder(dir);
  return aside;
}

function refuseDamagedCatalog(dir: string, hasPeriods: boolean): void {
  const path = catalogPath(dir);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || size === 0) {
    if (hasPeriods) throw damaged(path, size === 0 ? "it is empty" : "it is missing");
    return;
  }
  const problem = findLmdbProblem(path);
  if (problem !== undefined) throw damaged(path, problem);
}

const damaged = (path: string, problem: string): DomainError =>
  new DomainError("STORE_DAMAGED", `${path} is damaged: ${problem}`);
