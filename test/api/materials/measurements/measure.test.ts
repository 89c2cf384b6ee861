import { once } from "node:events";
import { request as sendHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { JobId, StockpileId } from "../../../../domain/ids.ts";
import { GateRefusal } from "../../../../processing/gates/gates.ts";
import type { MeasureRequest } from "../../../../processing/measurement/measure-request.ts";
import type { JobContext } from "../../../../processing/queue/job-handler.ts";
import { createFileUrlSigner } from "../../../../storage/files/signed-url.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../../support/api-app.ts";
import { type Measuring, startMeasuring, storeStockpile } from "../../../support/measuring.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

const urlOf = (id: string) => `/api/v1/materials/stockpiles/${id}/measure`;
const images = (count: number, flight = "a") =>
  Array.from({ length: count }, (_, i) => `https://site.example/${flight}/${i}.jpg`);
const SOON = { timeout: PATIENT_MS, interval: 5 };

const measure = (
  t: TestApp,
  id: string,
  body: object,
  headers: Record<string, string> = {},
  key = ADMIN_KEY,
) => t.send("POST", urlOf(id), key, body, headers);

const jobsOf = async (t: TestApp) => (await t.records.jobs.list({ limit: 99, offset: 0 })).jobs;

/** Work that ends when the test says so. */
function held() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = async (_request: MeasureRequest, { signal }: JobContext) => {
    const stopped = once(signal, "abort").then(() => signal.throwIfAborted());
    await Promise.race([released, stopped]);
  };
  return { work, release: () => release() };
}

async function begins(measuring: Measuring, count: number): Promise<void> {
  await expect.poll(() => measuring.begun.length, SOON).toBe(count);
}

