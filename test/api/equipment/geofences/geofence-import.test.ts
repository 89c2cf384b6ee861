import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { feature, fenceFile, polygonFeature } from "../../../support/fence-file.ts";

const GEOFENCES = "/api/v1/equipment/geofences";
const IMPORT = `${GEOFENCES}/import?project_id=p1`;

async function site(): Promise<TestApp> {
  const t = await openTestApp();
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "theirs" as ProjectId });
  return t;
}

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await site();
});
afterAll(() => unchanged[Symbol.asyncDispose]());

const sendText = (t: TestApp, text: string | Buffer, url = IMPORT, key = ADMIN_KEY, headers = {}) =>
  t.app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/xml", ...headers },
    payload: text,
  });

const sendFile = (t: TestApp, features: readonly unknown[], members: object = {}) =>
  t.send("POST", IMPORT, ADMIN_KEY, fenceFile(features, members));

const kml = (placemarks: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>${placemarks}</Folder></Document></kml>`;

describe("POST /geofences/import of GeoJSON", () => {
  it("POST /geofences/import of GeoJSON makes a polygon, a circle and a corridor of a file, with their options", async () => {
    await using t = await site();
    const response = await sendFile(t, [
      polygonFeature({ kind: "boundary", alert_on: "enter, exit", exit_buffer_m: 5, fid: 7 }),
      feature("Point", [13.4, 52.5, 34.1], { radius_m: "40", kind: null }),
      feature(
        "LineString",
        [
          [13.4, 52.5],
          [13.41, 52.5],
        ],
        { width_m: 12, alert_on: "none" },
      ),
    ]);
    expect(response.statusCode).toBe(201);
    const answer = response.json();
    expect(answer).toMatchObject({ project_id: "p1", imported: 3, ignored_properties: ["fid"] });
    const shown = await Promise.all(
      answer.data.map(async ({ id }: { id: string }) =>
        (await t.get(`${GEOFENCES}/${id}`, ADMIN_KEY)).json(),
      ),
    );
    expect(shown).toMatchObject([
      {
        name: "Yard",
        shape: "polygon",
        kind: "boundary",
        alert_on: ["enter", "exit"],
        exit_buffer_m: 5,
      },
      {
        name: "Shape",
        shape: "circle",
        circle: { centre: [52.5, 13.4], radius_m: 40 },
        kind: "zone",
      },
      {
        shape: "corridor",
        alert_on: [],
        corridor: {
          line: [
            [52.5, 13.4],
            [52.5, 13.41],
          ],
          width_m: 12,
        },
      },
    ]);
    expect(t.records.rows.fenceVersions.map(({ validFromMs }) => validFromMs)).toEqual(
      Array(3).fill(t.clock.ms),
    );
  });

  it("POST /geofences/import of GeoJSON reads what GET /geofences writes as GeoJSON: also over the antimeridian, and circles", async () => {
    await using t = await site();
    const over = [
      [1, 179.9],
      [1, -179.9],
      [1.1, -179.9],
      [1.1, 179.9],
    ];
    const shapes = [
      { name: "Over", polygon: over },
      { name: "Round", circle: { centre: [0, 180], radius_m: 500 } },
      {
        name: "Road",
        corridor: {
          line: [
            [2, 179.99],
            [2, -179.99],
          ],
          width_m: 20,
        },
      },
    ];
    for (const shape of shapes) {
      await t.send("POST", GEOFENCES, ADMIN_KEY, { project_id: "p1", ...shape });
    }
    const geo = { accept: "application/geo+json" };
    const file = (await t.get(`${GEOFENCES}?project_id=p1`, ADMIN_KEY, geo)).body;
    const imported = await sendText(t, file, `${GEOFENCES}/import?project_id=theirs`);
    expect(imported.json()).toMatchObject({ imported: 3, ignored_properties: [] });
    const list = async (project: string) => {
      const { data } = (await t.get(`${GEOFENCES}?project_id=${project}`, ADMIN_KEY)).json();
      return new Map<string, Record<string, unknown>>(
        data.map((one: { name: string }) => [one.name, one]),
      );
    };
    const [before, after] = [await list("p1"), await list("theirs")];
    for (const { name } of shapes) {
      expect(after.get(name)?.["area_sqm"]).toBeCloseTo(Number(before.get(name)?.["area_sqm"]), 1);
      expect(after.get(name)?.["shape"]).toBe(before.get(name)?.["shape"]);
    }
    expect(after.get("Round")?.["polygon"]).toEqual(before.get("Round")?.["polygon"]);
  });

  it("POST /geofences/import of GeoJSON refuses a circle of its own GeoJSON whose outline was drawn anew, rather than import the old one", async () => {
    await using t = await site();
    const circle = { centre: [52.5, 13.4], radius_m: 50 };
    await t.send("POST", GEOFENCES, ADMIN_KEY, { project_id: "p1", name: "Round", circle });
    const geo = { accept: "application/geo+json" };
    const { features } = (await t.get(`${GEOFENCES}?project_id=p1`, ADMIN_KEY, geo)).json();
    const [{ geometry, properties }] = features;
    const changed = (change: (corner: readonly number[], i: number) => readonly number[]) => ({
      ...{ type: "Feature", properties },
      geometry: { type: "Polygon", coordinates: [geometry.coordinates[0].map(change)] },
    });
    const moved = changed(([lon = 0, lat = 0]) => [lon + 0.001, lat]);
    expect((await sendFile(t, [moved])).json().error.details).toEqual([
      { parameter: "features[0].properties.circle", message: expect.stringContaining("leave out") },
    ]);
    const half = geometry.coordinates[0].slice(0, 48);
    const part = { ...moved, geometry: { type: "Polygon", coordinates: [[...half, half[0]]] } };
    expect((await sendFile(t, [part])).statusCode).toBe(400);
    const rounded = changed((corner) => corner.map((deg) => Number(deg.toFixed(6))));
    expect((await sendFile(t, [rounded])).json()).toMatchObject({ imported: 1 });
  });

  it("POST /geofences/import of GeoJSON imports nothing when one feature cannot be a fence, and names each flaw by feature and vertex", async () => {
    const bow = [
      [
        [0, 0],
        [0.01, 0.01],
        [0.01, 0],
        [0, 0.01],
        [0, 0],
      ],
    ];
    const hole = [
      ...polygonFeature().geometry.coordinates,
      [
        [10.0002, 0.0002],
        [10.0004, 0.0002],
        [10.0003, 0.0004],
        [10.0002, 0.0002],
      ],
    ];
    const response = await sendFile(unchanged, [
      polygonFeature(),
      feature("Polygon", bow),
      feature("Polygon", hole),
      feature("Polygon", [
        [
          [52, 13],
          [13, 252],
          [1, 1],
          [52, 13],
        ],
      ]),
      feature("Point", [13, 52]),
      feature(
        "LineString",
        [
          [13, 52],
          [13, 52],
        ],
        { width_m: 5 },
      ),
      feature("MultiPolygon", [
        polygonFeature().geometry.coordinates,
        polygonFeature({}, 1).geometry.coordinates,
      ]),
      feature("GeometryCollection", undefined),
      { type: "Feature", geometry: null, properties: null },
      polygonFeature({ name: "" }),
      polygonFeature({ kind: "garden", confirm_fixes: 0 }),
      feature("Point", [13, 52], { radius_m: 5_000_000 }),
      7,
    ]);
    expect(response.statusCode).toBe(400);
    const { error } = response.json();
    expect(error.code).toBe("invalid_parameter");
    expect(error.message).toContain("12 of 13 features");
    expect(error.details.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      "features[1].geometry.coordinates[0][2]",
      "features[2].geometry.coordinates[1]",
      "features[3].geometry.coordinates[0][1]",
      "features[4].properties.radius_m",
      "features[5]",
      "features[6].geometry.coordinates",
      "features[7].geometry.type",
      "features[8].geometry",
      "features[8].properties.name",
      "features[9].properties.name",
      "features[10].properties.kind",
      "features[10].properties.confirm_fixes",
      "features[11].properties.radius_m",
      "features[12]",
      "features[12].properties.name",
    ]);
    expect(unchanged.records.rows.fenceVersions).toEqual([]);
  });

  it.each([
    ["a Feature", JSON.stringify(polygonFeature()), /is a "Feature"/],
    ["a list", "[1]", /must be GeoJSON or KML/],
    ["broken JSON", '{"type":"FeatureCollection","features":[]', /not well-formed/],
    [
      "another coordinate system",
      JSON.stringify(
        fenceFile([], { crs: { properties: { name: "urn:ogc:def:crs:EPSG::25832" } } }),
      ),
      /other than WGS 84/,
    ],
    ["no features", JSON.stringify(fenceFile([])), /no feature/],
    [
      "a deep document",
      `{"type":"FeatureCollection","x":${"[".repeat(100)}${"]".repeat(100)},"features":[]}`,
      /deep/,
    ],
    ["a KMZ", "PK\u0003\u0004", /ZIP/],
    [
      "10,001 features",
      `{"type":"FeatureCollection","features":[${"1,".repeat(10_000)}1]}`,
      /more than 10000/,
    ],
  ])("POST /geofences/import of GeoJSON refuses %s", async (_name, text, message) => {
    const response = await sendText(unchanged, text);
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });

  it("POST /geofences/import of GeoJSON refuses a body that is not UTF-8, and one that is too large", async () => {
    const latin = await sendText(unchanged, Buffer.from([0x7b, 0xe4, 0x7d]));
    expect(latin.json().error.message).toContain("UTF-8");
    const large = await sendText(unchanged, Buffer.alloc(8 * 1024 ** 2 + 1, 32));
    expect([large.statusCode, large.json().error.code]).toEqual([400, "payload_too_large"]);
  });

  it("POST /geofences/import of GeoJSON lists the first 100 flaws of many", async () => {
    const response = await sendFile(
      unchanged,
      Array.from({ length: 150 }, () => polygonFeature({ kind: 1 })),
    );
    const { error } = response.json();
    expect(error.message).toContain("150 of 150");
    expect(error.details).toHaveLength(100);
  });

  it("POST /geofences/import of GeoJSON imports once under one Idempotency-Key, and refuses another file under it", async () => {
    await using t = await site();
    const text = JSON.stringify(fenceFile([polygonFeature()]));
    const send = (body: string) =>
      sendText(t, body, IMPORT, ADMIN_KEY, { "idempotency-key": "k1" });
    const [first, again, other] = [await send(text), await send(text), await send(`${text} `)];
    expect(again.json()).toEqual(first.json());
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(other.statusCode).toBe(409);
    expect(t.records.rows.fenceVersions).toHaveLength(1);
  });

  it("POST /geofences/import of GeoJSON answers 404 for another tenant's project and 403 to a reader, and stores nothing", async () => {
    const project_ids = ["p1" as ProjectId];
    const tenant = await unchanged.key({
      project_ids,
      scopes: ["equipment:read", "equipment:write"],
    });
    const reader = await unchanged.key({ scopes: ["equipment:read"] });
    const text = JSON.stringify(fenceFile([polygonFeature()]));
    const theirs = await sendText(unchanged, text, `${GEOFENCES}/import?project_id=theirs`, tenant);
    const read = await sendText(unchanged, text, IMPORT, reader);
    const nowhere = await sendText(unchanged, text, `${GEOFENCES}/import`);
    expect([theirs.statusCode, read.statusCode, nowhere.statusCode]).toEqual([404, 403, 400]);
    expect(unchanged.records.rows.fenceVersions).toEqual([]);
  });

  it("POST /geofences/import of GeoJSON takes the names from the property that is asked for", async () => {
    await using t = await site();
    const file = JSON.stringify(fenceFile([polygonFeature({ name: undefined, BEZ: "Tor Süd" })]));
    const response = await sendText(t, file, `${IMPORT}&name_property=BEZ`);
    expect(response.json().data).toMatchObject([{ feature: 0, name: "Tor Süd" }]);
  });
});

describe("POST /geofences/import of KML", () => {
  const SQUARE = "10,0,0 10.001,0,0 10.001,0.001,0 10,0.001,0 10,0,0";
  const polygon = (ring: string, more = "") =>
    `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs>${more}</Polygon>`;
  const placemark = (name: string, geometry: string, more = "") =>
    `<Placemark><name>${name}</name>${more}${geometry}</Placemark>`;
  const data = (name: string, value: string) =>
    `<ExtendedData><Data name="${name}"><value>${value}</value></Data></ExtendedData>`;

  it("POST /geofences/import of KML makes fences of polygons, points and lines in folders", async () => {
    await using t = await site();
    const text = kml(
      placemark(
        "Yard &amp; gate",
        `<MultiGeometry>${polygon(SQUARE)}</MultiGeometry>`,
        data("kind", "restricted"),
      ) +
        placemark(
          "Tank",
          "<Point><coordinates>13.4,52.5</coordinates></Point>",
          '<ExtendedData><SchemaData><SimpleData name="radius_m">25</SimpleData></SchemaData></ExtendedData>',
        ) +
        placemark(
          "<![CDATA[Road]]>",
          "<LineString><coordinates>\n13.4,52.5\n13.41,52.5\n</coordinates></LineString>",
          data("width_m", "12.5"),
        ),
    );
    const response = await sendText(t, text);
    expect(response.json()).toMatchObject({
      imported: 3,
      data: [{ name: "Yard & gate" }, { name: "Tank" }, { name: "Road" }],
    });
    expect([...t.records.rows.fences.values()]).toMatchObject([
      {
        kind: "restricted",
        ring: [
          [10, 0],
          [10.001, 0],
          [10.001, 0.001],
          [10, 0.001],
          [10, 0],
        ],
      },
      { drawn: { type: "circle", radius_m: 25 } },
      { drawn: { type: "corridor", width_m: 12.5 } },
    ]);
  });

  it("POST /geofences/import of KML names flaws by placemark, line and position", async () => {
    const inner = `<innerBoundaryIs><LinearRing><coordinates>${SQUARE}</coordinates></LinearRing></innerBoundaryIs>`;
    const text = kml(
      [
        placemark("Hole", polygon(SQUARE, inner)),
        placemark("Swapped", polygon("52,213 1,1 2,2 52,213")),
        placemark("Blank", polygon("10, 0 11,0 11,1 10,0")),
        placemark("Two", polygon(SQUARE) + polygon(SQUARE)),
        placemark("None", "<Model/>"),
        placemark("Wide", "<LineString><coordinates>1,1 2,1</coordinates></LineString>"),
      ].join("\n"),
    );
    const response = await sendText(unchanged, text);
    expect(response.json().error.details).toMatchObject([
      { parameter: "placemarks[0]", message: expect.stringContaining("hole") },
      {
        parameter: "placemarks[1].coordinates[0]",
        message: expect.stringContaining("(line 2) has a latitude of 213"),
      },
      { parameter: "placemarks[2].coordinates[0]", message: expect.stringContaining("tuple") },
      { parameter: "placemarks[3]", message: expect.stringContaining("2 geometries") },
      { parameter: "placemarks[4]", message: expect.stringContaining("must have a Polygon") },
      { parameter: "placemarks[5].width_m", message: expect.stringContaining("is required") },
    ]);
  });

  it.each([
    [
      "a document type, before it is read",
      '<!DOCTYPE kml [<!ENTITY a "b">]><kml/>',
      /document type/,
    ],
    [
      "an entity that XML has not",
      kml("<Placemark><name>&bomb;</name></Placemark>"),
      /not well-formed/,
    ],
    ["unclosed elements", "<kml><Document>", /not well-formed/],
    ["another XML", "<gpx/>", /not KML/],
    ["nesting without end", `<kml>${"<Folder>".repeat(500)}`, /deeper than 64/],
    [
      "a thousand attributes",
      `<kml ${Array.from({ length: 1_000 }, (_, i) => `a${i}="1"`).join(" ")}/>`,
      /more than 64 attributes/,
    ],
    [
      "a name of 10,000 characters",
      kml(`<Placemark><name>${"x".repeat(10_000)}</name></Placemark>`),
      /more than 8192/,
    ],
    ["a comment of 2 MiB", `<kml><!--${"x".repeat(2 * 1024 ** 2)}--></kml>`, /more than 1048576/],
    [
      "a file of links only",
      kml("<NetworkLink><Link><href>http://127.0.0.1/x.kml</href></Link></NetworkLink>"),
      /not followed/,
    ],
    [
      "1,000 properties",
      kml(
        `<Placemark><ExtendedData>${Array.from({ length: 1_000 }, (_, i) => `<Data name="p${i}"><value>1</value></Data>`).join("")}</ExtendedData></Placemark>`,
      ),
      /256 properties/,
    ],
  ])("POST /geofences/import of KML refuses %s", async (_name, text, message) => {
    const response = await sendText(unchanged, text);
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  });
});
