import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { GROUND_HEIGHT_M, writeHeapRaster } from "../support/heap-raster.ts";
import { SITE } from "../support/heap-survey.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { until } from "../support/until.ts";

const KEY = "own-survey-admin-key-0123456789abcdefghij";
const PROJECT = "quarry";

let dir: string;
let service: ServiceProcess;
let api: ApiClient;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-own-survey-"));
  service = await startServiceProcess({ dataDir: join(dir, "data"), adminKey: KEY });
  api = createApiClient(service.http, KEY);
  const location = { latitude: SITE.latDeg, longitude: SITE.lonDeg };
  await api.post("/projects", { id: PROJECT, name: "Quarry", location });
});
afterAll(async () => {
  await service.end("SIGTERM");
  await rm(dir, { recursive: true, force: true });
});

const authorization = `Bearer ${KEY}`;

/** The address of a raster of heights, once it is sent. */
async function sent(): Promise<string> {
  const path = await writeHeapRaster(join(dir, "heights.tif"));
  const form = new FormData();
  form.append("images", new Blob([new Uint8Array(await readFile(path))]), "heights.tif");
  const response = await fetch(`${service.http}/api/v1/progress/images?project_id=${PROJECT}`, {
    ...{ method: "POST", headers: { authorization }, body: form },
  });
  const { images } = (await response.json()) as { readonly images: readonly { url: string }[] };
  return images[0]?.url ?? "";
}

it("a flight becomes a survey without a stockpile or a zone: listed, drawn, measured, and deleted with its files", async () => {
  const accepted = await api.post<{ id: string; job_id: string }>("/surveys", {
    ...{ project_id: PROJECT, images: [await sent()] },
  });
  const job = await until(
    "the survey is done",
    async () => {
      const found = await api.get<{ status: string; result: string; error: unknown }>(
        `/jobs/${accepted.job_id}`,
      );
      if (found.status === "failed") throw new Error(JSON.stringify(found.error));
      return found.status === "completed" ? found : undefined;
    },
    PATIENT_MS,
  );
  expect(job.result).toBe(`/api/v1/surveys/${accepted.id}`);

  const { data } = await api.get<{ data: readonly { id: string; source: object }[] }>(
    `/surveys?project_id=${PROJECT}`,
  );
  expect(data).toMatchObject([
    { id: accepted.id, source: { kind: "survey", capture_id: accepted.id } },
  ]);
  const survey = await api.get<{
    products: { surface_url: string };
    tiles: { hillshade: { url_template: string } };
  }>(`/surveys/${accepted.id}`);
  const surface = survey.products.surface_url;
  expect((await fetch(surface)).status).toBe(200);
  const at = `${SITE.latDeg + 0.00009},${SITE.lonDeg}`;
  const height = await api.get<{ height_m: number }>(`/surveys/${accepted.id}/height?at=${at}`);
  // 10 m north of the middle of the heap, whose radius is 6 m.
  expect(height.height_m).toBeCloseTo(GROUND_HEIGHT_M, 1);
  const { data: reports } = await api.get<{ data: readonly unknown[] }>(
    `/progress/reports?project_id=${PROJECT}`,
  );
  expect(reports).toEqual([]);

  const removed = await fetch(`${service.http}/api/v1/surveys/${accepted.id}`, {
    ...{ method: "DELETE", headers: { authorization } },
  });
  expect(removed.status).toBe(204);
  await until("its files are gone", async () => (await fetch(surface)).status === 404, PATIENT_MS);
  expect(await api.get(`/surveys?project_id=${PROJECT}`)).toMatchObject({ data: [] });
});
