import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type ChosenFile, checkFiles } from "../../console/pages/upload/checks.ts";
import { type SaysPosition, saysPosition } from "../../console/pages/upload/exif-position.ts";

const chosen = (name: string, size = 1_000, position: SaysPosition = "yes"): ChosenFile => ({
  file: { name, size } as File,
  position,
  sameAs: `${name} ${size}`,
});
const several = (n: number) => Array.from({ length: n }, (_, i) => chosen(`${i}.jpg`));

async function headOf(gps: boolean, format: "jpeg" | "png" = "jpeg"): Promise<DataView> {
  const image = sharp({ create: { width: 80, height: 80, channels: 3, background: "#777" } });
  const tags = {
    IFD0: { Make: "Maker" },
    ...(gps ? { IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1" } } : {}),
  };
  const file = await image.withExif(tags).toFormat(format).toBuffer();
  return new DataView(file.buffer, file.byteOffset, file.byteLength);
}

describe("what a photograph says of its place", () => {
  it("a JPEG with a latitude in its tags has a position, one with other tags has none, a PNG is unknown", async () => {
    expect(saysPosition(await headOf(true))).toBe("yes");
    expect(saysPosition(await headOf(false))).toBe("no");
    expect(saysPosition(await headOf(true, "png"))).toBe("unknown");
  });

  it("a file that is cut anywhere in its tags is read without an error and without an end", async () => {
    const whole = await headOf(true);
    for (let bytes = 0; bytes < Math.min(whole.byteLength, 400); bytes += 1) {
      const cut = new DataView(whole.buffer, whole.byteOffset, bytes);
      expect(["yes", "no", "unknown"]).toContain(saysPosition(cut));
    }
  });

  it("segments of length 0 end the search", () => {
    const hostile = new DataView(new Uint8Array(4_096).fill(0xff).buffer);
    hostile.setUint16(0, 0xffd8);
    for (let at = 2; at + 4 < 4_096; at += 2) hostile.setUint16(at, at % 4 === 2 ? 0xffe2 : 0);
    expect(saysPosition(hostile)).toBe("no");
  });
});

describe("files before they are sent", () => {
  it("five photographs can be sent, four cannot, and one GeoTIFF can", () => {
    expect(checkFiles(several(5)).problem).toBeUndefined();
    expect(checkFiles(several(4)).problem).toBe("too_few");
    expect(checkFiles([chosen("heights.tif")]).problem).toBeUndefined();
    expect(checkFiles([]).problem).toBe("none");
    expect(checkFiles(several(300)).problem).toBeUndefined();
    expect(checkFiles(several(301)).problem).toBe("too_many");
  });

  it("other types, files above 50 MiB and a file that is there twice are left out by name", () => {
    const large = chosen("large.jpg", 50 * 1_024 ** 2 + 1);
    const found = checkFiles([
      ...several(5),
      chosen("0.jpg"),
      chosen("clip.mp4"),
      large,
      chosen("dark.jpg", 10, "no"),
    ]);
    expect(found).toMatchObject({
      wrongType: ["clip.mp4"],
      tooLarge: ["large.jpg"],
      doubles: ["0.jpg"],
      withoutPosition: ["dark.jpg"],
      bytes: 5_010,
      problem: undefined,
    });
    expect(found.good).toHaveLength(6);
  });
});
