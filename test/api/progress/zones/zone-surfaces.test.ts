import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CaptureId, WorkZoneId } from "../../../../domain/ids.ts";
import { imageKey } from "../../../../processing/images/files/image-key.ts";
import { readTin } from "../../../../processing/progress/landxml/tin-file.ts";
import type { Files } from "../../../../storage/open.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { openTestFiles } from "../../../support/stockpile-site.ts";
import {
  createZone,
  surfaceTiff,
  surfaceXml,
  withZoneProjects,
  ZONE_CORNER,
  ZONES,
} from "../../../support/zone-site.ts";

const DAY_MS = 86_400_000;

describe("surfaces of work zones", () => {
  let files: Files & AsyncDisposable;
  let t: TestApp;
  /** Another one for each test. */
  let zoneId: WorkZoneId;
  beforeAll(async () => {
    files = await openTestFiles();
    t = await openTestApp({ files });
    await withZoneProjects(t);
    await t.app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(async () => {
    await t[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    t.clock.ms = NOON_MS;
    zoneId = (await createZone(t)).id;
  });

  const put = (body: object, surface = "design") =>
    t.send("PUT", `${ZONES}/${zoneId}/surfaces/${surface}`, ADMIN_KEY, body);

  const putFile = (content: string | Buffer, { query = "", type = "application/xml" } = {}) =>
    t.app.inject({
      method: "PUT",
      url: `${ZONES}/${zoneId}/surfaces/design${query}`,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": type },
      payload: content,
    });

  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of files.store.list(`zones/${zoneId}/`)) keys.push(key);
    return keys;
  };

  /** An image as POST /progress/images leaves it, and its address. */
  async function uploaded(content: Buffer, sha256 = "a".repeat(64)): Promise<string> {
    const key = imageKey({ sha256, kind: "tif" });
    await files.store.put(key, content);
    return files.sign(key, NOON_MS + DAY_MS);
  }

  it("surfaces of work zones may be one height, in the heights of the surveys or above the baseline", async () => {
    t.clock.ms += 60_000;
    const baseline = await put({ height_m: -2.5 }, "baseline");
    expect(baseline.statusCode).toBe(200);
    const design = (await put({ height_m: 3, reference: "baseline" })).json();
    expect(design).toMatchObject({
      id: zoneId,
      baseline: { kind: "level", height_m: -2.5, reference: "survey" },
      design: { kind: "level", height_m: 3, reference: "baseline" },
      updated_at: "2026-03-05T12:01:00.000Z",
      warnings: [],
    });
    const { warnings: _, ...zone } = design;
    expect((await t.get(`${ZONES}/${zoneId}`, ADMIN_KEY)).json()).toEqual(zone);
    const removed = await t.send("DELETE", `${ZONES}/${zoneId}/surfaces/baseline`, ADMIN_KEY);
    expect([removed.statusCode, removed.body]).toEqual([204, ""]);
    const left = await t.records.workZones.find(zoneId);
    expect([left?.baseline, left?.design?.kind]).toEqual([undefined, "level"]);
  });

  it.each([
    [{}, "height_m", /is required where there is no surface_url: metres, -1000 to 10000/],
    [{ height_m: 10_001 }, "height_m", /must be a number of metres, -1000 to 10000, not 10001/],
    [{ height_m: "3" }, "height_m", /not a string/],
    [{ height_m: 3, reference: "sea" }, "reference", /must be one of survey, baseline/],
    [{ height_m: 3, surface_url: "x" }, "surface_url", /goes without height_m/],
    [{ surface_url: 3 }, "surface_url", /must be a text, not a number/],
    [{ surface_url: "https://site.test/files/x" }, "surface_url", /POST \/progress\/images gave/],
    [[1], "body", /must be an object, not an array/],
  ])("an upload of a surface is answered with 400 for %j, naming what is wrong", async (body, parameter, message) => {
    const response = await put(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details[0]).toMatchObject({
      parameter,
      message: expect.stringMatching(message),
    });
  });

  it("surfaces of work zones of a baseline do not lie above the baseline", async () => {
    const response = await put({ height_m: 3, reference: "baseline" }, "baseline");
    expect(response.json().error.message).toMatch(/must be survey: a baseline does not lie above/);
    expect((await put({ height_m: 3 }, "roof")).statusCode).toBe(404);
    const nowhere = `${ZONES}/none/surfaces/design`;
    expect((await t.send("PUT", nowhere, ADMIN_KEY, { height_m: 1 })).statusCode).toBe(404);
    expect((await t.send("DELETE", nowhere, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("surfaces of work zones are GeoTIFFs that were uploaded, which become the zone's own", async () => {
    const tiff = await surfaceTiff();
    const url = await uploaded(tiff);
    const design = (await put({ surface_url: url })).json().design;
    const key = `zones/${zoneId}/design/${"a".repeat(64)}.tif`;
    expect(design).toMatchObject({ kind: "raster" });
    expect(files.keyOf(design.surface_url)).toBe(key);
    const opened = await files.store.get(key);
    expect(opened && (await buffer(opened.body)).equals(tiff)).toBe(true);
    // Once more, and by the zone's own address, also for the other surface.
    expect((await put({ surface_url: url })).statusCode).toBe(200);
    const same = (await put({ surface_url: design.surface_url }, "baseline")).json();
    expect(files.keyOf(same.baseline.surface_url)).toBe(key);
    expect(await stored()).toEqual([key]);
    await files.store.delete(key);
    const gone = await put({ surface_url: design.surface_url });
    expect(gone.json().error.message).toMatch(/leads to a file that is not there any more/);
  });

  it("surfaces of work zones are in the declared unit; assumed metres are reported", async () => {
    const assumed = (await put({ surface_url: await uploaded(await surfaceTiff()) })).json();
    expect(assumed.warnings).toEqual([expect.stringMatching(/metres are assumed/)]);
    const said = { surface_url: assumed.design.surface_url, surface_height_unit: "ft" };
    const again = (await put(said)).json();
    expect([again.design.surface_height_unit, again.warnings]).toEqual(["ft", []]);
    // The plan of EPSG:2227 is in feet; it lies elsewhere, which is found out after its unit.
    const feet = await surfaceTiff({ ProjectedCSTypeGeoKey: 2_227 });
    const unsaid = await putFile(feet);
    expect(unsaid.json().error.message).toMatch(/does not state the unit of its heights/);
    const conflicting = await putFile(feet, { query: "?surface_height_unit=us-ft" });
    expect(conflicting.json().error.message).toMatch(/from the zone/);
    const xml = await putFile(surfaceXml(), { query: "?surface_height_unit=ft" });
    expect(xml.json().error.message).toMatch(/is LandXML, which names its unit/);
    const level = await put({ height_m: 3, surface_height_unit: "ft" });
    expect(level.json().error.details[0].parameter).toBe("surface_height_unit");
  });

  it("surfaces made by flights are listed as such", async () => {
    await t.records.workZones.update(zoneId, (before) => ({
      ...before,
      baseline: {
        kind: "flight",
        surface_key: "captures/c1/ground.tif",
        capture_id: "c1" as CaptureId,
      },
    }));
    const { baseline } = (await t.get(`${ZONES}/${zoneId}`, ADMIN_KEY)).json();
    expect(baseline).toMatchObject({ kind: "flight", capture_id: "c1" });
    expect(files.keyOf(baseline.surface_url)).toBe("captures/c1/ground.tif");
  });

  it("surfaces are GeoTIFFs and LandXML as the body, distinguished by their content", async () => {
    const tiff = await surfaceTiff();
    const raster = (await putFile(tiff, { type: "application/octet-stream" })).json();
    expect(raster.design.kind).toBe("raster");
    const rasterKey = files.keyOf(raster.design.surface_url) ?? "";
    expect(rasterKey.replace(zoneId, "Z")).toMatch(/^zones\/Z\/design\/[0-9A-Za-z]{16}\.tif$/);
    const opened = await files.store.get(rasterKey);
    expect(opened && (await buffer(opened.body)).equals(tiff)).toBe(true);

    const tin = (await putFile(surfaceXml(), { type: "image/tiff" })).json();
    expect([tin.design.kind, tin.warnings]).toEqual(["tin", []]);
    const tinKey = files.keyOf(tin.design.surface_url) ?? "";
    const file = await files.store.get(tinKey);
    const surface = readTin(await buffer(file?.body ?? Readable.from([])));
    expect([...surface.heightM]).toEqual([102, 102, 102]);
    expect(surface.latDeg[0]).toBeCloseTo(45, 8);
    expect(surface.lonDeg[0]).toBeCloseTo(15, 9);
    const again = (await put({ surface_url: tin.design.surface_url })).json();
    expect([again.design.kind, files.keyOf(again.design.surface_url)]).toEqual(["tin", tinKey]);
  });

  it("surfaces of LandXML take a coordinate system from the query and report what was assumed", async () => {
    const bare = surfaceXml({ head: "<Project/>" });
    const refused = await putFile(bare);
    expect(refused.json().error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/names no EPSG code .* give it as \?epsg=/),
    });
    const taken = (await putFile(bare, { query: "?epsg=32633" })).json();
    expect(taken.warnings).toEqual(["the file names no unit of length; metres are assumed"]);
    const named = await putFile(surfaceXml(), { query: "?surface=Soll" });
    expect(named.json().error.message).toMatch(/no surface "Soll"; it has "Planum"/);
    expect((await putFile(bare, { query: "?epsg=x" })).json().error.details).toMatchObject([
      { parameter: "epsg" },
    ]);
  });

  it.each([
    ["text", () => "height 3", /line 1 is not well-formed XML/],
    ["nothing", () => " ", /not well-formed XML/],
    ["a PNG", () => Buffer.from("89504e470d0a1a0a", "hex"), /not well-formed XML/],
    [
      "a TIFF that is cut off",
      async () => (await surfaceTiff()).subarray(0, 60),
      /surface cannot be used: the raster is/,
    ],
    [
      "a TIFF that points beyond its end",
      () => Buffer.from("49492a00ffffff7f", "hex"),
      /the raster is/,
    ],
    [
      "a BigTIFF of endless directories",
      () => Buffer.from("49492b00080000001000000000000000ffffffffffffff7f", "hex"),
      /the raster is/,
    ],
    [
      "an unknown system",
      () => surfaceTiff({ ProjectedCSTypeGeoKey: 8_441 }),
      /EPSG:8441, which has the projection "labrd", which is not known/,
    ],
    [
      "a raster elsewhere",
      () =>
        surfaceTiff({ ModelTiepoint: [0, 0, 0, ZONE_CORNER.east, ZONE_CORNER.north + 5_000, 0] }),
      /lies 48[0-9]{2} m from the zone/,
    ],
    [
      "easting before northing",
      () => surfaceXml({ swapped: true }),
      /m from the zone, .* the order of northing and easting|lies nowhere/,
    ],
    [
      "a document type",
      () => `<!DOCTYPE a [<!ENTITY x "y">]>${surfaceXml()}`,
      /document type \(DTD\), which is refused/,
    ],
  ])("surfaces of work zones are refused, and leave nothing behind: %s", async (_, content, message) => {
    const response = await putFile(await content());
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
    expect(await stored()).toEqual([]);
    expect((await t.records.workZones.find(zoneId))?.design).toBeUndefined();
  });

  it("an upload that is not a surface is refused, and the surface in use stays", async () => {
    const design = (await put({ surface_url: await uploaded(await surfaceTiff()) })).json().design;
    const elsewhere = [
      [10, 10],
      [10.001, 10],
      [10, 10.001],
    ];
    await t.send("PATCH", `${ZONES}/${zoneId}`, ADMIN_KEY, { polygon: elsewhere });
    const again = await put({ surface_url: await uploaded(await surfaceTiff()) });
    expect(again.json().error.message).toMatch(/m from the zone/);
    expect(await stored()).toEqual([files.keyOf(design.surface_url)]);
    const image = await uploaded(await surfaceTiff({ ProjectedCSTypeGeoKey: 1 }), "b".repeat(64));
    expect((await put({ surface_url: image })).json().error.message).toMatch(
      /EPSG:1, which is not a projected, geographic or compound system/,
    );
    expect(await stored()).toHaveLength(1);
    const jpeg = files.sign(imageKey({ sha256: "c".repeat(64), kind: "jpg" }), NOON_MS + DAY_MS);
    expect((await put({ surface_url: jpeg })).json().error.message).toMatch(
      /must be the address of a TIFF file that was uploaded, or of a surface of this zone/,
    );
    const other = files.sign("zones/z2/design/x.tif", NOON_MS + DAY_MS);
    expect((await put({ surface_url: other })).statusCode).toBe(400);
  });

  it("surfaces of work zones that come in while the zone is deleted leave nothing behind", async () => {
    const { workZones } = t.records;
    const { find } = workZones;
    const zone = await workZones.find(zoneId);
    await workZones.delete(zoneId);
    workZones.find = async () => zone;
    const response = await putFile(await surfaceTiff());
    workZones.find = find;
    expect(response.statusCode).toBe(404);
    await expect.poll(stored).toEqual([]);
  });

  /** Sends a body piece by piece over a real connection, until the answer comes or `pieces` end. */
  async function sendSlowly(pieces: Iterable<Buffer>, cut = false) {
    const { port } = t.app.server.address() as AddressInfo;
    return await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const sent = request({
        port,
        method: "PUT",
        path: `${ZONES}/${zoneId}/surfaces/design`,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "image/tiff" },
      });
      let isAnswered = false;
      sent.on("response", async (response) => {
        isAnswered = true;
        resolve({ status: response.statusCode ?? 0, body: String(await buffer(response)) });
        sent.destroy();
      });
      sent.on("error", reject);
      void (async () => {
        for (const piece of pieces) {
          if (isAnswered) return;
          if (!sent.write(piece)) await new Promise((done) => sent.once("drain", done));
        }
        if (cut) sent.destroy(new Error("cut"));
        else sent.end();
      })();
    });
  }

  it("surfaces of work zones beyond 50 MiB are refused while they come in, and the client reads why", async () => {
    const head = await surfaceTiff();
    function* endless() {
      yield head;
      for (;;) yield Buffer.alloc(1024 ** 2);
    }
    const { status, body } = await sendSlowly(endless());
    expect(status).toBe(400);
    expect(JSON.parse(body).error).toMatchObject({
      code: "payload_too_large",
      message: "A surface has at most 50 MiB",
    });
    expect(await stored()).toEqual([]);
  });

  it("surfaces of work zones that are refused by their first line are answered before the rest has come", async () => {
    function* endless() {
      yield Buffer.from("<kml>");
      for (;;) yield Buffer.alloc(1024 ** 2, " ");
    }
    const { status, body } = await sendSlowly(endless());
    expect([status, JSON.parse(body).error.message]).toEqual([
      400,
      expect.stringMatching(/line 1 begins a "kml"/),
    ]);
    // A body that nobody reads would keep its connection, and the server from closing.
    const connections = () =>
      new Promise((resolve) => t.app.server.getConnections((_, count) => resolve(count)));
    await expect.poll(connections, { timeout: PATIENT_MS }).toBe(0);
  });

  it("surfaces of work zones leave nothing behind when the client goes away", async () => {
    const head = await surfaceTiff();
    await expect(sendSlowly([head, Buffer.alloc(1024)], true)).rejects.toThrow("cut");
    await expect.poll(stored).toEqual([]);
    expect((await t.records.workZones.find(zoneId))?.design).toBeUndefined();
    expect((await putFile(head)).statusCode).toBe(200);
  });
});