describe("POST /stockpiles/{id}/measure", () => {
  it("POST /stockpiles/{id}/measure answers with the contract's fields first, then with what else it knows", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const response = await measure(t, id, { images: images(36) });
    const answer = response.json();
    expect([response.statusCode, response.headers["content-type"]]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(Object.keys(answer).slice(0, 7)).toEqual([
      "stockpile_id",
      "previous_volume_m3",
      "current_volume_m3",
      "change_m3",
      "measured_at",
      "accuracy",
      "measurement_id",
    ]);
    const signed = (path: string) =>
      expect.stringMatching(`^https://site\\.test/files/stockpiles/sp_north/${path}\\?expires=`);
    expect(answer).toEqual({
      stockpile_id: "sp_north",
      previous_volume_m3: 1_000.5,
      change_basis: "declared",
      current_volume_m3: 1_234.567,
      change_m3: 234.067,
      measured_at: "2026-03-05T09:30:00.000Z",
      accuracy: "98.6%",
      measurement_id: expect.stringMatching(/^msr_/),
      project_id: expect.stringMatching(/^prj_/),
      job_id: expect.stringMatching(/^job_/),
      recorded_at: "2026-03-05T12:00:00.000Z",
      is_current: true,
      accuracy_note: "Mostly the scale: fly with RTK.",
      uncertainty_95_m3: 17.284,
      sigma_m3: 8.818,
      sigma_terms_m3: {
        ...{ scale: 8, focal: 1, base: 3, dome: 1, noise: 0.5, gaps: 0.25, alignment: 0 },
      },
      cut_m3: 1_236.067,
      fill_m3: 1.5,
      net_m3: 1_234.567,
      area_m2: 410.25,
      max_height_m: 6.125,
      coverage_percent: 99.75,
      interpolated_percent: 1,
      base: { method: "plane", nmad_m: 0.021, from: "this_epoch" },
      footprint_status: "confirmed",
      georeferencing: "rtk",
      vertical_datum: { kind: "ellipsoidal", name: "above the WGS 84 ellipsoid" },
      alignment: "first",
      gsd_cm: 2.1,
      cell_m: 0.084,
      density_t_per_m3: 1.8,
      tonnes: 2_222.221,
      images: { given: 36, oriented: 35, refused: ["7.jpg was answered with status 404"] },
      image_uses: [
        { name: "1.jpg", use: "used", reason: null, signed_url: null },
        {
          ...{ name: "7.jpg", use: "unreadable", signed_url: null },
          reason: "7.jpg was answered with status 404",
        },
      ],
      warnings: [],
      report_url: signed("measurements/msr_[\\w-]+/report\\.html"),
      profile_url: signed("measurements/msr_[\\w-]+/profile\\.svg"),
      surface_url: signed("job_\\w+/1/dsm\\.tif"),
      orthomosaic_url: signed("job_\\w+/1/orthomosaic\\.tif"),
      model_3d_url: signed("job_\\w+/1/model\\.glb"),
      hillshade_url: signed("job_\\w+/1/hillshade\\.png"),
      heights_url: signed("job_\\w+/1/heights\\.png"),
      survey_report_url: signed("measurements/msr_[\\w-]+/survey-report\\.html"),
      survey_report_pdf_url: signed("measurements/msr_[\\w-]+/survey-report\\.pdf"),
      exports: {},
    });
    // Seven days.
    expect(answer.surface_url).toContain(`expires=${NOON_MS / 1_000 + 604_800}&`);
    expect(measuring.begun).toEqual([
      {
        stockpileId: id,
        images: images(36),
        requestedAtMs: NOON_MS,
        controlPoints: [],
        scaleBars: [],
      },
    ]);
  });

  it("POST /stockpiles/{id}/measure hands control points and scale bars on to the survey", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const marks = [{ image: "0.jpg", u: 12.5, v: 800 }];
    const point = { name: "P1", latitude: 53.5, longitude: 9.9, height_m: 12.25, marks };
    const response = await measure(t, id, {
      images: images(5),
      control_points: [
        point,
        { ...point, is_check: true, sigma_m: { horizontal: 0.01, vertical: 0.02 } },
      ],
      control_points_subset: true,
      scale_bars: [{ length_m: 10.5, sigma_m: 0.01, ends: [{ marks }, { marks }] }],
    });
    expect(response.statusCode).toBe(200);
    const read = { name: "P1", latDeg: 53.5, lonDeg: 9.9, heightM: 12.25, marks };
    expect(measuring.begun[0]).toMatchObject({
      isControlSubset: true,
      controlPoints: [
        { ...read, sigmaM: { horizontal: 0.02, vertical: 0.03 }, isCheck: false },
        { ...read, sigmaM: { horizontal: 0.01, vertical: 0.02 }, isCheck: true },
      ],
      scaleBars: [{ lengthM: 10.5, sigmaM: 0.01, ends: [{ marks }, { marks }] }],
    });
  });

  it("POST /stockpiles/{id}/measure hands the height unit of a given surface on, and refuses one that is none", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const asked = (surface_height_unit: string) =>
      measure(t, id, { images: images(5), surface_height_unit });
    expect((await asked("us-ft")).statusCode).toBe(200);
    expect(measuring.begun[0]).toMatchObject({ heightUnit: "us-ft" });
    const refused = await asked("yard");
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details[0].parameter).toBe("surface_height_unit");
  });

  it("POST /stockpiles/{id}/measure hands on when it was flown, each time a measurement of its own, and refuses the future", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const asked = (flown_at?: string) =>
      measure(t, id, { images: images(5), ...(flown_at !== undefined && { flown_at }) });
    for (const days of [8, 1]) {
      const flownAtMs = NOON_MS - days * 86_400_000;
      expect((await asked(new Date(flownAtMs).toISOString())).statusCode).toBe(200);
      expect(measuring.begun.at(-1)).toMatchObject({ flownAtMs });
    }
    expect((await asked()).statusCode).toBe(200);
    expect(measuring.begun).toHaveLength(3);
    expect(measuring.begun.at(-1)).not.toHaveProperty("flownAtMs");
    const refused = await asked(new Date(NOON_MS + 1_000).toISOString());
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.details[0].parameter).toBe("flown_at");
    expect(measuring.begun).toHaveLength(3);
  });

  it("POST /stockpiles/{id}/measure hands profile, orthophoto, maps and geoid on, each a measurement of its own", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const asked = [
      {},
      { profile: "full" },
      { profile: "full", orthophoto: "native" },
      { output_crs: "EPSG:2180" },
      { geoid_grid: "egm.gtx" },
    ];
    const ids = new Set<string>();
    for (const fields of asked) {
      const answer = await measure(t, id, { images: images(5), ...fields });
      ids.add(answer.json().measurement_id);
    }
    expect(ids.size).toBe(asked.length);
    expect(measuring.begun[2]).toMatchObject({ profile: "full", orthophoto: "native" });
    expect(measuring.begun.slice(3)).toMatchObject([
      { outputCrs: "EPSG:2180" },
      { geoidGrid: "egm.gtx" },
    ]);
    const quick = await measure(t, id, { images: images(5), profile: "quick" });
    expect(ids).toContain(quick.json().measurement_id);
  });

  it.each([
    [{ orthophoto: "native" }, "orthophoto", /needs profile: full/],
    [{ profile: "best" }, "profile", /quick/],
    [{ output_crs: "EPSG:4326" }, "output_crs", /cannot be used/],
    [{ geoid_grid: "../egm.gtx" }, "geoid_grid", /./],
  ])("POST /stockpiles/{id}/measure refuses %j", async (fields, parameter, words) => {
    await using t = await openTestApp();
    const { id } = await storeStockpile(t);
    const response = await measure(t, id, { images: images(5), ...fields });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0]).toMatchObject({
      ...{ parameter, message: expect.stringMatching(words) },
    });
  });

  it("POST /stockpiles/{id}/measure makes exports where they are asked for, by a measurement of its own", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const plain = await measure(t, id, { images: images(5), exports: false });
    expect(measuring.begun[0]).not.toHaveProperty("exports");
    const asked = { images: images(5), exports: true, contour_interval_m: 0.25 };
    const other = await measure(t, id, asked);
    expect(measuring.begun[1]).toMatchObject({ exports: true, contourIntervalM: 0.25 });
    expect(other.json().measurement_id).not.toBe(plain.json().measurement_id);
  });

  it.each([
    [{ exports: true, contour_interval_m: 0.001 }, /must be >= 0.01/],
    [{ exports: true, contour_interval_m: 101 }, /must be <= 100/],
    [{ contour_interval_m: 1 }, /needs exports: true/],
  ])("POST /stockpiles/{id}/measure refuses the contour interval of %j", async (fields, words) => {
    await using t = await openTestApp();
    const { id } = await storeStockpile(t);
    const response = await measure(t, id, { images: images(5), ...fields });
    expect(response.statusCode).toBe(400);
    const [detail] = response.json().error.details;
    expect(detail.parameter).toBe("contour_interval_m");
    expect(detail.message).toMatch(words);
  });

  it("POST /measure notifies the runner of this process of each job", async () => {
    let notified = 0;
    await using t = await openTestApp({
      jobs: {
        added: () => {
          notified += 1;
        },
      },
    });
    await using _measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    await measure(t, id, { images: images(5) });
    expect(notified).toBe(1);
  });
});

