import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { checkFolder } from "../../../storage/check/check-folder.ts";
import { repairFolder } from "../../../storage/check/repair-folder.ts";
import { encodeHeader } from "../../../storage/journal/segment-header.ts";
import {
  type CheckedFolder,
  heldTruth,
  prepareCheckedFolder,
  WHOLE,
} from "../../support/checked-folder.ts";
import { startInlineSealThread } from "../../support/inline-seal-thread.ts";
import { append, bodyOf, openSmall, tamper } from "../../support/journal.ts";
import { NOON_MS } from "../../support/telemetry-points.ts";

let folder: CheckedFolder;
let dataDir: string;
beforeAll(async () => {
  folder = await prepareCheckedFolder();
});
afterAll(() => folder?.cleanUp());
beforeEach(async () => {
  dataDir = await folder.freshCopy();
});

const options = () => ({
  dataDir,
  secretKey: undefined,
  usesPostgres: false,
  signal: new AbortController().signal,
  onStep: () => undefined,
});

async function repair(backupFile: string | undefined) {
  const settings = readSettings({ DATA_DIR: dataDir });
  return repairFolder(
    { ...options(), backupFile, settings, nowMs: NOON_MS, startThread: startInlineSealThread },
    await checkFolder(options()),
  );
}

it("a repair that cannot bring the newest records back gives none of their numbers out again", async () => {
  await rm(join(dataDir, "journal", folder.segments.at(-1) ?? ""));
  // Damage that makes every reader begin again.
  await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
  const { after } = await repair(undefined);
  expect(after.findings).toMatchObject([
    { file: "journal/.", problem: expect.stringMatching(/^records \d+ to 200 are gone$/) },
  ]);
  const journal = await openSmall(join(dataDir, "journal"));
  try {
    expect(journal.cursor("telemetry").sequence).toBe(0);
    expect(await append(journal, bodyOf(201))).toBe(201);
  } finally {
    await journal.close();
  }
});

it("a second repair with a backup still brings back what the first one had no source for", async () => {
  await rm(join(dataDir, "journal", folder.segments.at(-1) ?? ""));
  await rm(join(dataDir, "telemetry", "embedded", "catalog.mdb"));
  await repair(undefined);
  const { after } = await repair(folder.backupFile);
  expect(after.journal).toMatchObject({ oldest: 1, newest: 170, given: WHOLE.records.length });
});

it("a missing journal folder is a finding that says what the stores have and what a backup brings", async () => {
  await rm(join(dataDir, "journal"), { recursive: true });
  const { findings } = await checkFolder(options());
  expect(findings).toEqual([
    {
      store: "journal",
      file: "journal",
      problem: "it is gone",
      holds: "messages as they came; the stores have the content of those up to record 170",
      sources: ["a backup"],
    },
  ]);
});

it("a repair of a missing journal without a backup goes on under its id and behind its newest number", async () => {
  const id = await readFile(join(dataDir, "journal", "id"), "utf8");
  await rm(join(dataDir, "journal"), { recursive: true });
  const { after } = await repair(undefined);
  expect(after.findings).toMatchObject([
    { file: "journal/.", problem: "records 1 to 170 are gone", sources: ["a backup"] },
  ]);
  expect(await readFile(join(dataDir, "journal", "id"), "utf8")).toBe(id);
  // A backup that is found later still brings its records.
  await cp(dataDir, `${dataDir}-later`, { recursive: true });
  const journal = await openSmall(join(dataDir, "journal"));
  try {
    expect(await append(journal, bodyOf(171))).toBe(171);
  } finally {
    await journal.close();
  }
  expect((await checkFolder(options())).findings).toEqual([]);
  expect((await heldTruth(dataDir)).rows).toEqual(WHOLE.rows);

  dataDir = `${dataDir}-later`;
  const later = await repair(folder.backupFile);
  expect(later.after).toMatchObject({ findings: [], journal: { oldest: 1, newest: 170 } });
});

it("a folder in which no message was ever stored has no missing journal", async () => {
  await rm(join(dataDir, "journal"), { recursive: true });
  await rm(join(dataDir, "telemetry"), { recursive: true });
  expect((await checkFolder(options())).findings).toEqual([]);
});

it("a journal of a newer program is refused by a check, also when it is damaged", async () => {
  const [first = "", second = ""] = folder.segments;
  const header = {
    journalId: "0b2a3c4d-0000-4000-8000-000000000000",
    ordinal: 1,
    firstSequence: 1,
  };
  tamper(join(dataDir, "journal", first), (bytes) => void bytes.set(encodeHeader(header, 2)));
  await rm(join(dataDir, "journal", second));
  await expect(repair(folder.backupFile)).rejects.toMatchObject({
    code: "SCHEMA_TOO_NEW",
    message: "journal format 2; this program knows 1",
  });
});
