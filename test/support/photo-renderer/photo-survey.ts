import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { createDraw, type Draw } from "./draw.ts";
import { drawFlight, drawLens, type PhotoLens, type PhotoShot } from "./photo-camera.ts";
import { createPhotoSite, type PhotoPile } from "./photo-site.ts";
import { readPhotoTexture } from "./photo-texture.ts";
import { renderPhoto } from "./render-photo.ts";

export interface PhotoSurveyOptions {
  readonly seed: number;
  /** Of the images of the survey; they are 4:3. */
  readonly widthPx: number;
  readonly altitudeM: number;
  readonly positions: "rtk" | "white" | "drift";
  /** Share of the photographs' contrast, 0 to 1. */
  readonly contrast: number;
  /** At least eight photographs of one size that the textures are made from. */
  readonly photographs: readonly string[];
}

/** Where the site is, degrees and metres above the ellipsoid. */
const PHOTO_SITE_PLACE = { latDeg: 47.3, lonDeg: 8.5, heightM: 460 } as const;

/** A pixel of a photograph covers this on the simulated ground: finer than any sample distance here. */
const TEXEL_M = 0.012;

/**
 * Writes a simulated survey as JPEG files: piles by formulae, textures by photographs, its own lens, light, noise
 * and tags. It shares no code with the simulators, nor with what measures, so that neither's mistakes
 * cancel in the other.
 */
export async function writePhotoSurvey(
  folder: string,
  { seed, widthPx, altitudeM, positions, contrast, photographs }: PhotoSurveyOptions,
): Promise<{ readonly piles: readonly PhotoPile[]; readonly gsdM: number }> {
  const draw = createDraw(seed);
  const lens = drawLens(draw, widthPx, (3 * widthPx) / 4);
  const flight = drawFlight(draw, lens, altitudeM);
  const site = createPhotoSite(draw, flight);
  const paths = shuffled(photographs, draw);
  const four = (from: number): [string, string, string, string] => {
    const [a, b, c, d] = paths.slice(from, from + 4);
    if (a === undefined || b === undefined || c === undefined || d === undefined) {
      throw new Error("at least eight photographs are needed");
    }
    return [a, b, c, d];
  };
  const ground = await readPhotoTexture(four(0));
  const pile = await readPhotoTexture(four(4));
  const tagged = positionErrors(draw, positions);
  for (const [i, shot] of flight.shots.entries()) {
    const pixels = renderPhoto(site, { ground, pile, texelM: TEXEL_M, contrast }, lens, shot, draw);
    const [e, n, u] = tagged();
    const { latDeg, lonDeg, heightM } = place(shot.eastM + e, shot.northM + n, shot.upM + u);
    const jpeg = await sharp(pixels, {
      raw: { width: lens.widthPx, height: lens.heightPx, channels: 3 },
    })
      .withExif(exifOf(lens, i, { latDeg, lonDeg, heightM }))
      .withXmp(xmpOf(shot, positions === "rtk"))
      .jpeg({ quality: 90 })
      .toBuffer();
    await writeFile(join(folder, `P${String(1_000 + i)}.JPG`), jpeg);
  }
  return { piles: site.piles, gsdM: altitudeM / lens.focalPx };
}

/** A place of the site in degrees: exact to a millimetre within 100 m of it. */
export function place(eastM: number, northM: number, upM: number) {
  const { latDeg, lonDeg, heightM } = PHOTO_SITE_PLACE;
  // WGS 84: semi-major axis, and the square of the first eccentricity.
  const [a, e2] = [6_378_137, 0.006_694_379_990_14];
  const sine = Math.sin((latDeg * Math.PI) / 180);
  const normalM = a / Math.sqrt(1 - e2 * sine ** 2);
  const meridianM = (normalM * (1 - e2)) / (1 - e2 * sine ** 2);
  const deg = 180 / Math.PI;
  return {
    latDeg: latDeg + (northM / (meridianM + heightM)) * deg,
    lonDeg: lonDeg + (eastM / ((normalM + heightM) * Math.cos(latDeg / deg))) * deg,
    heightM: heightM + upM + (eastM ** 2 + northM ** 2) / (2 * a),
  };
}

