import { existsSync, statSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { DomainError } from "../../../domain/errors.ts";
import { checkFolder, lockDataFolder } from "../../../storage/check/check-folder.ts";
import { repairFolder } from "../../../storage/check/repair-folder.ts";
import { until } from "../../support/until.ts";
import { listCrashTargets, listTargets, type Target } from "./files.ts";
import { type DamageKind, damageFile, KINDS } from "./kinds.ts";
import { type DamageScene, KEPT_READINGS, prepareScene } from "./scene.ts";
import { type RunningStores, type StoredTruth, startStores } from "./stores.ts";

/** `all`: every kind of damage to every file, by hand; `daily`: one case of each test; by default every file once. */
const EXTENT = process.env["DAMAGE"];
const IS_WHOLE = EXTENT === "all";
/** Days since 1970: a `daily` run takes another case each day, so that runs of five days damage every file. */
const DAY = Math.floor(Date.now() / 86_400_000);
/** Files of a run by hand that checks some of them. */
const ONLY = new RegExp(process.env["DAMAGE_ONLY"] ?? "");
/** The case that a run by hand begins with, by the number that an earlier one has shown; the first is 1. */
const FIRST_CASE = Number(process.env["DAMAGE_FROM"] ?? 1);
/** All cases of a group of files take an hour of CPU when every kind of damage is done to every file. */
const MOST_MS = IS_WHOLE ? 12 * 3_600_000 : 3_600_000;

let scene: DamageScene;

/** Longest wait for what is worked out anew, ms: a second of work, on a machine with twenty others. */
const WORKED_OUT_MS = 600_000;

/** What a start does: runs with the damage reported, or ends with one line. */
async function start(dataDir: string): Promise<{ stores?: RunningStores; line?: string }> {
  try {
    return { stores: await startStores(dataDir) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { line: error.message };
  }
}

const options = (dataDir: string) => ({
  dataDir,
  secretKey: undefined,
  usesPostgres: false,
  signal: new AbortController().signal,
  onStep: () => undefined,
});

async function repair(dataDir: string) {
  const lock = await lockDataFolder(dataDir);
  try {
    const before = await checkFolder(options(dataDir));
    const settings = readSettings({ DATA_DIR: dataDir });
    const backupFile = scene.backupFile;
    const { after } = await repairFolder(
      { ...options(dataDir), backupFile, settings, nowMs: Date.now() },
      before,
    );
    return { before, after };
  } finally {
    await lock.release();
  }
}

/** One line of a damage or a finding: a failure shows it whole. */
const textOf = ({ file, problem }: { readonly file: string; readonly problem: string }) =>
  `${file}: ${problem}`;

type Hit = readonly [target: Target, kind: DamageKind];

/** How the last life of the folder ended. After a kill the database's log restores some of what is damaged. */
type End = "stopped" | "killed";

async function damageAndRepair(hits: readonly Hit[], end: End): Promise<void> {
  const dataDir = join(scene.root, "case");
  await rm(dataDir, { recursive: true, force: true });
  await cp(end === "killed" ? scene.killedDir : scene.dataDir, dataDir, { recursive: true });
  for (const [{ file, place }, kind] of hits) {
    const hasChanged = await damageFile(join(dataDir, file), kind, place);
    // A page of zeros is the same when it is zeroed.
    if (IS_WHOLE && kind === "zeroed" && !hasChanged) return;
    expect(hasChanged, `${file} has changed`).toBe(true);
  }

  const { stores, line } = await start(dataDir);
  const reported = (stores?.damage ?? []).map(({ file }) => file);
  // Of a process that was killed early the catalog holds nothing that is not in the journal.
  const isRestorable = ({ file }: Target) =>
    end === "killed" && /^records\/|catalog\.mdb$/.test(file);
  if (
    stores !== undefined &&
    reported.length === 0 &&
    hits.every(([target]) => isRestorable(target))
  ) {
    // No damage is reported: then nothing may be missing, without a repair.
    try {
      await expectTruth(stores);
    } finally {
      await stores.close();
    }
    return;
  }
  await stores?.close();
  if (line !== undefined) {
    expect(line).not.toContain("\n");
    expect(line).toMatch(/plumbline check --data-dir|put the file of a backup/);
  } else {
    // A finished stage is worked out again without a word.
    const files = hits
      .filter(([target]) => !isRestorable(target))
      .map(([{ file }]) => file)
      .filter((file) => !file.startsWith("processing/"));
    const unreported = files.filter((file) => !reported.some((one) => isOf(one, file)));
    expect(unreported, "damage that health does not report").toEqual([]);
  }

  const { before, after } = await repair(dataDir);
  const found = before.findings.map(({ file }) => file);
  if (line !== undefined) expect(found, "what a start was refused for").not.toEqual([]);
  // A finished stage that is not there is as one that was never kept: stages are deleted to make room.
  const isNone = ([{ file }, kind]: Hit) => file.startsWith("processing/") && kind === "missing";
  const unseen = hits.filter(
    (hit) => !isRestorable(hit[0]) && !isNone(hit) && !found.some((one) => isOf(one, hit[0].file)),
  );
  expect(unseen, "damage that the check does not name").toEqual([]);
  // What came after the backup is nowhere else as it came; its readers had dealt with all of it, so the
  // answers below are whole all the same.
  const lost = after.findings.filter(
    ({ store, problem }) =>
      store === "journal" && /^records .* (cannot be read|are gone)/.test(problem),
  );
  const left = after.findings.filter((finding) => !lost.includes(finding));
  expect(left.map(textOf), "what a repair leaves").toEqual([]);

  const again = await startStores(dataDir);
  try {
    const isLost = ({ file }: { readonly file: string }) =>
      lost.length > 0 && file.startsWith("journal");
    const found = again.damage.filter((damage) => !isLost(damage));
    expect(found.map(textOf), "what the next start finds").toEqual([]);
    // Readings that a kill left in the journal alone are gone with it, unless the backup has them.
    if (end === "killed" && lost.length > 0) await expectBackup(again);
    else await expectTruth(again);
  } finally {
    await again.close();
  }
}

/** What is answered once it is right; after a long wait, what is answered then. */
async function answeredOnce(
  stores: RunningStores,
  isRight: (answered: StoredTruth) => boolean,
): Promise<StoredTruth> {
  // Readings that are read again are late ones: their assets are worked out anew beside the readers.
  let answered = await stores.truth();
  await until(
    "everything is answered again",
    async () => {
      answered = await stores.truth();
      return isRight(answered);
    },
    WORKED_OUT_MS,
  ).catch(() => undefined);
  return answered;
}

/** Waits until everything is answered as by the sound folder. */
async function expectTruth(stores: RunningStores): Promise<void> {
  const answered = await answeredOnce(stores, (now) => isDeepStrictEqual(now, scene.truth));
  for (const [name, truth] of Object.entries(scene.truth)) {
    // One after the other: of the whole, a failure shows nothing.
    expect(answered[name as keyof StoredTruth], name).toEqual(truth);
  }
}

/** Waits until everything is answered that was acknowledged before the backup, and nothing that never was. */
async function expectBackup(stores: RunningStores): Promise<void> {
  const { numbers, assets, keys, fences, quarantined } = scene.truth;
  const kept = (of: StoredTruth["numbers"]) =>
    Object.fromEntries(
      Object.entries(of).map(([id, all]) => [id, all.filter((number) => number < KEPT_READINGS)]),
    );
  const answered = await answeredOnce(stores, (now) =>
    isDeepStrictEqual(kept(now.numbers), kept(numbers)),
  );
  expect(kept(answered.numbers)).toEqual(kept(numbers));
  expect(answered).toMatchObject({ assets, keys, fences });
  for (const [id, all] of Object.entries(numbers)) {
    expect(all).toEqual(expect.arrayContaining([...(answered.numbers[id] ?? [])]));
  }
  expect(quarantined).toEqual(expect.arrayContaining([...answered.quarantined]));
}

interface Case {
  readonly end: End;
  readonly hits: readonly Hit[];
}

/**
 * By hand every kind of damage to every file by itself. Otherwise every file once after a stop, several at a
 * time; and after a kill what only the marks and the log can show (docs/damage.md).
 */
async function listCases(dataDir: string, end: End): Promise<readonly Case[]> {
  const groups = await listTargets(dataDir);
  if (IS_WHOLE) {
    // What was killed early has not made all of its files.
    const isThere = (path: string) => existsSync(path) && statSync(path).isFile();
    const there = groups.flat().filter(({ file }) => isThere(join(dataDir, file)));
    const each = there.flatMap((target) => KINDS.map((kind) => [target, kind] as const));
    return each.map((hit) => ({ end, hits: [hit] }));
  }
  if (end === "stopped") {
    return groups.map((group) => ({
      end,
      hits: group.map((target) => [target, target.usual] as const),
    }));
  }
  const crashed = await listCrashTargets(dataDir);
  return crashed.map((group) => ({ end, hits: group.map((one) => [one, one.usual] as const) }));
}

/** Whether a reported damage is that of a file; a journal may be reported as a whole. */
const isOf = (reported: string, file: string): boolean =>
  reported.startsWith(file) ||
  (file.startsWith("journal/journal-") && reported.startsWith("journal"));

/** Hits every file that fits `files`, one after the other, and holds what comes of it against the truth. */
export function describeDamage(files: RegExp): void {
  describe(`a data folder of which a file is damaged (${files.source})`, () => {
    beforeAll(async () => {
      scene = await prepareScene();
    }, 900_000);
    afterAll(() => scene?.cleanUp());

    it("a data folder answers everything that was acknowledged while it is sound", () => {
      const { numbers, events, quarantined, keys, fences, assets } = scene.truth;
      const all = Array.from({ length: 300 }, (_, i) => i);
      expect(numbers).toEqual({ "truck-1": all, "truck-2": all });
      expect(events.length).toBeGreaterThanOrEqual(4);
      expect({ quarantined: quarantined.length, keys, fences, assets }).toEqual({
        quarantined: 2,
        keys: ["reader"],
        fences: ["yard"],
        assets: ["truck-1", "truck-2"],
      });
    });

    it(
      "a start reports or refuses the damage, and everything is answered again after the repair",
      async () => {
        const listed = [
          ...(await listCases(scene.dataDir, "stopped")),
          ...(await listCases(scene.killedDir, "killed")),
        ];
        const fitting = listed
          .map(({ end, hits }) => ({
            end,
            hits: hits.filter(([{ file }]) => files.test(file) && ONLY.test(file)),
          }))
          .filter(({ hits }) => hits.length > 0);
        const cases =
          EXTENT === "daily" ? fitting.filter((_, i) => i === DAY % fitting.length) : fitting;
        const failures: string[] = [];
        for (const [i, { end, hits }] of cases.entries()) {
          if (i + 1 < FIRST_CASE) continue;
          const all = hits
            .map(([{ file, place }, kind]) => `${file} (${place}) ${kind}`)
            .join(", ");
          const name = `${end}: ${all}`;
          const problem = await damageAndRepair(hits, end).then(
            () => undefined,
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          );
          if (problem !== undefined) failures.push(`${name}: ${problem.slice(0, 1_500)}`);
          process.stderr.write(
            `${problem === undefined ? "ok  " : "FAIL"} ${i + 1}/${cases.length} ${name} ${problem ?? ""}\n`,
          );
        }
        expect(failures).toEqual([]);
        expect(cases.length).toBeGreaterThanOrEqual(FIRST_CASE);
      },
      MOST_MS,
    );
  });
}
