import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CameraId, ProjectId } from "../../../../domain/ids.ts";
import { camera, workZone } from "../../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  CAPTURES,
  clearCaptures,
  photographs,
  sendCapture,
  storeCapture,
} from "../../../support/capture-site.ts";

const iso = (ms: number) => new Date(ms).toISOString();

let t: TestApp;
let project_id: ProjectId;
let notified = 0;
beforeAll(async () => {
  const added = () => {
    notified += 1;
  };
  t = await openTestApp({ jobs: { added } });
  project_id = await t.project();
  const other = await t.project();
  await t.records.siteCameras.insert(camera("gate", { project_id }));
  await t.records.siteCameras.insert(camera("theirs", { project_id: other }));
  await t.records.workZones.insert(workZone("room", { project_id }));
  await t.records.workZones.insert(workZone("flat", { project_id: other }));
});
afterEach(() => clearCaptures(t));
afterAll(() => t[Symbol.asyncDispose]());

const send = (body: object) => sendCapture(t, { project_id, ...body });

/** Message of a refusal with 400; fails on any other answer. */
async function refusal(body: object): Promise<string> {
  const response = await send(body);
  const { code, message, details } = response.json().error;
  expect([response.statusCode, code]).toEqual([400, "invalid_parameter"]);
  expect(message).toBe(`${details[0].parameter} ${details[0].message}`);
  expect(t.records.rows.captures.size).toBe(0);
  return message;
}

describe("POST /captures", () => {
  it("POST /captures answers 201 with the contract's fields and no others, and the capture's address", async () => {
    notified = 0;
    const flight_metadata = { flown_at: "2026-03-05T09:30:00Z", pilot: { name: "Özdemir" } };
    const response = await sendCapture(t, {
      project_id,
      images: [...photographs(35), { url: "https://site.example/x", name: "DJI_0036.JPG" }],
      flight_metadata,
      unknown: 1,
    });
    const capture = response.json();
    expect(response.statusCode).toBe(201);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.headers.location).toBe(`${CAPTURES}/${capture.id}`);
    expect(response.body).toBe(
      JSON.stringify({
        id: capture.id,
        status: "processing",
        // Nothing waits: 36 photographs and one unit beside, at the 2 s that are assumed of each.
        estimated_completion: iso(NOON_MS + 74_000),
        images_count: 36,
      }),
    );
    expect(capture.id).toMatch(/^cap_[0-9A-Za-z]{16}$/);
    expect(notified).toBe(1);
    const row = t.records.rows.captures.get(capture.id);
    expect(row).toMatchObject({ project_id, capture_type: "drone", flight_metadata });
    const job = row && (await t.records.jobs.find(row.job_id));
    expect(job).toMatchObject({
      id: row?.job_id,
      kind: "capture",
      projectId: project_id,
      lane: `progress:${project_id}`,
      input: {
        captureId: capture.id,
        images: [...photographs(35), "https://site.example/x#DJI_0036.JPG"],
      },
    });
  });

  it("POST /captures takes a flight of two photographs: what is too few, the capture says", async () => {
    const response = await sendCapture(t, { project_id, images: photographs(2) });
    expect([response.statusCode, response.json().images_count]).toEqual([201, 2]);
  });

  it("POST /captures takes one picture of a camera or by hand, and of a flight with its heights or as a raster", async () => {
    const one = photographs(1);
    const statuses = [];
    for (const body of [
      { capture_type: "cctv", images: one, flight_metadata: { camera_id: "gate" } },
      { capture_type: "manual", images: one, flight_metadata: { zone_id: "room" } },
      { images: one, flight_metadata: { dsm_url: "https://site.example/dsm.tif" } },
      { images: ["https://site.example/dsm.tif"] },
      { images: photographs(5) },
      { capture_type: "cctv", images: photographs(500) },
    ]) {
      statuses.push((await sendCapture(t, { project_id, ...body })).statusCode);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201]);
  });

  it("a new capture's estimated end counts what waits: jobs of its project one by one, all others over the parallel jobs", async () => {
    const [first, second] = [await t.project(), await t.project()];
    const seconds = async (project_id: ProjectId, body: object = {}) => {
      const capture = (await sendCapture(t, { project_id, ...body })).json();
      return (Date.parse(capture.estimated_completion) - NOON_MS) / 1_000;
    };
    // 7 units of 2 s each; ten frames of a fixed camera are two units.
    expect(await seconds(first)).toBe(14);
    expect(await seconds(first)).toBe(28);
    // Projects take turns and two jobs run at once: half of the other's first 14 s, then its own 14 s.
    expect(await seconds(second)).toBe(21);
    expect(await seconds(first, { capture_type: "cctv", images: photographs(10) })).toBe(32);
  });

  it("POST /captures is answered once for each Idempotency-Key", async () => {
    const headers = { "idempotency-key": "flight 7" };
    const first = await sendCapture(t, { project_id }, headers);
    const again = await sendCapture(t, { project_id }, headers);
    const other = await sendCapture(t, { project_id, images: photographs(7) }, headers);
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    // A conflict, in the contract's statuses.
    expect([other.statusCode, other.json().error.code]).toEqual([400, "invalid_request"]);
    expect(t.records.rows.captures.size).toBe(1);
  });
});

