import { XML_DECLARATION, xmlElement, xmlNumber, xmlText } from "../../representations/xml-text.ts";
import type { Track, TrackList, TrackPoint } from "./track-schemas.ts";

export const GPX_TYPE = "application/gpx+xml";

const KMH_PER_MPS = 3.6;
const GPX = {
  version: "1.1",
  creator: "Plumbline",
  xmlns: "http://www.topografix.com/GPX/1/1",
  // Speed (m/s) and course have no element in GPX 1.1; this extension is what most programs read.
  "xmlns:t": "http://www.garmin.com/xmlschemas/TrackPointExtension/v2",
};

/** Tracks as GPX 1.1: a `trk` for each asset, a `trkseg` for each piece, stops and crossings as `wpt`. */
export function tracksGpx({ data }: TrackList): string {
  const content = [...data.flatMap(waypoints), ...data.map(trackOf)].join("");
  return `${XML_DECLARATION}${xmlElement("gpx", content, GPX)}\n`;
}

function waypoints({ name, stops, crossings }: Track): readonly string[] {
  return [
    ...stops.map(({ from, location, duration_s }) =>
      point("wpt", location, [
        xmlElement("time", from),
        xmlElement("name", xmlText(`${name}: stop of ${Math.round(duration_s / 60)} min`)),
      ]),
    ),
    ...crossings.map(({ timestamp, location, type, geofence_id, inferred }) =>
      point("wpt", location, [
        xmlElement("time", timestamp),
        xmlElement("name", xmlText(`${name} ${type} ${geofence_id}`)),
        ...(inferred ? [xmlElement("desc", "inferred between two fixes outside")] : []),
      ]),
    ),
  ];
}

function trackOf({ name, asset_id, pieces }: Track): string {
  const segments = pieces.map(({ points }) =>
    xmlElement("trkseg", points.map(trackPoint).join("")),
  );
  const title = [xmlElement("name", xmlText(name)), xmlElement("desc", xmlText(asset_id))];
  return xmlElement("trk", [...title, ...segments].join(""));
}

function trackPoint(fix: TrackPoint): string {
  const { timestamp, speed_kmh: speed, heading, received_late_s: late } = fix;
  const extension = [
    ...(speed === null ? [] : [xmlElement("t:speed", xmlNumber(speed / KMH_PER_MPS))]),
    ...(heading === null ? [] : [xmlElement("t:course", xmlNumber(heading))]),
  ].join("");
  const extensions =
    extension === ""
      ? []
      : [xmlElement("extensions", xmlElement("t:TrackPointExtension", extension))];
  const comment = late === undefined ? [] : [xmlElement("cmt", `received ${late} s late`)];
  return point("trkpt", fix, [xmlElement("time", timestamp), ...comment, ...extensions]);
}

const point = (
  name: string,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  content: readonly string[],
): string =>
  xmlElement(name, content.join(""), { lat: xmlNumber(latitude), lon: xmlNumber(longitude) });
