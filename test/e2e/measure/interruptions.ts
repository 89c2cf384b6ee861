import { createClient } from "../../support/answer-client.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import type { Check, Stage } from "./stage.ts";
import { createStockpile } from "./yard.ts";

/** Resolves when a job is being worked on, by the metrics of the service. */
async function untilBegun(url: string): Promise<void> {
  await until(
    "the job begins",
    async () => (await sumOf(url, "plumbline_jobs_running")) > 0,
    PATIENT_MS,
  );
}

/** A client that hangs up and sends the same POST again gets the first job's result. */
export async function hangUp({ client, sets, images }: Stage, check: Check): Promise<void> {
  const set = await sets.small;
  const id = await createStockpile(client, "hung-up", set.truth.piles[0]);
  const path = `/materials/stockpiles/${id}`;
  const body = { images: images.show(set) };
  const before = await surfacesMeasured(client.url);
  const leaving = new AbortController();
  const first = client.post(`${path}/measure`, body, leaving.signal).catch(() => undefined);
  await untilBegun(client.url);
  leaving.abort();
  check("the client hung up before it had an answer", (await first) === undefined);
  const again = await client.post(`${path}/measure`, body);
  check("the same POST again is answered", again.status === 200, JSON.stringify(again.body.error));
  const list = await client.get(`${path}/measurements`);
  check("by the one measurement there is", list.body.pagination?.total === 1);
  const worked = (await surfacesMeasured(client.url)) - before;
  check("which no second job made", worked === 1, `${worked} surfaces`);
}

/** A service that is stopped answers who waits, and goes on with the measurement when it is back. */
export async function stopAndStart(stage: Stage, check: Check): Promise<void> {
  const set = await stage.sets.small;
  const id = await createStockpile(stage.client, "stopped", set.truth.piles[1]);
  const path = `/materials/stockpiles/${id}/measure`;
  const body = { images: stage.images.show(set).slice(1) };
  const waiting = stage.client.post(path, body);
  await untilBegun(stage.client.url);
  const end = stage.service.end("SIGTERM");
  const answer = await waiting;
  check(
    "a service that stops answers the waiting client that the measurement is kept",
    answer.status === 500 &&
      /is stopping.*kept.*same request again/.test(answer.body.error?.message ?? ""),
    `${answer.status} ${answer.body.error?.message}`,
  );
  const { code } = await end;
  check("and ends by itself", code === 0, `exit code ${code}`);
  stage.service = await stage.restart();
  stage.client = createClient(stage.service.http, stage.adminKey);
  const again = await stage.client.post(path, body);
  check("the same request gets it when the service is back", again.status === 200);
  const list = await stage.client.get(`/materials/stockpiles/${id}/measurements`);
  check("measured once", list.body.pagination?.total === 1);
}

/** Surfaces of stockpiles that jobs have measured so far, by the metrics of the service. */
const surfacesMeasured = (url: string): Promise<number> =>
  sumOf(url, "plumbline_tasks_total", "measure-surface");

/** Sum of all values of a metric whose labels contain a text. */
async function sumOf(url: string, metric: string, label = ""): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(metric) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
