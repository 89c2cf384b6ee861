import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobId, StockpileId } from "../../../../domain/ids.ts";
import type { Stockpile } from "../../../../domain/sites/stockpile.ts";
import { openDiskSpace } from "../../../../storage/disk/disk-space.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { storeStockpile } from "../../../support/measuring.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { sampleMeasurement } from "../../../support/sample-stockpile.ts";
import { until } from "../../../support/until.ts";

const PAGE = "<title>Survey</title>";
/** Copies the page, the last argument, to the file that is asked for. */
const COPY =
  'for a; do case "$a" in --print-to-pdf=*) out=$(echo "$a" | cut -d= -f2);; esac; page="$a"; done; cat "$page" > "$out"';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-pdf-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function standIn(name: string, script: string): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** The path of the PDF that the answer of a measurement names. */
async function pdfPath(t: TestApp, stockpile: Partial<Stockpile> = {}): Promise<string> {
  const { id } = await storeStockpile(t, stockpile);
  const jobId = `job_${id}` as JobId;
  const { id: measurementId, files } = await t.records.stockpiles.addMeasurement(
    id,
    jobId,
    (before) => ({
      stockpile: before,
      measurement: sampleMeasurement(before, jobId),
      events: [],
    }),
  );
  await t.files.store.put(files.surveyReportHtml, Buffer.from(PAGE));
  const path = `/api/v1/materials/stockpiles/${id}/measurements/${measurementId}`;
  const { survey_report_pdf_url: url } = (await t.get(path, ADMIN_KEY)).json();
  return url.replace("https://site.test", "");
}

it("the survey's report is printed by Chromium when its address is opened", async () => {
  await using t = await openTestApp({ chromiumFile: await standIn("copies", COPY) });
  const { statusCode, headers, body } = await t.app.inject(await pdfPath(t));
  expect([statusCode, headers["content-type"], body]).toEqual([200, "application/pdf", PAGE]);
});

it("a server without Chromium answers 501 and names what is missing", async () => {
  await using t = await openTestApp({ chromiumFile: join(dir, "none") });
  const answer = await t.app.inject(await pdfPath(t));
  expect(answer.statusCode).toBe(501);
  expect(answer.json().error).toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/CHROMIUM_FILE/),
  });
});

it("an address that is not signed prints nothing", async () => {
  await using t = await openTestApp({ chromiumFile: await standIn("copies", COPY) });
  const [path = ""] = (await pdfPath(t)).split("?");
  expect((await t.app.inject(path)).statusCode).toBe(403);
});

it("reports are printed one at a time, and a third one of a project is refused for now; another project's is printed", async () => {
  const started = join(dir, "started");
  const go = join(dir, "go");
  const waits = `echo x >> ${started}; while [ ! -f ${go} ]; do sleep 0.02; done; ${COPY}`;
  await using t = await openTestApp({ chromiumFile: await standIn("waits", waits) });
  const [path, other] = [await pdfPath(t), await pdfPath(t, { id: "sp_other" as StockpileId })];
  const lines = async () => (await readFile(started, "utf8").catch(() => "")).length / 2;
  const printed = [path, path].map((own) => t.app.inject(own).then((answer) => answer));
  await until("the first one is printing", async () => (await lines()) === 1, PATIENT_MS);
  const refused = await t.app.inject(path);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "30"]);
  printed.push(t.app.inject(other).then((answer) => answer));
  expect(await lines()).toBe(1);
  await writeFile(go, "");
  for (const answer of await Promise.all(printed)) expect(answer.body).toBe(PAGE);
  expect(await lines()).toBe(3);
});

it("a full disk refuses the print before Chromium is started", async () => {
  const started = join(dir, "refused");
  const disk = openDiskSpace({
    dir,
    minFreeBytes: 0,
    marginBytes: 0,
    space: () => ({ freeBytes: 1_000_000, totalBytes: 1e9 }),
  });
  await using t = await openTestApp({
    chromiumFile: await standIn("notes", `echo x >> ${started}`),
    disk,
  });
  const answer = await t.app.inject(await pdfPath(t));
  expect([answer.statusCode, answer.json().error.code]).toEqual([507, "insufficient_storage"]);
  await expect(readFile(started)).rejects.toThrow("ENOENT");
});
