import fc from "fast-check";

/** A body as it is sent. */
export type PlannedBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bytes"; readonly type: string; readonly bytes: Uint8Array };

const SCHEDULE = `zone,task,start,finish,weight
Slab,Pour,2026-03-02,2026-03-20,2
Walls,Raise,2026-03-16,2026-05-01,3
`;
const LANDXML = `<?xml version="1.0"?><LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2"><Surfaces><Surface name="s"><Definition surfType="TIN"><Pnts><P id="1">0 0 1</P><P id="2">0 9 1</P><P id="3">9 0 2</P></Pnts><Faces><F>1 2 3</F></Faces></Definition></Surface></Surfaces></LandXML>`;
const RING = [
  [21, 52.2],
  [21.001, 52.2],
  [21.001, 52.201],
  [21, 52.2],
];
const GEOJSON = JSON.stringify({
  type: "FeatureCollection",
  features: [
    {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [RING] },
      properties: { name: "Yard" },
    },
  ],
});
const KML =
  "<kml><Placemark><name>Tank</name><ExtendedData><Data name='radius_m'><value>9</value></Data></ExtendedData><Point><coordinates>21,52.2</coordinates></Point></Placemark></kml>";
/** One grey pixel. */
const JPEG = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  "base64",
);
/** One pixel; unlike the JPEG, which is cut, it decodes. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const BOUNDARY = "generated-boundary";

/** Bodies that are files: right ones, cut ones, and bytes. */
export function uploadBody(type: string): fc.Arbitrary<PlannedBody> {
  const file = (bytes: Uint8Array): PlannedBody => ({ kind: "bytes", type, bytes });
  if (type === "multipart/form-data") {
    return form.map((bytes) => ({
      kind: "bytes",
      type: `${type}; boundary=${BOUNDARY}`,
      bytes,
    }));
  }
  const good = Buffer.from(goodFile(type));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(file(good)) },
    { weight: 1, arbitrary: fc.nat(good.length).map((end) => file(good.subarray(0, end))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map(file) },
  );
}

function goodFile(type: string): string | Uint8Array {
  // What an image is is told by its content, not by the type.
  if (/image\/(png|jpeg|webp)/.test(type)) return PNG;
  if (/json/.test(type)) return GEOJSON;
  if (/kml/.test(type)) return KML;
  return /xml/.test(type) ? LANDXML : SCHEDULE;
}

const part = fc
  .record({
    content: fc.oneof(fc.constant<Uint8Array>(JPEG), fc.uint8Array({ maxLength: 200 })),
    name: fc.constantFrom("a.jpg", "", "../../x.jpg", "\u0000.jpg", "ü\u202e.png"),
  })
  .map(({ content, name }) =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="images"; filename="${name}"\r\ncontent-type: image/jpeg\r\n\r\n`,
      ),
      content,
      Buffer.from("\r\n"),
    ]),
  );

const form = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.nat(9))
  .map(([parts, ending]) =>
    Buffer.concat([...parts, Buffer.from(ending === 0 ? "" : `--${BOUNDARY}--\r\n`)]),
  );
