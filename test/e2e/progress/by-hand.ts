import type { Volume } from "../../../api/site-surveys/volume-schemas.ts";
import type { Client } from "../../support/answer-client.ts";
import { type SurveySet, surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { until } from "../../support/until.ts";
import type { Check, CheckContext } from "./check.ts";
import { createFlightProject } from "./flight-scene.ts";
import {
  ADMIN_KEY,
  captureUntil,
  made,
  openSiteService,
  type SiteService,
  sendCapture,
} from "./site-service.ts";

const PROJECT = "hand";
/** What the API rounds volumes to, m³. */
const ROUNDED = 0.001;
/** Correlations are kept to the percent, and weigh the noise of an interval. */
const INTERVAL_SHARE = 0.01;
/** How long the files of a survey that was deleted may stay, ms. */
const DELETED_MS = 60_000;

type Figures = Pick<Volume, "net_m3" | "uncertainty_95_m3" | "cut_m3" | "fill_m3">;
type Base = { readonly method: string } & Readonly<Record<string, unknown>>;

/** Flights of a project and surveys for themselves, measured by hand, against `measure` of the same images. */
export const byHand: Check = {
  name: "by-hand",
  about: "volumes drawn on flights of a project are what `measure` says of the same images",
  async run(context) {
    const [before, after] = [
      await surveySet({ ...TINY_SURVEY, epoch: 1 }),
      await surveySet({ ...TINY_SURVEY, epoch: 2 }),
    ];
    await using site = await openSiteService();
    const { client } = site;
    await createFlightProject(client, before, PROJECT);
    const earlier = await flown(context, site, before);
    const later = await flown(context, site, after);
    const usedBefore = await usedBytes(client);
    const alone = await surveyAlone(site, after);
    const aloneBytes = (await usedBytes(client)) - usedBefore;
    const [pile] = after.truth.piles;
    if (pile === undefined) throw new Error("the survey has no pile");
    const footprint = pile.outlineLonLat.map(([lng, lat]) => [lat, lng]);
    const levelM = await heightBeside(client, later, footprint);
    const images = site.images.show(after);
    const surface_url = await uploadedSurface(client, earlier);
    for (const [base, ofPile] of [
      [{ method: "plane" }],
      [{ method: "tin" }],
      [{ method: "level", height_m: levelM }],
      [
        { method: "survey", survey_id: earlier },
        { method: "survey", surface_url },
      ],
    ] as readonly (readonly [Base, Base?])[]) {
      const measured = await measuredPile(client, { footprint, base: ofPile ?? base, images });
      await sameByHand(context, client, { footprint, base, measured, surveys: [later, alone] });
    }
    await deletedWithItsFiles(context, client, alone, aloneBytes);
    return undefined;
  },
};

/** A flight of the project, with a report of its own. */
async function flown(
  { expect, print }: CheckContext,
  site: SiteService,
  set: SurveySet,
): Promise<string> {
  const id = await sendCapture(site.client, {
    ...{ project_id: PROJECT, capture_type: "drone", images: site.images.show(set) },
    flight_metadata: { rtk: true },
  });
  const bytes = await usedBytes(site.client);
  const capture = await captureUntil(site.client, id);
  print(`a flight takes ${mib((await usedBytes(site.client)) - bytes)} of its project's quota`);
  expect(
    "a flight of the project is completed with its report",
    capture.status === "completed" && capture.report_id !== null,
    capture.error?.message ?? capture.warnings.join(" "),
  );
  return id;
}

async function surveyAlone({ client, images }: SiteService, set: SurveySet): Promise<string> {
  const body = {
    ...{ project_id: PROJECT, images: images.show(set) },
    flight_metadata: { rtk: true },
  };
  const id = String((await made(client.post("/surveys", body)))["id"]);
  await captureUntil(client, id);
  return id;
}

/** What `measure` says of a new stockpile. */
async function measuredPile(
  client: Client,
  asked: { readonly footprint: unknown; readonly base: Base; readonly images: readonly string[] },
): Promise<Figures> {
  const id = `pile-${asked.base.method}`;
  await made(
    client.post("/materials/stockpiles", {
      ...{ id, project_id: PROJECT, material: "Gravel", location: asked.base.method },
      ...{ max_capacity_m3: 500, footprint: asked.footprint, base: asked.base },
    }),
  );
  const path = `/materials/stockpiles/${id}`;
  const measured = await made(client.post(`${path}/measure`, { images: asked.images }));
  const { current_volume_m3, uncertainty_95_m3, cut_m3, fill_m3 } = measured as unknown as {
    readonly current_volume_m3: number;
  } & Figures;
  return { net_m3: current_volume_m3, uncertainty_95_m3, cut_m3, fill_m3 };
}

async function sameByHand(
  { expect }: CheckContext,
  client: Client,
  {
    footprint,
    base,
    measured,
    surveys,
  }: {
    readonly footprint: unknown;
    readonly base: Base;
    readonly measured: Figures;
    readonly surveys: readonly string[];
  },
): Promise<void> {
  const drawn = await Promise.all(
    surveys.map(
      async (id) =>
        (await made(
          client.post(`/surveys/${id}/volume`, { footprint, base }),
        )) as unknown as Volume,
    ),
  );
  const isSame = (one: Volume) =>
    // A stockpile has no less than nothing; its cut and fill say where more is missing than there was.
    Math.abs(Math.max(0, one.net_m3) - measured.net_m3) <= ROUNDED &&
    (["cut_m3", "fill_m3"] as const).every(
      (name) => Math.abs(one[name] - measured[name]) <= ROUNDED,
    ) &&
    Math.abs(one.uncertainty_95_m3 / measured.uncertainty_95_m3 - 1) < INTERVAL_SHARE &&
    one.accuracy_basis === "survey";
  expect(
    `above a ${base.method} a footprint that is drawn on a flight of the project, and on a survey for itself, has net, cut, fill and interval of measure`,
    drawn.length === surveys.length && drawn.every(isSame),
    `measure ${text(measured)}; ${drawn.map((one) => `${text(one)} by its ${one.accuracy_basis}`).join("; ")}`,
  );
}

/** A height of the ground just outside of a footprint, metres: a level that its heap stands above. */
async function heightBeside(
  client: Client,
  survey: string,
  footprint: readonly (readonly [number, number] | readonly number[])[],
): Promise<number> {
  const north = Math.max(...footprint.map(([lat = 0]) => lat));
  const [, lng = 0] = footprint.find(([lat]) => lat === north) ?? [];
  const at = `${north + 1e-5},${lng}`;
  return Number((await made(client.get(`/surveys/${survey}/height?at=${at}`)))["height_m"]);
}

/** The surface of a flight, uploaded as the base of a stockpile. */
async function uploadedSurface(client: Client, survey: string): Promise<string> {
  const { products } = (await made(client.get(`/surveys/${survey}`))) as unknown as {
    readonly products: { readonly surface_url: string };
  };
  const surface = await (await fetch(products.surface_url)).arrayBuffer();
  const form = new FormData();
  form.append("images", new Blob([surface]), "earlier.tif");
  const answer = await fetch(`${client.url}/api/v1/progress/images?project_id=${PROJECT}`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${ADMIN_KEY}` }, body: form },
  });
  const { images } = (await answer.json()) as { readonly images: readonly { url: string }[] };
  const [image] = images;
  if (image === undefined) throw new Error(`the surface was answered ${answer.status}`);
  return image.url;
}

async function deletedWithItsFiles(
  { expect }: CheckContext,
  client: Client,
  survey: string,
  bytes: number,
): Promise<void> {
  const before = await usedBytes(client);
  const { status } = await client.send("DELETE", `/surveys/${survey}`);
  const isFreed = await until(
    "the files of the deleted survey are no longer counted",
    async () => before - (await usedBytes(client)) === bytes,
    DELETED_MS,
  ).catch(() => false);
  const freed = before - (await usedBytes(client));
  expect(
    "a survey that is deleted gives all of its bytes back",
    status === 204 && isFreed && bytes > 0,
    `${status}, ${mib(freed)} of ${mib(bytes)}`,
  );
}

const usedBytes = async (client: Client): Promise<number> =>
  Number((await made(client.get(`/projects/${PROJECT}/storage`)))["used_bytes"]);

const mib = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(2)} MiB`;
const text = ({ net_m3, uncertainty_95_m3, cut_m3, fill_m3 }: Figures): string =>
  `${net_m3} ± ${uncertainty_95_m3} m3 (${cut_m3} - ${fill_m3})`;