describe("the same request again", () => {
  it("the same request again joins the measurement that runs, and within 24 h the one that is done", async () => {
    await using t = await openTestApp();
    const { work, release } = held();
    await using measuring = startMeasuring(t, work);
    const { id } = await storeStockpile(t);
    const both = [measure(t, id, { images: images(5) }), measure(t, id, { images: images(5) })];
    await begins(measuring, 1);
    release();
    const [first, second] = (await Promise.all(both)).map((response) => response.json());
    const third = (await measure(t, id, { images: images(5).map((url) => ({ url })) })).json();
    expect([second.measurement_id, third.measurement_id]).toEqual([
      first.measurement_id,
      first.measurement_id,
    ]);
    const other = (await measure(t, id, { images: images(5, "b") })).json();
    expect(other.measurement_id).not.toBe(first.measurement_id);
    expect(await jobsOf(t)).toHaveLength(2);
  });

  it("the same request again has addresses that are signed anew", async () => {
    await using t = await openTestApp();
    await using _measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const first = (await measure(t, id, { images: images(5) })).json();
    t.clock.ms += 3_600_000;
    const second = (await measure(t, id, { images: images(5) })).json();
    expect(second.measurement_id).toBe(first.measurement_id);
    expect(second.report_url).not.toBe(first.report_url);
  });

  it("is the same by whichever signed addresses uploaded images are named", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const signer = createFileUrlSigner(PEPPER);
    const uploaded = (hours: number) =>
      [1, 2, 3, 4, 5].map((i) => {
        const key = `images/${String(i).repeat(64)}.jpg`;
        return `https://site.test/files/${key}?${signer.sign(key, NOON_MS + hours * 3_600_000)}`;
      });
    const first = (await measure(t, id, { images: uploaded(1) })).json();
    const second = (await measure(t, id, { images: uploaded(2) })).json();
    expect(second.measurement_id).toBe(first.measurement_id);
    expect(measuring.begun).toMatchObject([{ images: uploaded(1) }]);
    // An address that has expired is one like any other, and nobody can be fetched from there.
    const late = await measure(t, id, { images: uploaded(-1) });
    expect(late.json().measurement_id).not.toBe(first.measurement_id);
  });

  it("the same request again gets the first one's result after the client hung up, which cancels nothing", async () => {
    await using t = await openTestApp();
    const { work, release } = held();
    await using measuring = startMeasuring(t, work);
    const { id } = await storeStockpile(t);
    await t.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = t.app.server.address() as AddressInfo;
    const body = JSON.stringify({ images: images(5) });
    const client = sendHttp({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: urlOf(id),
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        "content-type": "application/json",
        "idempotency-key": "once",
      },
    });
    client.once("error", () => undefined);
    client.end(body);
    await begins(measuring, 1);
    client.destroy();
    const again = measure(t, id, { images: images(5) }, { "idempotency-key": "once" });
    release();
    expect((await again).statusCode).toBe(200);
    expect(await jobsOf(t)).toMatchObject([{ state: "completed", attempts: 1 }]);
  });

  it("the same request again joins the work by its Idempotency-Key too, and is replayed when it is done", async () => {
    await using t = await openTestApp();
    const { work, release } = held();
    await using measuring = startMeasuring(t, work);
    const { id } = await storeStockpile(t);
    const send = () => measure(t, id, { images: images(5) }, { "idempotency-key": "k" });
    const waits = vi.spyOn(t.watch, "untilOver");
    const first = send();
    await begins(measuring, 1);
    const second = send();
    await expect.poll(() => waits.mock.calls.length, SOON).toBe(2);
    release();
    const [one, two] = [await first, await second];
    const third = await send();
    expect([one, two, third].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect([one, two, third].map(({ headers }) => headers["idempotent-replayed"])).toEqual([
      undefined,
      undefined,
      "true",
    ]);
    expect(third.body).toBe(one.body);
    const other = await measure(t, id, { images: images(6) }, { "idempotency-key": "k" });
    // A conflict, in the contract's statuses.
    expect([other.statusCode, other.json().error.code]).toEqual([400, "invalid_request"]);
    expect(await jobsOf(t)).toHaveLength(1);
  });
});

