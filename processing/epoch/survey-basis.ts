import { deflateSync, inflateSync } from "node:zlib";
import type { GridFrame, HeightField } from "../grid/elevation-grid.ts";
import {
  HEIGHT_BYTES,
  packCells,
  packedBytes,
  packHeights,
  unpackCells,
  unpackHeights,
} from "./packed-surface.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/** Name of the file in the folder of what it was made for. */
export const BASIS_NAME = "basis.bin";

/**
 * First bytes; the number changes with what follows: length of the head, head as JSON, deflated cells of the surface
 * and of the coarser one.
 */
const MAGIC = Buffer.from("PLBBASIS1");
const HEAD_AT = MAGIC.length + 4;
/** Higher saves a few percent and takes several times as long. */
const DEFLATE_LEVEL = 3;

/** What of a survey is kept as JSON. */
interface Head extends Omit<SurveyFacts, "dsm" | "cameras" | "block"> {
  /** Null in place of `undefined`, which JSON has not. */
  readonly block: NonNullable<SurveyFacts["block"]> | null;
  readonly frame: GridFrame;
  readonly coarse: GridFrame | null;
}

/**
 * All that volumes of a survey are computed from, as a file of about 4 bytes a cell: so that a footprint which is drawn
 * later is measured as one that was there from the beginning. The maps for people are of another grid, and without
 * what the images' adjustment left uncertain.
 */
export function encodeBasis(survey: SurveyFacts): Uint8Array {
  const { dsm, block, origin, georeferencing, gsdM, photoGsdM, stepM } = survey;
  const { coarse } = dsm;
  const head: Head = {
    ...{ origin, georeferencing, gsdM },
    ...(photoGsdM === undefined ? {} : { photoGsdM }),
    ...(stepM === undefined ? {} : { stepM }),
    block: block ?? null,
    frame: frameOf(dsm),
    coarse: coarse === undefined ? null : frameOf(coarse),
  };
  const surfaceBytes = packedBytes(dsm);
  const body = Buffer.alloc(surfaceBytes + coarseBytes(head));
  packCells(dsm, body);
  if (coarse !== undefined) packHeights(coarse.elevationM, body, surfaceBytes);
  const text = Buffer.from(JSON.stringify(head, written));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([MAGIC, length, text, deflateSync(body, { level: DEFLATE_LEVEL })]);
}

/** Where a file's surface lies; `undefined` for a file of another version. */
export function readBasisHead(
  bytes: Uint8Array,
): { readonly frame: GridFrame; readonly origin: SurveyFacts["origin"] } | undefined {
  return open(bytes)?.head;
}

/** The survey of a file, without where its images were taken; `undefined` for a file of another version. */
export function decodeBasis(bytes: Uint8Array): SurveyFacts | undefined {
  const opened = open(bytes);
  if (opened === undefined) return undefined;
  const { frame, coarse, block, ...facts } = opened.head;
  const surfaceBytes = packedBytes(frame);
  const maxOutputLength = surfaceBytes + coarseBytes(opened.head);
  const body = inflateSync(opened.body, { maxOutputLength });
  const dsm = unpackCells(frame, body);
  const coarser: HeightField | undefined = coarse
    ? {
        ...coarse,
        elevationM: unpackHeights(body, surfaceBytes, coarse.width * coarse.height),
      }
    : undefined;
  return {
    ...facts,
    block: block ?? undefined,
    dsm: coarser === undefined ? dsm : { ...dsm, coarse: coarser },
    cameras: [],
  };
}

const frameOf = ({ westM, northM, cellM, width, height }: GridFrame): GridFrame => ({
  ...{ westM, northM, cellM, width, height },
});

const coarseBytes = ({ coarse }: Pick<Head, "coarse">): number =>
  coarse === null ? 0 : coarse.width * coarse.height * HEIGHT_BYTES;

/** Rotations, and figures that are not finite: JSON has neither. */
type Written = { readonly f64: readonly number[] } | { readonly number: string };

function written(_name: string, value: unknown): unknown {
  if (value instanceof Float64Array) return { f64: [...value] } satisfies Written;
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return { number: String(value) } satisfies Written;
}

function read(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { f64, number } = value as { readonly f64?: number[]; readonly number?: string };
  if (f64 !== undefined) return Float64Array.from(f64);
  return number === undefined ? value : Number(number);
}

function open(bytes: Uint8Array) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const end = HEAD_AT + file.readUInt32LE(MAGIC.length);
  const head = JSON.parse(file.toString("utf8", HEAD_AT, end), read) as Head;
  return { head, body: file.subarray(end) };
}
