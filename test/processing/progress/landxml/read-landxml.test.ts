import { describe, expect, it } from "vitest";
import { readLandXml } from "../../../../processing/progress/landxml/read-landxml.ts";
import { SurfaceReader } from "../../../../processing/progress/landxml/surface-reader.ts";

/** Meridian arc of WGS 84 from the equator to 45 degrees (4,984,944.378 m) by the scale of UTM. */
const NORTHING_45 = 4_984_944.378 * 0.9996;
const METRIC = '<Units><Metric linearUnit="meter" areaUnit="squareMeter"/></Units>';
const UTM_33 = '<CoordinateSystem name="UTM" epsgCode="32633"/>';
/** A square at the central meridian of zone 33, 45 degrees north, with a roof of 1.5 m. */
const POINTS = `<P id="1">${NORTHING_45} 500000 100</P><P id="2">${NORTHING_45} 500010 100.0</P>
  <P id="3">${NORTHING_45 + 10} 500010 101.5</P><P id="7">\n${NORTHING_45 + 10}\t500000  1.015e2 </P>`;
const FACES = "<F>1 2 3</F><F n='0 1 0'> 1 3\n7 </F>";

const surface = (name: string, points = POINTS, faces = FACES, type = "TIN") =>
  `<Surface name="${name}"><SourceData><Breaklines><Breakline><PntList3D>1 2 3</PntList3D>
   </Breakline></Breaklines></SourceData><Definition surfType="${type}" area2DSurf="100">
   <Pnts>${points}</Pnts><Faces>${faces}</Faces></Definition></Surface>`;

const landXml = (surfaces: string, head = METRIC + UTM_33) =>
  `<?xml version="1.0"?>
<LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" version="1.2">
${head}
<Surfaces>${surfaces}</Surfaces>
</LandXML>`;

async function* inPieces(text: string | Buffer, bytes = 7) {
  const content = Buffer.from(text);
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}

const read = (
  text: string | Buffer,
  options: { readonly surface?: string; readonly epsg?: number } = {},
) => readLandXml(inPieces(text), { surface: undefined, epsg: undefined, ...options });

const refused = (message: RegExp) => ({
  code: "SURFACE_INVALID",
  message: expect.stringMatching(message),
});

