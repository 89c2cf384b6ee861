import { deflateSync, inflateSync } from "node:zlib";
import type { Vector3 } from "../geometry/rotation.ts";
import type { ElevationGrid, GridFrame } from "../grid/elevation-grid.ts";
import type { ImageKind } from "../images/files/image-kind.ts";

/** What an epoch leaves for the next one: its surface and its cameras in the frame of the datum. */
export interface Epoch extends Omit<EpochHead, "frame"> {
  /** On a grid of the datum, before holes were filled. */
  readonly surface: ElevationGrid;
}

/** What can be read of an epoch without its surface. */
export interface EpochHead {
  /** Whose frame and grid it is in: id of the measurement or of the capture that made them. */
  readonly datum: string;
  readonly frame: GridFrame;
  /** Oriented images by content, and their projection centres, metres. */
  readonly cameras: readonly EpochCamera[];
  /** Images of the epoch before that were handed over to be oriented along. */
  readonly companions: readonly EpochImage[];
}

/** An image of an epoch by its content. */
export interface EpochImage {
  readonly sha256: string;
  readonly kind: ImageKind;
}

export interface EpochCamera extends EpochImage {
  readonly centre: Vector3;
}

/** First bytes; the number changes with what follows: length of the head, head as JSON, deflated cells. */
const MAGIC = Buffer.from("PLBEPOCH1");
const HEAD_AT = MAGIC.length + 4;
/** Heights are kept to the millimetre: a tenth of the noise of the best surveys. */
const STEPS_PER_M = 1_000;
/** Correlations are kept to the percent. */
const STEPS_PER_SCORE = 100;
/** Means no data. */
const NO_HEIGHT = -0x8000_0000;
const NO_SCORE = -128;
/** Bytes of a cell: height less the one before it, score, views; each kind in a row of its own. */
const CELL_BYTES = 6;
/** Higher saves a few percent and takes several times as long. */
const DEFLATE_LEVEL = 3;

/** An epoch as a file, about 3 bytes a cell. */
export function encodeEpoch({ datum, surface, cameras, companions }: Epoch): Uint8Array {
  const { westM, northM, cellM, width, height, elevationM, score, views } = surface;
  const cells = width * height;
  const body = Buffer.alloc(cells * CELL_BYTES);
  let before = 0;
  for (let i = 0; i < cells; i += 1) {
    const s = score[i] ?? Number.NaN;
    body.writeInt8(Number.isNaN(s) ? NO_SCORE : Math.round(s * STEPS_PER_SCORE), cells * 4 + i);
    const z = elevationM[i] ?? Number.NaN;
    const steps = Math.round(z * STEPS_PER_M);
    body.writeInt32LE(Number.isNaN(z) ? NO_HEIGHT : steps - before, i * 4);
    if (!Number.isNaN(z)) before = steps;
  }
  body.set(views, cells * 5);
  const head: EpochHead = {
    datum,
    frame: { westM, northM, cellM, width, height },
    cameras,
    companions,
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([MAGIC, length, text, deflateSync(body, { level: DEFLATE_LEVEL })]);
}

/** The head of an epoch's file; `undefined` for one of another version. */
export function readEpochHead(bytes: Uint8Array): EpochHead | undefined {
  return open(bytes)?.head;
}

/** An epoch from its file; `undefined` for one of another version. */
export function decodeEpoch(bytes: Uint8Array): Epoch | undefined {
  const opened = open(bytes);
  if (opened === undefined) return undefined;
  const { datum, frame, cameras, companions } = opened.head;
  const cells = frame.width * frame.height;
  const body = inflateSync(opened.body, { maxOutputLength: cells * CELL_BYTES });
  const elevationM = new Float32Array(cells).fill(Number.NaN);
  const score = new Float32Array(cells).fill(Number.NaN);
  let before = 0;
  for (let i = 0; i < cells; i += 1) {
    const s = body.readInt8(cells * 4 + i);
    if (s !== NO_SCORE) score[i] = s / STEPS_PER_SCORE;
    const steps = body.readInt32LE(i * 4);
    if (steps === NO_HEIGHT) continue;
    before += steps;
    elevationM[i] = before / STEPS_PER_M;
  }
  const views = Uint8Array.from(body.subarray(cells * 5));
  return { datum, cameras, companions, surface: { ...frame, elevationM, score, views } };
}

function open(bytes: Uint8Array) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const end = HEAD_AT + file.readUInt32LE(MAGIC.length);
  const head = JSON.parse(file.toString("utf8", HEAD_AT, end)) as EpochHead;
  return { head, body: file.subarray(end) };
}
