import { rm } from "node:fs/promises";
import { createClient } from "../../support/answer-client.ts";
import { freshDataDir } from "../../support/databases.ts";
import { slowness } from "../../support/slowness.ts";
import { quantile, startLoad } from "./load.ts";
import { type Check, type Stage, seconds } from "./stage.ts";
import { createStockpile, createYard } from "./yard.ts";

/**
 * What is fetched and refused counts as work too. A service that has measured nothing yet takes an image
 * for 2 s of work. Two jobs at once do one of these in 140 s, and four of them wait before the bound.
 */
const NAMED = 140;
/** Of the survey, for each stockpile: another part of it, so that none finds the work of another. */
const GOOD = 14;
/** A map and a fleet notice less; a loaded machine of two cores is allowed for. Chosen. */
const HOLDS_MS = 1_000;

/**
 * Ten measures at once on ten stockpiles: some are answered, the others get a time to retry after. By a
 * service of its own: one that has found out that it is fast rightly takes all ten.
 */
export async function tenAtOnce(stage: Stage, check: Check): Promise<void> {
  const dataDir = await freshDataDir();
  const service = await stage.startFresh(dataDir);
  try {
    const client = createClient(service.http, stage.adminKey);
    await createYard(client);
    await measureTen({ ...stage, service, client }, check);
  } finally {
    await service.end("SIGTERM");
    await rm(dataDir, { recursive: true });
  }
}

async function measureTen(stage: Stage, check: Check): Promise<void> {
  const { client, sets, images } = stage;
  const set = await sets.fortyOne;
  const shown = images.show(set);
  const ids = [];
  for (let i = 0; i < 10; i++) {
    ids.push(await createStockpile(client, `many-${i}`, set.truth.piles[i % 2]));
  }
  const load = await startLoad(client, stage.adminKey, stage.service.mqttPort);
  const answers = await Promise.all(
    ids.map((id, i) => {
      const good = shown.slice(2 * i, 2 * i + GOOD);
      const absent = Array.from({ length: NAMED - GOOD }, (_, k) => images.absent(`${k}.jpg`));
      return client.post(`/materials/stockpiles/${id}/measure`, { images: [...good, ...absent] });
    }),
  );
  const { api, puback } = load.take();
  const slow = slowness();
  await load.stop();
  const outcomes = answers.map(({ status, ms }) => `${status} in ${seconds(ms)}`).join(", ");
  const done = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  check(
    "ten at once are answered 200, 400 by a gate, or 429: some 200, and five 429",
    done.length > 0 &&
      refused.length === 5 &&
      answers.every(({ status }) => [200, 400, 429].includes(status)),
    outcomes,
  );
  check(
    "429 comes at once, with Retry-After and its code",
    refused.every(
      ({ headers, body, ms }) =>
        Number(headers.get("retry-after")) > 0 &&
        body.error?.code === "rate_limit_exceeded" &&
        ms < 5_000 * slow,
    ),
    refused.map(({ headers }) => headers.get("retry-after")).join(", "),
  );
  for (const [name, values] of [
    ["GET /assets", api],
    ["PUBACK", puback],
  ] as const) {
    const [middleMs, lateMs] = [quantile(values, 0.5), quantile(values, 0.99)];
    check(
      `${name} holds meanwhile`,
      lateMs < HOLDS_MS * slow && values.length > 20,
      `${values.length}, p50 ${middleMs.toFixed(1)} ms, p99 ${lateMs.toFixed(1)} ms`,
    );
  }
}

/** More than forty images are measured. */
export async function fortyOne({ client, sets, images }: Stage, check: Check): Promise<void> {
  const set = await sets.fortyOne;
  const id = await createStockpile(client, "forty-one", set.truth.piles[0]);
  const { status, body, ms } = await client.post(`/materials/stockpiles/${id}/measure`, {
    images: images.show(set),
  });
  check("41 images are measured", status === 200, JSON.stringify(body.error) ?? seconds(ms));
}
