import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { type ImageServer, openImageServer } from "../../support/image-server.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { ADMIN_KEY, PROJECT } from "./plumbline-target.ts";
import type { CrashParty } from "./target.ts";

const RETRY_MS = 250;
const FINISH_MS = 300_000;

/**
 * One client that measures stockpile after stockpile from the smallest simulated survey, and repeats a
 * POST until it is answered. Each stockpile must end with one measurement, however often its job began.
 */
export function createMeasureJobs(http: string): CrashParty {
  const api = createApiClient(http, ADMIN_KEY);
  const answered: string[] = [];
  const begun: string[] = [];
  let failures = 0;
  let isOver = false;
  let isClosed = false;
  let images: ImageServer | undefined;
  let measuring: Promise<void> | undefined;

  async function untilDone(path: string, body: object): Promise<void> {
    while (!isClosed) {
      const response = await fetch(`${http}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      // 409: the stockpile is there, from a POST whose answer the kill took.
      if (
        text !== undefined &&
        response !== undefined &&
        [200, 201, 409].includes(response.status)
      ) {
        return;
      }
      if (response !== undefined && response.status < 500 && response.status !== 429) failures += 1;
      await delay(RETRY_MS);
    }
  }

  async function measure({ truth }: SurveySet, urls: readonly string[]): Promise<void> {
    const [pile] = truth.piles;
    const footprint = pile?.outlineLonLat.map(([lonDeg, latDeg]) => [latDeg, lonDeg]);
    while (!isOver) {
      const id = `pile-${begun.length}`;
      begun.push(id);
      await untilDone("/materials/stockpiles", {
        id,
        project_id: PROJECT,
        material: "gravel",
        location: id,
        max_capacity_m3: 500,
        ...(footprint === undefined ? {} : { footprint }),
      });
      await untilDone(`/materials/stockpiles/${id}/measure`, { images: urls });
      if (!isClosed) answered.push(id);
    }
  }

  return {
    async begin() {
      const set = await surveySet(TINY_SURVEY);
      images = await openImageServer();
      measuring = measure(set, images.show(set));
    },
    async settle() {
      isOver = true;
      const timer = setTimeout(() => {
        isClosed = true;
      }, FINISH_MS);
      await measuring;
      clearTimeout(timer);
      let lost = 0;
      let twice = 0;
      for (const id of begun) {
        const { data } = await api.get<{ readonly data: readonly unknown[] }>(
          `/materials/stockpiles/${id}/measurements`,
        );
        if (data.length > 1) twice += 1;
        if (data.length === 0 && answered.includes(id)) lost += 1;
      }
      const figures = `${answered.length} of ${begun.length} answered, ${lost} lost, ${twice} measured twice, ${failures} refused`;
      return [
        { name: "measure jobs lost = 0, done twice = 0", passed: lost + twice === 0, figures },
        { name: "a measure job ended", passed: answered.length > 0, figures },
      ];
    },
    async close() {
      isOver = true;
      isClosed = true;
      await measuring;
      await images?.[Symbol.asyncDispose]();
    },
  };
}