describe("a capture that is refused", () => {
  it.each([
    ["lidar", 'capture_type must be one of drone, cctv, manual, not "lidar"'],
    ["Drone", 'capture_type must be one of drone, cctv, manual, not "Drone"'],
    ["", 'capture_type must be one of drone, cctv, manual, not ""'],
    [7, "capture_type must be one of drone, cctv, manual, not a number"],
    [null, "capture_type must be one of drone, cctv, manual, not null"],
    [["drone"], "capture_type must be one of drone, cctv, manual, not an array"],
    [undefined, "capture_type is required"],
  ])("a capture that is refused has the type %s", async (capture_type, message) => {
    expect(await refusal({ capture_type })).toBe(message);
  });

  it.each([
    [undefined, "images is required"],
    ["https://site.example/1.jpg", "images must be an array of image URLs, not a string"],
    [[], "images must name at least one image"],
    [photographs(601), "images must have at most 600 entries, not 601"],
    [[...photographs(5), "ftp://x/1.jpg"], "images[5] must be an absolute http or https URL"],
    [[...photographs(5), "http://10.0.0.7/1.jpg"], /^images\[5\] leads to an address/],
  ])("a capture that is refused has images that are none: %j", async (images, message) => {
    for (const capture_type of ["drone", "cctv"]) {
      expect(await refusal({ images, capture_type })).toMatch(message);
    }
  });

  const point = { name: "P1", latitude: 53.5, longitude: 9.9, elevation_m: 12 };
  it.each([
    ["of the wrong kind", null, /^flight_metadata must be/],
    ["a time that is none", { flown_at: "yesterday" }, /^flight_metadata\.flown_at must match/],
    [
      "a future",
      { flown_at: iso(NOON_MS + 300_001) },
      "flight_metadata.flown_at must not lie in the future",
    ],
    [
      "the last century",
      { taken_at: "1969-12-31T23:59:59Z" },
      /^flight_metadata\.taken_at must be.*1970/,
    ],
    ["text for a number", { gsd_cm: "2.1" }, /^flight_metadata\.gsd_cm must be number/],
    ["no height", { altitude_agl_m: 0 }, "flight_metadata.altitude_agl_m must be > 0"],
    ["101 %", { side_overlap_percent: 101 }, "flight_metadata.side_overlap_percent must be <= 100"],
    [
      "contours a millimetre apart",
      { exports: true, contour_interval_m: 0.001 },
      "flight_metadata.contour_interval_m must be >= 0.01",
    ],
    [
      "contours that nobody asks for",
      { contour_interval_m: 0.5 },
      "flight_metadata.contour_interval_m needs exports: true beside it",
    ],
    ["a word for a truth", { rtk: "yes" }, "flight_metadata.rtk must be boolean"],
    ["null", { rtk: null }, "flight_metadata.rtk must be boolean"],
    [
      "a lens of -8 mm",
      { camera: { focal_length_mm: -8 } },
      "flight_metadata.camera.focal_length_mm must be > 0",
    ],
    ["half a code", { epsg: 25832.5 }, /^flight_metadata\.epsg must be integer/],
    [
      "a point without a height",
      { ground_control_points: [{ ...point, elevation_m: undefined }] },
      "flight_metadata.ground_control_points.0.elevation_m is required",
    ],
    [
      "a point beyond the pole",
      { ground_control_points: [{ ...point, latitude: 91 }] },
      "flight_metadata.ground_control_points.0.latitude must be <= 90",
    ],
    [
      "half a mark",
      { ground_control_points: [point, { ...point, image: "1.jpg", x: 5 }] },
      "flight_metadata.ground_control_points[1] must have all of image, x and y, or none of them",
    ],
    [
      "one point at two places",
      { ground_control_points: [point, { ...point, longitude: 9.91 }] },
      'flight_metadata.ground_control_points[1] has other coordinates than the first entry of the point "P1"',
    ],
    [
      "heights in a private network",
      { dsm_url: "http://192.168.1.7/dsm.tif" },
      /^flight_metadata\.dsm_url leads to/,
    ],
    [
      "a picture in the address",
      { orthomosaic_url: "data:image/png;base64,AAAA" },
      /^flight_metadata\.orthomosaic_url must be an absolute/,
    ],
    ["a camera that is none", { camera_id: "no camera" }, /^flight_metadata\.camera_id must match/],
    [
      "nobody's camera",
      { camera_id: "nobodys" },
      "flight_metadata.camera_id names no camera of the project",
    ],
    [
      "another project's camera",
      { camera_id: "theirs" },
      "flight_metadata.camera_id names no camera of the project",
    ],
    [
      "nobody's zone",
      { zone_id: "nobodys" },
      "flight_metadata.zone_id names no zone of the project",
    ],
    [
      "another project's zone",
      { zone_id: "flat" },
      "flight_metadata.zone_id names no zone of the project",
    ],
  ])("a capture that is refused has metadata with %s", async (_name, flight_metadata, message) => {
    expect(await refusal({ flight_metadata })).toMatch(message);
  });

  it("a capture that is refused has metadata without end: deeper than 8, more than 256 KiB, more than a number holds", async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    expect(await refusal({ flight_metadata: nested(9) })).toBe(
      "flight_metadata must nest at most 8 levels deep",
    );
    expect(await refusal({ flight_metadata: { note: "x".repeat(262_145) } })).toBe(
      "flight_metadata must have at most 256 KiB of JSON, not 257 KiB",
    );
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
    const raw = async (metadata: string) => {
      const images = JSON.stringify(photographs(5));
      const body = `{"project_id":"${project_id}","capture_type":"drone","images":${images},"flight_metadata":${metadata}}`;
      const response = await t.app.inject({
        method: "POST",
        url: CAPTURES,
        headers,
        payload: body,
      });
      return [response.statusCode, response.json().error.message];
    };
    expect(await raw('{"wind":[1,1e999]}')).toEqual([
      400,
      "flight_metadata.wind[1] is a number that is not finite",
    ]);
    const bomb = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(await raw(bomb)).toEqual([400, "The body is nested more than 16 levels deep"]);
  });

  it("a capture larger than a body may be is refused with the address for images", async () => {
    const response = await send({ note: "x".repeat(2 ** 20) });
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      { code: "payload_too_large", message: expect.stringMatching(/1 MiB.*\/progress\/images/) },
    ]);
  });

  it("is refused in the order of refusals: 401, 403, 400, 404", async () => {
    const ours = await t.key({ scopes: ["progress:write"], project_ids: [project_id] });
    const reader = await t.key({ scopes: ["progress:read"] });
    const wrong = { project_id: "absent", capture_type: "lidar" };
    const answers = [];
    for (const [key, body] of [
      [undefined, wrong],
      [reader, wrong],
      [ours, wrong],
      [ours, { ...wrong, capture_type: "drone" }],
      [ours, { project_id: t.records.rows.cameras.get("theirs" as CameraId)?.project_id }],
      [ours, { project_id: "a b" }],
    ] as const) {
      const images = photographs(6);
      const sent = { capture_type: "drone", images, ...body };
      const response = await t.send("POST", CAPTURES, key, sent);
      answers.push([response.statusCode, response.json().error.message]);
    }
    expect(answers).toEqual([
      [401, "Invalid API key"],
      [403, "The API key lacks the scope progress:write"],
      [400, expect.stringMatching(/^capture_type/)],
      [404, "Not found"],
      [404, "Not found"],
      [400, expect.stringMatching(/^project_id/)],
    ]);
  });
});