/** Errors of the receiver, east, north and up, metres, in the order of the images. */
function positionErrors(draw: Draw, positions: PhotoSurveyOptions["positions"]) {
  if (positions === "rtk") {
    return () => [0.015 * draw.normal(), 0.015 * draw.normal(), 0.025 * draw.normal()] as const;
  }
  const offset = [1.1 * draw.normal(), 1.1 * draw.normal(), 2.2 * draw.normal()] as const;
  const sigma = [0.7, 0.7, 1.1] as const;
  const kept = positions === "drift" ? 0.88 : 0;
  const state: [number, number, number] = [draw.normal(), draw.normal(), draw.normal()];
  return () => {
    for (const axis of [0, 1, 2] as const) {
      state[axis] = kept * state[axis] + Math.sqrt(1 - kept ** 2) * draw.normal();
    }
    const at = (axis: 0 | 1 | 2) => offset[axis] + sigma[axis] * state[axis];
    return [at(0), at(1), at(2)] as const;
  };
}

function exifOf(lens: PhotoLens, i: number, at: ReturnType<typeof place>) {
  const time = new Date(Date.UTC(2026, 4, 12, 9, 30) + 2_500 * i);
  const stamp = time.toISOString().slice(0, 19).replace("T", " ").replaceAll("-", ":");
  return {
    IFD0: { Make: "Parrot", Model: "ANAFI", DateTime: stamp },
    IFD2: {
      DateTimeOriginal: stamp,
      FocalLength: "400/100",
      // A whole number, as makers write it: up to 1.7 % off.
      FocalLengthIn35mmFilm: String(Math.round((36 * lens.focalPx) / lens.widthPx)),
      ExposureTime: "1/1250",
    },
    IFD3: {
      GPSLatitudeRef: "N",
      GPSLatitude: sexagesimal(at.latDeg),
      GPSLongitudeRef: "E",
      GPSLongitude: sexagesimal(at.lonDeg),
      GPSAltitudeRef: "0",
      GPSAltitude: `${Math.round(at.heightM * 1_000)}/1000`,
    },
  };
}

function sexagesimal(deg: number): string {
  const whole = Math.floor(deg);
  const minutes = Math.floor((deg - whole) * 60);
  const seconds = ((deg - whole) * 60 - minutes) * 60;
  return `${whole}/1 ${minutes}/1 ${Math.round(seconds * 100_000)}/100000`;
}

function xmpOf({ yawDeg, pitchDeg, rollDeg }: PhotoShot, isRtk: boolean): string {
  const turned = ((yawDeg + 540) % 360) - 180;
  const accuracy = isRtk
    ? "<Camera:GPSXYAccuracy>0.015</Camera:GPSXYAccuracy><Camera:GPSZAccuracy>0.025</Camera:GPSZAccuracy>"
    : "";
  return (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:drone-parrot="http://www.parrot.com/drone-parrot/1.0/" ' +
    'xmlns:Camera="http://pix4d.com/camera/1.0/">' +
    `<drone-parrot:CameraYawDegree>${turned.toFixed(2)}</drone-parrot:CameraYawDegree>` +
    `<drone-parrot:CameraPitchDegree>${pitchDeg.toFixed(2)}</drone-parrot:CameraPitchDegree>` +
    `<drone-parrot:CameraRollDegree>${rollDeg.toFixed(2)}</drone-parrot:CameraRollDegree>` +
    `${accuracy}</rdf:Description></rdf:RDF></x:xmpmeta>`
  );
}

function shuffled(paths: readonly string[], draw: Draw): readonly string[] {
  return paths
    .map((path) => ({ path, key: draw.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ path }) => path);
}