describe("a measurement that cannot be", () => {
  it("an impossible measurement is refused immediately, before the stockpile is read", async () => {
    await using t = await openTestApp();
    const { id } = await storeStockpile(t);
    const at = (entry: unknown) => ({ images: [...images(5), entry] });
    const cases: readonly (readonly [body: object, code: string, message: RegExp])[] = [
      [{}, "invalid_parameter", /^images is required/],
      [{ images: [] }, "invalid_parameter", /at least one/],
      [{ images: images(301) }, "invalid_parameter", /at most 300 entries, not 301/],
      [{ images: images(10_000) }, "invalid_parameter", /at most 300 entries, not 10000/],
      [at(7), "invalid_parameter", /^images\[5\] must be a URL/],
      [at("http://10.0.0.7/x.jpg"), "invalid_parameter", /^images\[5\] leads to/],
      [{ images: images(3) }, "unusable_images", /^TOO_FEW_IMAGES: 3 images/],
      [{ images: images(5), scale_bars: [{}] }, "invalid_parameter", /^scale_bars\.0/],
      [{ images: [], note: "x".repeat(2 ** 20) }, "payload_too_large", /1 MiB.*\/images/],
    ];
    for (const [body, code, message] of cases) {
      for (const stockpile of [id, "absent"]) {
        const response = await measure(t, stockpile, body);
        expect([response.statusCode, response.json().error]).toMatchObject([
          400,
          { code, message: expect.stringMatching(message) },
        ]);
      }
    }
    const absent = [await measure(t, "absent", { images: images(5) })];
    absent.push(await measure(t, "a%20b", { images: images(5) }));
    for (const { statusCode, body } of absent) {
      expect([statusCode, JSON.parse(body).error]).toMatchObject([
        404,
        { code: "not_found", message: "Not found" },
      ]);
    }
    expect(await jobsOf(t)).toEqual([]);
  });

  it("an impossible measurement names the gate, its limit and what to do in the details", async () => {
    await using t = await openTestApp();
    const { id } = await storeStockpile(t);
    const { error } = (await measure(t, id, { images: images(3) })).json();
    expect(error.details).toMatchObject([
      { parameter: "images", gate: "TOO_FEW_IMAGES", value: 3, threshold: 5, unit: "images" },
    ]);
    expect(error.details[0].advice).toMatch(/oblique/);
  });

  it.each([
    [
      new GateRefusal({
        gate: "WEAK_TEXTURE",
        severity: "reject",
        value: 40,
        threshold: 200,
        unit: "keypoints",
        advice: "Fly lower.",
        images: ["0.jpg"],
      }),
      400,
      {
        code: "unusable_images",
        message: expect.stringMatching(/^WEAK_TEXTURE: 40 keypoints/),
        details: [
          {
            parameter: "images",
            message: expect.stringMatching(/^WEAK_TEXTURE/),
            gate: "WEAK_TEXTURE",
            value: 40,
            threshold: 200,
            unit: "keypoints",
            advice: "Fly lower.",
            images: ["0.jpg"],
          },
        ],
      },
    ],
    [
      new DomainError("IMAGE_REFUSED", "3.jpg was answered with status 404"),
      400,
      { code: "unusable_images", message: "3.jpg was answered with status 404" },
    ],
    [
      new DomainError("STOCKPILE_NOT_FOUND", "gone"),
      404,
      { code: "not_found", message: "Not found" },
    ],
    [
      new Error("a bug, whose words are for the log"),
      500,
      {
        code: "internal_error",
        message: "The measurement failed: the job failed by an internal error",
      },
    ],
  ])("an impossible measurement is answered with what became of its job: %s", async (thrown, status, error) => {
    await using t = await openTestApp();
    await using _measuring = startMeasuring(t, () => Promise.reject(thrown));
    const { id } = await storeStockpile(t);
    const response = await measure(t, id, { images: images(5) });
    const { request_id: _, ...notified } = response.json().error;
    expect([response.statusCode, notified]).toEqual([status, error]);
    // A failure is not joined: the next request tries again.
    await measure(t, id, { images: images(5) });
    expect(await jobsOf(t)).toHaveLength(2);
  });

  it("an impossible measurement is answered when somebody cancels its job", async () => {
    await using t = await openTestApp();
    const { work } = held();
    await using measuring = startMeasuring(t, work);
    const { id } = await storeStockpile(t);
    const answer = measure(t, id, { images: images(5) });
    await begins(measuring, 1);
    const [job] = await jobsOf(t);
    await t.records.jobs.requestCancel(job?.id ?? ("" as JobId));
    expect((await answer).json().error).toMatchObject({
      code: "internal_error",
      message: "The measurement was canceled",
    });
  });

  it("an impossible measurement is refused where nobody works on jobs", async () => {
    await using t = await openTestApp({ jobs: { isWorkedOn: false } });
    const { id } = await storeStockpile(t);
    const response = await measure(t, id, { images: images(5) });
    expect([response.statusCode, response.json().error.message]).toEqual([
      500,
      expect.stringMatching(/WORKERS=0/),
    ]);
    expect(await jobsOf(t)).toEqual([]);
  });
});

