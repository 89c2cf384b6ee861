import { TextDecoder } from "node:util";
import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { shiftWarning } from "../../coordinates/shift-warning.ts";
import { createEventLoopPauses } from "../../uploads/event-loop-pauses.ts";
import { quoted } from "../../uploads/file-words.ts";
import { placeSurface, systemOf, unitOf } from "./place-surface.ts";
import { listed, SurfaceReader } from "./surface-reader.ts";
import type { TinSurface } from "./tin-file.ts";

export interface LandXmlOptions {
  /** Name of the surface; `undefined`: the first of triangles. */
  readonly surface: string | undefined;
  /** System of the coordinates, for a file that names none. */
  readonly epsg: number | undefined;
}

/** A surface that was read. */
export interface LandXmlSurface {
  readonly tin: TinSurface;
  readonly name: string;
  /** Name of the coordinate system. */
  readonly system: string;
  /** What was left out or assumed, in words. */
  readonly warnings: readonly string[];
}

/** Points that are projected before others get the event loop. */
const POINTS_AT_ONCE = 1_000;
/** Characters that are parsed before others get the event loop: some 2 ms. */
const CHARS_AT_ONCE = 64 * 1024;

/**
 * Reads one surface of triangles (TIN) of a LandXML file as it comes in; lets others have the event loop
 * meanwhile.
 * @throws DomainError `SURFACE_INVALID` naming the line; what `content` throws.
 */
export async function readLandXml(
  content: AsyncIterable<Uint8Array>,
  { surface: wanted, epsg }: LandXmlOptions,
): Promise<LandXmlSurface> {
  const pauses = createEventLoopPauses();
  const reader = new SurfaceReader(wanted);
  const write = async (text: string) => {
    for (let from = 0; from < text.length; from += CHARS_AT_ONCE) {
      reader.write(text.slice(from, from + CHARS_AT_ONCE));
      await pauses.due();
    }
  };
  let decoder: TextDecoder | undefined;
  for await (const bytes of content) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    await write(decoder.decode(bytes, { stream: true }));
  }
  await write(decoder?.decode() ?? "");
  const surface = reader.finish();
  const system = systemOf(surface, epsg);
  const unitM = unitOf(surface);
  const places = placeSurface(surface, system, unitM ?? system.unitM ?? 1);
  let placed = places.next();
  for (let count = 1; placed.done !== true; count += 1) {
    if (count % POINTS_AT_ONCE === 0) await pauses.due();
    placed = places.next();
  }
  const warnings = [
    ...(surface.others.length === 0 || wanted !== undefined
      ? []
      : [
          `the surface ${quoted(surface.name)} was taken; there are also ${listed(surface.others)}`,
        ]),
    ...(unitM === undefined ? [assumedUnit(system)] : []),
    ...[shiftWarning(system)].filter((warning) => warning !== undefined),
    ...(surface.collapsed === 0
      ? []
      : [`${surface.collapsed} faces name a point twice and were left out`]),
  ];
  return { tin: placed.value, name: surface.name, system: system.name, warnings };
}

function assumedUnit({ name, unitM }: CoordinateSystem): string {
  return unitM === undefined || unitM === 1
    ? "the file names no unit of length; metres are assumed"
    : `the file names no unit of length; that of ${name} (${unitM} m) is assumed, for heights too`;
}

/** By the byte order mark; names of surfaces are all that is not ASCII. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /^<\?xml[^>]*encoding=["'](iso-8859-1|windows-1252)["']/i.test(head)
    ? "windows-1252"
    : "utf-8";
}
