import { loadavg } from "node:os";
import { Compile } from "typebox/compile";
import { Measurement } from "../../../api/materials/measurements/measurement-schemas.ts";
import { slowness } from "../../support/slowness.ts";
import { type Check, type Stage, seconds } from "./stage.ts";
import { createStockpile } from "./yard.ts";

/** Issue: 200 within 60 s on two cores, and 2 s for the same call again. */
const FIRST_MS = 60_000;
const AGAIN_MS = 2_000;
const CONTRACT = [
  "stockpile_id",
  "previous_volume_m3",
  "current_volume_m3",
  "change_m3",
  "measured_at",
  "accuracy",
];
const measurement = Compile(Measurement);

const inLitres = (value: number) => Number(value.toFixed(3)) === value;

/** 36 images by URL: the contract's answer, in time, true within its interval; and what hangs on it. */
export async function contractAnswer({ client, sets, images }: Stage, check: Check): Promise<void> {
  const set = await sets.large;
  const [pile] = set.truth.piles;
  if (pile === undefined) throw new Error("the survey has no pile");
  const id = await createStockpile(client, "gravel-1", pile);
  const path = `/materials/stockpiles/${id}`;
  const body = { images: images.show(set) };

  const first = await client.post(`${path}/measure`, body);
  check("36 images by URL are measured", first.status === 200, JSON.stringify(first.body.error));
  check(
    "within 60 s, on two cores that nobody else works on",
    first.ms <= FIRST_MS * slowness(),
    `${seconds(first.ms)}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  if (first.status !== 200) return;
  const again = await client.post(`${path}/measure`, body);
  check(
    "the same call again gets the same measurement",
    again.body["measurement_id"] === first.body["measurement_id"],
  );
  check("within 2 s", again.ms <= AGAIN_MS * slowness(), seconds(again.ms));

  const names = Object.keys(first.body);
  check(
    "the contract's fields come first",
    CONTRACT.every((name, i) => names[i] === name),
  );
  check("the answer is as it is described", measurement.Check(first.body));
  if (!measurement.Check(first.body)) return;
  const answer = first.body;
  const { previous_volume_m3: previous, current_volume_m3: current, change_m3: change } = answer;
  check("stockpile_id is the stockpile's", answer.stockpile_id === id);
  check("previous_volume_m3 is what was declared", previous === 10.5, String(previous));
  check(
    "volumes have three decimals, and the change is current less previous, exactly",
    [current, change].every(inLitres) && change === Number((current - previous).toFixed(3)),
    `${current} - ${previous} = ${change}`,
  );
  check(
    "measured_at is ISO 8601 in UTC, when the newest image was taken",
    new Date(answer.measured_at).toISOString() === answer.measured_at,
    answer.measured_at,
  );
  check(
    "accuracy is a percentage as text",
    /^\d{1,3}\.\d%$/.test(answer.accuracy),
    answer.accuracy,
  );
  const errorM3 = current - pile.volumeM3;
  check(
    "the volume is true within 1.5 of its stated 95 %, and that is not all of it",
    Math.abs(errorM3) <= 1.5 * answer.uncertainty_95_m3 &&
      answer.uncertainty_95_m3 < 0.1 * pile.volumeM3,
    `${current} m3 +- ${answer.uncertainty_95_m3}, truth ${pile.volumeM3.toFixed(3)}`,
  );
  check(
    "all 36 images were oriented, and RTK places them",
    answer.images.oriented === 36 && answer.georeferencing === "rtk",
  );

  for (const name of [
    "surface_url",
    "orthomosaic_url",
    "model_3d_url",
    "hillshade_url",
    "heights_url",
  ] as const) {
    const opened = await client.open(answer[name] ?? "");
    check(`${name} opens without a key`, opened.status === 200, `${opened.status} ${opened.type}`);
  }
  const report = await client.open(answer.report_url);
  check(
    "report_url opens a page that shows the volume",
    report.status === 200 && report.type.startsWith("text/html") && report.text.includes(id),
  );
  const drawing = await client.open(answer.profile_url);
  check(
    "profile_url opens a drawing",
    drawing.type.startsWith("image/svg+xml") && drawing.status === 200,
  );
  const survey = await client.open(answer.survey_report_url);
  check(
    "survey_report_url opens a page",
    survey.type.startsWith("text/html") && survey.status === 200,
  );

  const list = await client.get(`${path}/measurements`);
  check("the list holds the one measurement", list.body.pagination?.total === 1);
  const stockpile = await client.get(path);
  check(
    "the stockpile holds what was measured",
    stockpile.body["current_volume_m3"] === current &&
      stockpile.body["last_measured"] === answer.measured_at,
  );
  const events = await client.get("/events?cursor=0&type=materials.stockpile.measured");
  check("an event reports it", JSON.stringify(events.body).includes(answer.measurement_id));
}