describe("a queue of more than 10 min of work", () => {
  it("a queue of more than 10 min of work refuses a new measurement with a time to retry; a join is always taken", async () => {
    await using t = await openTestApp();
    const ids = Array.from({ length: 10 }, (_, i) => `sp_${i}` as StockpileId);
    const project_id = await t.project();
    for (const id of ids) await storeStockpile(t, { id, project_id });
    // 140 images at the 2 s that are assumed of each, over two jobs at once: 140 s for each measurement.
    const answers = ids.map((id) => measure(t, id, { images: images(140) }));
    await expect.poll(async () => (await jobsOf(t)).length, SOON).toBe(5);
    const refused = await Promise.all(answers.slice(5));
    expect(refused.map(({ statusCode, headers }) => [statusCode, headers["retry-after"]])).toEqual(
      refused.map(() => [429, "100"]),
    );
    expect(refused[0]?.json().error).toMatchObject({
      code: "rate_limit_exceeded",
      message: "More than 10 min of work are waiting",
    });
    const joined = measure(t, "sp_4", { images: images(140) });
    await using measuring = startMeasuring(t);
    const done = await Promise.all([...answers.slice(0, 5), joined]);
    expect(done.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(measuring.begun).toHaveLength(5);
  });
});

describe("a service that stops", () => {
  it("a service that stops answers every request that waits, and keeps the measurement", async () => {
    const t = await openTestApp();
    const { work } = held();
    await using measuring = startMeasuring(t, work);
    const { id } = await storeStockpile(t);
    await t.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = t.app.server.address() as AddressInfo;
    // Over connections that a client would keep for its next requests.
    const answers = [1, 2].map(() =>
      fetch(`http://127.0.0.1:${port}${urlOf(id)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ images: images(5) }),
      }),
    );
    const waits = vi.spyOn(t.watch, "untilOver");
    await begins(measuring, 1);
    await expect.poll(() => waits.mock.calls.length, SOON).toBe(2);
    await t[Symbol.asyncDispose]();
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toMatchObject(
        [
          500,
          "10",
          {
            error: { code: "internal_error", message: expect.stringMatching(/is stopping.*kept/) },
          },
        ],
      );
    }
    expect(await jobsOf(t)).toMatchObject([{ state: "running", cancelRequested: false }]);
  });
});

describe("a key", () => {
  it("a key needs materials:write, and sees the stockpiles of its own projects alone", async () => {
    await using t = await openTestApp();
    await using measuring = startMeasuring(t);
    const { id } = await storeStockpile(t);
    const ours = await t.project();
    const reader = await t.key({ scopes: ["materials:read"] });
    const stranger = await t.key({ scopes: ["materials:write"], project_ids: [ours] });
    const writer = await t.key({ scopes: ["materials:write"] });
    const statuses = [];
    for (const key of [undefined, reader, stranger, writer]) {
      const answer = await t.send("POST", urlOf(id), key, { images: images(5) });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([401, 403, 404, 200]);
    expect(measuring.begun).toHaveLength(1);
  });
});