describe("a service that cannot take a capture", () => {
  it("a service that cannot take a capture says so where nobody works on jobs", async () => {
    await using t = await openTestApp({ jobs: { isWorkedOn: false } });
    const response = await sendCapture(t, { project_id: await t.project() });
    expect([response.statusCode, response.json().error.message]).toEqual([
      500,
      expect.stringMatching(/WORKERS=0/),
    ]);
    expect(t.records.rows.captures.size).toBe(0);
  });

  it("a service that cannot take a capture takes none while more than 24 h of work or 250 captures of its project wait, and says when to come again", async () => {
    const { jobId } = await storeCapture(t, project_id);
    const job = await t.records.jobs.find(jobId);
    if (job === undefined) throw new Error("there is no job");
    const more = (id: string, workUnits: number) =>
      t.records.jobs.add({
        ...job,
        id: id as typeof jobId,
        lane: undefined,
        joinCompletedMs: 0,
        workUnits,
      });
    // 7 + 86,403 units of 2 s over two jobs at once: 24 h and 10 s.
    await more("long", 86_403);
    const late = await sendCapture(t, { project_id });
    expect([late.statusCode, late.headers["retry-after"]]).toEqual([429, "10"]);
    expect(late.json().error.message).toBe("More than 24 h of work are waiting");
    await t.records.jobs.requestCancel("long" as typeof jobId);
    for (let i = 1; i < 250; i += 1) await more(`job_${i}`, 7);
    const many = await sendCapture(t, { project_id });
    // 250 captures of 7 s each pass on average: 7 s until the next.
    expect([many.statusCode, many.headers["retry-after"]]).toEqual([429, "7"]);
    expect(many.json().error.message).toBe("250 captures of the project are waiting");
    expect(t.records.rows.captures.size).toBe(1);
    // Another project waits for its turn only.
    const other = await sendCapture(t, { project_id: await t.project() });
    expect(other.statusCode).toBe(201);
  });

  it("a service that cannot take a capture stores no capture whose work could not be queued", async () => {
    const { jobs } = t.records;
    const { add } = jobs;
    jobs.add = () => Promise.reject(new Error("the disk is full"));
    const response = await sendCapture(t, { project_id });
    jobs.add = add;
    expect(response.statusCode).toBe(500);
    expect(t.records.rows.captures.size).toBe(0);
  });
});
