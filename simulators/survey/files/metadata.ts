import { type GeodeticPosition, geodeticPosition } from "../coordinates/wgs84.ts";
import type { Capture } from "../flight/flight.ts";
import type { CameraBody } from "../flight/lenses.ts";

/** EXIF by directory as sharp's `withExif` takes it (IFD2 = Exif, IFD3 = GPS), and the XMP packet. */
export interface ImageTags {
  readonly exif: Readonly<Record<"IFD0" | "IFD2" | "IFD3", Readonly<Record<string, string>>>>;
  readonly xmp: string | undefined;
  /** EXIF Orientation, 1 to 8; beside the rest because sharp keeps it apart. */
  readonly orientation: number;
}

/** What the tags of one image are made from. */
export interface TagInput {
  readonly capture: Capture;
  readonly body: CameraBody;
  readonly origin: GeodeticPosition;
  /** Start of the flight, ms since the Unix epoch; the camera's clock runs on UTC. */
  readonly startMs: number;
  readonly exposureMs: number;
  /** What the receiver states, metres; `undefined`: no RTK. */
  readonly rtkSigmaM: { readonly horizontal: number; readonly vertical: number } | undefined;
}

/**
 * Share of the true focal length that the tags of a cropped image give: beyond any lens's tolerance, so that a
 * check can find it.
 */
const WRONG_FOCAL_SHARE = 0.8;

/** Writes the tags as a DJI camera does, less what the image's faults take away. */
export function imageTags(input: TagInput): ImageTags | undefined {
  const { capture, body, startMs, exposureMs } = input;
  const { faults } = capture;
  if (faults.includes("no-tags")) return undefined;
  const time = exifTime(startMs + Math.round(capture.timeS) * 1_000);
  const hasFocal = !faults.includes("no-focal");
  const focalShare = faults.includes("wrong-focal") ? WRONG_FOCAL_SHARE : 1;
  return {
    exif: {
      IFD0: {
        Make: body.make,
        Model: body.model,
        // A viewer that turns pixels leaves its own name.
        Software: faults.includes("rotated") ? "Photo Viewer 4.2" : "v01.00.0000",
        DateTime: time,
      },
      IFD2: {
        DateTimeOriginal: time,
        DateTimeDigitized: time,
        OffsetTimeOriginal: "+00:00",
        ExposureTime: `${Math.round(exposureMs * 100)}/100000`,
        FNumber: "28/10",
        ISOSpeedRatings: "100",
        BodySerialNumber: body.serial,
        ...(hasFocal && {
          FocalLength: `${Math.round(body.focalLengthMm * focalShare * 100)}/100`,
          FocalLengthIn35mmFilm: String(Math.round(body.focal35Mm * focalShare)),
        }),
      },
      IFD3: faults.includes("no-gps") ? {} : gpsDirectory(taggedPosition(input)),
    },
    xmp: xmpPacket(input),
    orientation: faults.includes("orientation") ? 6 : 1,
  };
}

function taggedPosition({ capture, origin }: TagInput): GeodeticPosition {
  return geodeticPosition(origin, capture.tagged.position);
}

function gpsDirectory({ latDeg, lonDeg, heightM }: GeodeticPosition) {
  return {
    GPSLatitudeRef: latDeg < 0 ? "S" : "N",
    GPSLatitude: degreesMinutesSeconds(latDeg),
    GPSLongitudeRef: lonDeg < 0 ? "W" : "E",
    GPSLongitude: degreesMinutesSeconds(lonDeg),
    GPSAltitudeRef: heightM < 0 ? "1" : "0",
    GPSAltitude: `${Math.round(Math.abs(heightM) * 1_000)}/1000`,
  };
}

/** Three rationals; a millionth of a second of arc is 0.03 mm. */
function degreesMinutesSeconds(deg: number): string {
  const micros = Math.round(Math.abs(deg) * 3_600e6);
  const degrees = Math.floor(micros / 3_600e6);
  const minutes = Math.floor((micros - degrees * 3_600e6) / 60e6);
  return `${degrees}/1 ${minutes}/1 ${micros - degrees * 3_600e6 - minutes * 60e6}/1000000`;
}

function exifTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace("T", " ").replaceAll("-", ":");
}

/** Angle in `(-180, 180]`, as DJI writes yaw. */
function halfTurn(deg: number): number {
  const turned = (((deg + 180) % 360) + 360) % 360;
  return turned === 0 ? 180 : turned - 180;
}

function xmpPacket(input: TagInput): string | undefined {
  const { capture, body, rtkSigmaM } = input;
  const { tagged, faults } = capture;
  const signed = (value: number, digits: number) =>
    `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(digits)}`;
  const properties: string[][] = [];
  if (!faults.includes("no-gps")) {
    const { latDeg, lonDeg, heightM } = taggedPosition(input);
    properties.push(
      ["GpsStatus", rtkSigmaM === undefined ? "GPS" : "RTK"],
      ["AltitudeType", rtkSigmaM === undefined ? "GpsFusionAlt" : "RtkAlt"],
      ["GpsLatitude", signed(latDeg, 9)],
      ["GpsLongitude", signed(lonDeg, 9)],
      ["AbsoluteAltitude", signed(heightM, 3)],
      ["RelativeAltitude", signed(tagged.relativeAltitudeM, 3)],
    );
    if (rtkSigmaM !== undefined) {
      properties.push(
        // 50 = fixed solution (DJI's XMP notes for the Phantom 4 RTK).
        ["RtkFlag", "50"],
        ["RtkStdLon", rtkSigmaM.horizontal.toFixed(5)],
        ["RtkStdLat", rtkSigmaM.horizontal.toFixed(5)],
        ["RtkStdHgt", rtkSigmaM.vertical.toFixed(5)],
      );
    }
  }
  if (!faults.includes("no-gimbal")) {
    const { yawDeg, pitchDeg, rollDeg } = tagged.attitude;
    const yaw = signed(halfTurn(yawDeg), 2);
    properties.push(
      ["GimbalRollDegree", signed(rollDeg, 2)],
      ["GimbalYawDegree", yaw],
      ["GimbalPitchDegree", signed(pitchDeg, 2)],
      ["FlightRollDegree", "+0.00"],
      ["FlightYawDegree", yaw],
      ["FlightPitchDegree", "+0.00"],
    );
  }
  properties.push(["DroneModel", body.model], ["CameraSerialNumber", body.serial]);
  const attributes = properties.map(([name, value]) => ` drone-dji:${name}="${value}"`).join("");
  return (
    `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
    `<rdf:Description rdf:about="DJI Meta Data" xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/"${attributes}/>` +
    `</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  );
}
