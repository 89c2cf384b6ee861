import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readImage } from "../../../processing/images/read-image.ts";
import { picture, xmp } from "./scene.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-images-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function read(name: string, bytes: Uint8Array) {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return await readImage({ path, sha256: "5a".repeat(32), name });
}

const DJI_EXIF = {
  IFD0: { Make: "DJI", Model: "FC6310R", Software: "v02.00" },
  IFD2: {
    FocalLength: "88/10",
    FocalLengthIn35mmFilm: "24",
    DateTimeOriginal: "2026:11:20 09:30:15",
    OffsetTimeOriginal: "+02:00",
    SubSecTimeOriginal: "250",
    BodySerialNumber: "0K8TH",
  },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "51/1 30/1 0/1",
    GPSLongitudeRef: "W",
    GPSLongitude: "0/1 7/1 30/1",
    GPSAltitudeRef: "0",
    GPSAltitude: "705/10",
  },
};

const DJI_XMP = xmp("drone-dji", "http://www.dji.com/drone-dji/1.0/", {
  AbsoluteAltitude: "+70.52",
  RelativeAltitude: "+40.10",
  GimbalYawDegree: "-92.30",
  GimbalPitchDegree: "-89.90",
  GimbalRollDegree: "+0.00",
  RtkFlag: "50",
  RtkStdLon: "0.01136",
  RtkStdLat: "0.01202",
  RtkStdHgt: "0.02415",
  DewarpData: "2020-03-01;3666.6,3672.9,15.1,-18.3,-0.27,0.112,-0.0003,0.00005,-0.034",
  DewarpFlag: "0",
});

describe("an image that is read", () => {
  it("an image that is read has all that DJI writes, in stored pixel order whatever its orientation", async () => {
    const bytes = await picture()
      .withMetadata({ orientation: 6 })
      .withExifMerge(DJI_EXIF)
      .withXmp(DJI_XMP)
      .jpeg()
      .toBuffer();
    expect(await read("DJI_0001.JPG", bytes)).toStrictEqual({
      sha256: "5a".repeat(32),
      name: "DJI_0001.JPG",
      widthPx: 320,
      heightPx: 240,
      orientation: 6,
      make: "DJI",
      model: "FC6310R",
      serial: "0K8TH",
      software: "v02.00",
      // 09:30:15.250 two hours east of Greenwich.
      capturedAtMs: Date.UTC(2026, 10, 20, 7, 30, 15, 250),
      focal: {
        focalLengthMm: 8.8,
        focal35Mm: 24,
        focalPlanePxPerMm: undefined,
        dewarp: [3666.6, 3672.9, 15.1, -18.3, -0.27, 0.112, -0.0003, 0.00005, -0.034],
        isUndistorted: false,
      },
      position: {
        latDeg: 51.5,
        lonDeg: -0.125,
        altitudeM: 70.52,
        sigmaM: { horizontal: 0.01202, vertical: 0.02415 },
        isRtk: true,
      },
      gimbal: { yawDeg: -92.3, pitchDeg: -89.9, rollDeg: 0 },
      relativeAltitudeM: 40.1,
      quality: {
        sharpness: expect.any(Number),
        fineness: expect.any(Number),
        brightness: expect.any(Number),
        contrast: expect.any(Number),
        overexposed: 0,
        underexposed: expect.any(Number),
        differenceHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
  });

  it.each([
    "png",
    "tiff",
    "webp",
  ] as const)("an image that is read may be %s, and may have no tags", async (format) => {
    const image = await read(`plain.${format}`, await picture().toFormat(format).toBuffer());
    expect(image).toMatchObject({
      widthPx: 320,
      heightPx: 240,
      orientation: 1,
      make: undefined,
      capturedAtMs: undefined,
      position: undefined,
      gimbal: undefined,
    });
  });

  it("an image that is read with 16 bits a channel or with transparency has its luminance in 8", async () => {
    const [deep, clear] = await Promise.all([
      picture().toColourspace("rgb16").png().toBuffer(),
      picture().ensureAlpha(0.5).png().toBuffer(),
    ]);
    const brightness = async (name: string, bytes: Buffer) =>
      (await read(name, bytes)).quality.brightness;
    const plain = await brightness("8.png", await picture().png().toBuffer());
    // 8 bits of 16 round by half a grey level at most.
    expect(Math.abs((await brightness("16.png", deep)) - plain)).toBeLessThan(1);
    // Half see-through over black.
    expect(Math.abs((await brightness("clear.png", clear)) - plain / 2)).toBeLessThan(1);
  });

  it("an image that is read names its camera without what no name contains", async () => {
    const exif = { IFD0: { Make: `Evil\u0007${"x".repeat(500)}` } };
    const { make = "" } = await read("long.jpg", await picture().withExif(exif).jpeg().toBuffer());
    expect([make.length, make.startsWith("Evilxxx")]).toEqual([100, true]);
  });
});

describe("an image that is refused", () => {
  const refusal = (message: string | RegExp) =>
    expect.objectContaining({
      code: "IMAGE_REFUSED",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  const DAMAGED = "is damaged, or is not a JPEG, PNG, TIFF or WebP image";

  it.each([
    ["1 x 65535 pixels", { width: 1, height: 65_535 }, "1 x 65535"],
    ["63 rows", { width: 640, height: 63 }, "640 x 63"],
  ])("an image that is refused has %s", async (_name, size, text) => {
    await expect(read("thin.png", await picture(size).png().toBuffer())).rejects.toEqual(
      refusal(`thin.png is ${text} pixels; each side must have 64 or more`),
    );
  });

  it.each([
    0.3, 0.7, 0.97,
  ])("an image that is refused is a JPEG that ends after %s of its bytes", async (share) => {
    const bytes = await picture().jpeg().toBuffer();
    await expect(read("cut.jpg", bytes.subarray(0, bytes.length * share))).rejects.toEqual(
      refusal(`cut.jpg ${DAMAGED}`),
    );
  });

  const SVG =
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="9"/></svg>';
  it.each([
    ["SVG", Buffer.from(SVG)],
    ["SVG behind an XML declaration", Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ["SVG behind the first bytes of a JPEG", Buffer.from(`\xff\xd8\xff${SVG}`, "latin1")],
    ["SVG behind the first bytes of a PNG", Buffer.from(`\x89PNG\r\n\x1a\n${SVG}`, "latin1")],
    ["PDF", Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>")],
    ["HTML behind a comment that begins as TIFF", Buffer.from("II*\0<!--><script>1</script>")],
    ["nothing", Buffer.alloc(0)],
  ])("an image that is refused is %s", async (_name, bytes) => {
    await expect(read("trick.jpg", bytes)).rejects.toEqual(refusal(`trick.jpg ${DAMAGED}`));
  });

  it("an image that is refused is GIF, which the decoder could read", async () => {
    const gif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
    await expect(read("a.gif", gif)).rejects.toEqual(refusal(`a.gif ${DAMAGED}`));
  });
});