describe("surfaces of LandXML", () => {
  it("surfaces of LandXML are points as northing, easting and elevation, brought to WGS 84", async () => {
    const { tin, name, system, warnings } = await read(landXml(surface("Planum")));
    expect([name, system, warnings]).toEqual(["Planum", "EPSG:32633 (WGS 84 / UTM zone 33N)", []]);
    expect([...tin.faces]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...tin.heightM]).toEqual([100, 100, 101.5, 101.5]);
    expect(tin.lonDeg[0]).toBeCloseTo(15, 9);
    expect(tin.latDeg[0]).toBeCloseTo(45, 8);
    // Radii of WGS 84 at 45 degrees: N cos = 4,517,590.879 m of longitude, M = 6,367,381.816 m of latitude.
    const rad = 180 / Math.PI;
    expect(tin.lonDeg[1]).toBeCloseTo(15 + (10 / 0.9996 / 4_517_590.879) * rad, 9);
    expect(tin.latDeg[2]).toBeCloseTo(45 + (10 / 0.9996 / 6_367_381.816) * rad, 8);
  });

  it.each([
    ["foot", 0.3048],
    ["USSurveyFoot", 1_200 / 3_937],
    ["millimeter", 0.001],
  ])("surfaces of LandXML are scaled from %s, in plan and height", async (unit, metres) => {
    const toUnit = (text: string) => String(Number(text) / metres);
    const points = POINTS.replaceAll(/(?<=[>\s])[\d.e]+(?=[<\s])/g, toUnit);
    const kind = unit === "millimeter" ? "Metric" : "Imperial";
    const head = `<Units><${kind} linearUnit="${unit}"/></Units>${UTM_33}`;
    const scaled = await read(landXml(surface("a", points), head));
    const metric = await read(landXml(surface("a")));
    for (const column of ["lonDeg", "latDeg", "heightM"] as const) {
      for (const [i, value] of metric.tin[column].entries()) {
        expect(scaled.tin[column][i]).toBeCloseTo(value, 7);
      }
    }
  });

  it("surfaces of LandXML leave invisible and collapsed faces out, and the points that only these have", async () => {
    const far = '<P id="far">0 0 0</P>';
    const faces = `<F i="1">far 1 2</F><F i="0">1 2 3</F><F>2 3 3</F>`;
    const { tin, warnings } = await read(landXml(surface("a", far + POINTS, faces)));
    expect([...tin.faces]).toEqual([0, 1, 2]);
    expect(tin.lonDeg).toHaveLength(3);
    expect(warnings).toEqual(["1 faces name a point twice and were left out"]);
  });

  it("surfaces of LandXML are taken by name, else the first of triangles, and the others are listed", async () => {
    const raised = surface(
      "DGM & <neu>".replace("&", "&amp;").replace("<", "&lt;"),
      POINTS.replaceAll("100 ", "100 "),
    );
    const file = landXml(`${surface("grid", POINTS, FACES, "grid")}${surface("ist")}${raised}`);
    const first = await read(file);
    expect(first.name).toBe("ist");
    expect(first.warnings).toEqual(['the surface "ist" was taken; there are also "DGM & <neu>"']);
    const named = await read(file, { surface: "DGM & <neu>" });
    expect([named.name, named.warnings]).toEqual(["DGM & <neu>", []]);
    await expect(read(file, { surface: "grid" })).rejects.toMatchObject(
      refused(/line 5 has the surface "grid" as "grid", not as a TIN/),
    );
    await expect(read(file, { surface: "soll" })).rejects.toMatchObject(
      refused(/no surface "soll"; it has "ist", "DGM & <neu>"/),
    );
    await expect(read(landXml(surface("g", "", "", "grid")))).rejects.toMatchObject(
      refused(/no surface of triangles \(surfType="TIN"\); it has "g", which are not of triangles/),
    );
    await expect(
      read(landXml(surface("a") + surface("a")), { surface: "a" }),
    ).rejects.toMatchObject(refused(/second surface of the name "a"/));
  });

  it("surfaces of LandXML take their system from the file, or from beside it, and metres where no unit is named", async () => {
    const bare = await read(landXml(surface("a"), ""), { epsg: 32_633 });
    expect(bare.warnings).toEqual(["the file names no unit of length; metres are assumed"]);
    expect(bare.tin.latDeg[0]).toBeCloseTo(45, 8);
    const degrees =
      "<P id='1'>52.5 13.4 35</P><P id='2'>52.5 13.5 35</P><P id='3'>52.6 13.4 36</P>";
    const geographic = await read(landXml(surface("a", degrees, "<F>1 2 3</F>"), METRIC), {
      epsg: 4326,
    });
    expect([...geographic.tin.lonDeg]).toEqual([13.4, 13.5, 13.4]);
    expect([...geographic.tin.latDeg]).toEqual([52.5, 52.5, 52.6]);
    const same = await read(landXml(surface("a")), { epsg: 32_633 });
    expect(same.system).toBe("EPSG:32633 (WGS 84 / UTM zone 33N)");
  });

  it("surfaces of LandXML in a national grid lie where GDAL has them, with a warning without its grid of shifts", async () => {
    const british = surface(
      "a",
      "<P id='1'>344858.8827 433653.297 9</P><P id='2'>344868 433653 9</P><P id='3'>344858 433663 9</P>",
      "<F>1 2 3</F>",
    );
    const { tin, warnings } = await read(landXml(british, METRIC), { epsg: 27_700 });
    // gdaltransform -s_srs EPSG:27700 -t_srs EPSG:4326
    expect([tin.lonDeg[0], tin.latDeg[0]]).toEqual([
      expect.closeTo(-1.5, 7),
      expect.closeTo(53, 7),
    ]);
    expect(warnings).toEqual([
      "EPSG:27700 (OSGB36 / British National Grid) is brought to WGS 84 without the grid " +
        "OSTN15_NTv2_OSGBtoETRS.gsb: places are good to about 2 m",
    ]);
  });

  it("surfaces of LandXML of a file without a unit in a system of feet count feet, heights too, with a warning", async () => {
    const feet = surface(
      "a",
      "<P id='1'>194321.166 1011978.077 100</P><P id='2'>194331 1011978 100</P><P id='3'>194321 1011988 110</P>",
      "<F>1 2 3</F>",
    );
    const { tin, warnings } = await read(landXml(feet, ""), { epsg: 2263 });
    expect([tin.lonDeg[0], tin.latDeg[0]]).toEqual([
      expect.closeTo(-73.9, 7),
      expect.closeTo(40.7, 7),
    ]);
    expect(tin.heightM[0]).toBeCloseTo((100 * 1200) / 3937, 9);
    expect(warnings).toEqual([expect.stringMatching(/no unit .* is assumed, for heights too$/)]);
  });

  it("surfaces of LandXML may have a namespace prefix, another encoding, units and system at the end", async () => {
    const prefixed = landXml(surface("a")).replaceAll(/<(\/?)(?=[A-Z])/g, "<$1lx:");
    expect((await read(prefixed.replace("xmlns=", "xmlns:lx="))).tin.faces).toHaveLength(6);
    const wide = Buffer.from(`\ufeff${landXml(surface("Überhöhung"))}`, "utf16le");
    expect((await read(wide)).name).toBe("Überhöhung");
    const latin = landXml(surface("Überhöhung")).replace("?>", ' encoding="ISO-8859-1"?>');
    const whole = readLandXml(inPieces(Buffer.from(latin, "latin1"), 4_096), {
      surface: undefined,
      epsg: undefined,
    });
    expect((await whole).name).toBe("Überhöhung");
    const late = landXml(surface("a"), "").replace("</Surfaces>", `</Surfaces>${METRIC}${UTM_33}`);
    expect((await read(late)).warnings).toEqual([]);
  });

  it.each([
    ["text that is not XML", "ISO-10303-21;", /line 1 is not well-formed XML/],
    ["XML of another kind", "<kml></kml>", /line 1 begins a "kml"; a surface is/],
    [
      "a file that ends early",
      landXml(surface("a")).slice(0, -20),
      /not well-formed XML: unclosed/,
    ],
    ["nothing", "", /not well-formed XML/],
    ["a document type", `<!DOCTYPE x [<!ENTITY a "aa">]>${landXml("")}`, /DTD/],
    ["an entity of its own", landXml(surface("&big;")), /not well-formed XML: undefined entity/],
    ["deep nesting", "<LandXML>".repeat(200), /deeper than 64/],
    [
      "many attributes",
      `<LandXML ${Array.from({ length: 101 }, (_, i) => `a${i}="1"`).join(" ")}/>`,
      /more than 100 attributes/,
    ],
    [
      "no EPSG code",
      landXml(surface("a"), METRIC),
      /file names no EPSG code .* give it as \?epsg=/,
    ],
    [
      "an unknown EPSG code",
      landXml(surface("a"), `${METRIC}${UTM_33.replace("32633", "8441")}`),
      /line 3 has the coordinate system EPSG "8441", which has the projection "labrd"/,
    ],
    [
      "a unit that is none",
      landXml(surface("a"), `${METRIC.replace("meter", "smoot")}${UTM_33}`),
      /line 3 has the unit "smoot", not millimeter/,
    ],
    [
      "a point of two numbers",
      landXml(surface("a", "<P id='1'>1 2</P>")),
      /line 6 has "1 2" as point "1"/,
    ],
    [
      "a point of words",
      landXml(surface("a", "<P id='1'>1,5 2 3</P>")),
      /"1,5" in point "1", which is not a number/,
    ],
    [
      "a number that is infinite",
      landXml(surface("a", "<P id='1'>1e999 2 3</P>")),
      /"1e999" in point "1"/,
    ],
    ["a point twice", landXml(surface("a", POINTS + POINTS)), /line 8 has a second point "1"/],
    ["a point without an id", landXml(surface("a", "<P>1 2 3</P>")), /point without an id/],
    [
      "a face of a point that is not there",
      landXml(surface("a", POINTS, "<F>1 2 9</F>")),
      /face of point "9"/,
    ],
    [
      "a face of four points",
      landXml(surface("a", POINTS, "<F>1 2 3 7</F>")),
      /"1 2 3 7" as a face/,
    ],
    [
      "no visible face",
      landXml(surface("a", POINTS, "<F i='1'>1 2 3</F>")),
      /no visible face in the surface "a"/,
    ],
    [
      "a point of endless text",
      landXml(surface("a", `<P id='1'>${"1".repeat(600)}</P>`)),
      /too long/,
    ],
    [
      "an element within a point",
      landXml(surface("a", "<P id='1'>1<b/></P>")),
      /a "b" within a point/,
    ],
    [
      "a height of a kilometre's kilometre",
      landXml(surface("a", POINTS.replaceAll("100", "100000"))),
      /outside -1000 to 10000 m/,
    ],
    [
      "a place beyond the pole",
      landXml(
        surface("a", "<P id='1'>95 13 0</P><P id='2'>1 2 0</P><P id='3'>1 3 0</P>", "<F>1 2 3</F>"),
        `${METRIC}${UTM_33.replace("32633", "4326")}`,
      ),
      /lies nowhere in EPSG:4326 \(WGS 84\): northing 95/,
    ],
  ])("surfaces of LandXML are refused: %s", async (_, text, message) => {
    await expect(read(text)).rejects.toMatchObject(refused(message));
  });

  it("surfaces of LandXML are refused when the file and the request name different systems", async () => {
    await expect(read(landXml(surface("a")), { epsg: 25_833 })).rejects.toMatchObject(
      refused(/line 3 names EPSG:"32633", and \?epsg= 25833/),
    );
    await expect(read(landXml(surface("a"), METRIC), { epsg: 1 })).rejects.toMatchObject(
      refused(/file has the coordinate system EPSG 1, which is not a projected/),
    );
  });

  it.each([
    ["a comment", "<LandXML><!--", "- "],
    ["a document type", "<!DOCTYPE x [", "<!ENTITY a 'b'>"],
    ["an instruction", "<LandXML><?x ", "?"],
    ["an attribute", '<LandXML a="', "&lt;"],
    ["a text", "<LandXML>", "&#65;"],
  ])("surfaces of LandXML are refused before %s without an end fills the memory", async (_, head, body) => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from(head);
      const piece = Buffer.from(body.repeat(8_192));
      for (; sent < 50e6; sent += piece.length) yield piece;
    }
    const whole = readLandXml(endless(), { surface: undefined, epsg: undefined });
    await expect(whole).rejects.toMatchObject(refused(/line 1 has more than 1048576 characters/));
    expect(sent).toBeLessThan(1.2e6);
  });

  it.each([
    [{ points: 3, faces: 9 }, /line 8 is beyond the 3 points that a surface may have/],
    [{ points: 4, faces: 1 }, /line 9 is beyond the 1 faces/],
  ])("surfaces of LandXML are refused beyond %o", (most, message) => {
    const reader = new SurfaceReader(undefined, most);
    expect(() => reader.write(landXml(surface("a")))).toThrow(
      expect.objectContaining(refused(message)),
    );
  });
});
