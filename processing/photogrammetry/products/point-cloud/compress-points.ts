import { ArithmeticEncoder } from "./arithmetic-encoder.ts";
import { createIntegerCoder } from "./integer-coder.ts";
import { createRunningMedian } from "./running-median.ts";
import { createSymbolModel } from "./symbol-model.ts";

/** One point as LAS format 7 has it: integer coordinates, class, colour of 8 bits a channel. */
export interface LasPoint {
  x: number;
  y: number;
  z: number;
  classification: number;
  red: number;
  green: number;
  blue: number;
}

/** Bytes of a point of format 7 and of its part without colour. */
export const POINT_BYTES = 36;
const CORE_BYTES = 30;
/** First of one return. */
const RETURNS = 0x11;
/** Layers of the core, in their order: xy, z, class, and six that never change in our points. */
const CORE_LAYERS = 9;
/** Bits of a colour's symbol: high byte of red, green and blue differ from the last; not grey. */
const [RED, GREEN, BLUE, COLOURED] = [2, 8, 32, 64];

/**
 * A chunk of points, format 7, in layers (LASzip 3; Isenburg 2017, "LASzip native LAS 1.4 compressor"). All
 * points are first of one return, of one scanner, without time, intensity and flags: those layers are empty.
 * @param count one or more
 * @param read fills `point` with the point of an index
 */
export function compressPoints(
  count: number,
  read: (index: number, point: LasPoint) => void,
): Uint8Array {
  const point: LasPoint = { x: 0, y: 0, z: 0, classification: 0, red: 0, green: 0, blue: 0 };
  read(0, point);
  const raw = rawPoint(point);
  const last = { ...point };
  const xy = new ArithmeticEncoder();
  const zs = new ArithmeticEncoder();
  const classes = new ArithmeticEncoder();
  const colours = new ArithmeticEncoder();
  let hasClasses = false;
  let hasColours = false;
  const changes = createSymbolModel(128);
  const [forX, forY, forZ] = [
    createIntegerCoder(2),
    createIntegerCoder(22),
    createIntegerCoder(20),
  ] as const;
  const [medianX, medianY] = [createRunningMedian(), createRunningMedian()] as const;
  const classModels = new Map<number, ReturnType<typeof createSymbolModel>>();
  const usedBytes = createSymbolModel(128);
  const highBytes = [0, 1, 2].map(() => createSymbolModel(256));
  const [ofRed, ofGreen, ofBlue] = highBytes;
  if (ofRed === undefined || ofGreen === undefined || ofBlue === undefined) {
    throw new RangeError("no models");
  }

  for (let i = 1; i < count; i += 1) {
    read(i, point);
    // Nothing changes of returns, time, source, angle and scanner.
    xy.symbol(changes, 0);
    const dx = point.x - last.x;
    forX.write(xy, medianX.value(), dx, 1);
    medianX.add(dx);
    const dy = point.y - last.y;
    forY.write(xy, medianY.value(), dy, evened(Math.min(forX.bitsOfLast(), 20)) + 1);
    medianY.add(dy);
    const k = (forX.bitsOfLast() + forY.bitsOfLast()) >> 1;
    forZ.write(zs, last.z, point.z, evened(Math.min(k, 18)) + 1);
    const before = last.classification % 32;
    let model = classModels.get(before);
    if (model === undefined) {
      model = createSymbolModel(256);
      classModels.set(before, model);
    }
    classes.symbol(model, point.classification);
    hasClasses ||= point.classification !== last.classification;

    const isColoured = point.red !== point.green || point.red !== point.blue;
    const used =
      (point.red === last.red ? 0 : RED) +
      (point.green === last.green ? 0 : GREEN) +
      (point.blue === last.blue ? 0 : BLUE) +
      (isColoured ? COLOURED : 0);
    hasColours ||= used !== 0;
    colours.symbol(usedBytes, used);
    const dRed = point.red - last.red;
    if (dRed !== 0) colours.symbol(ofRed, dRed & 255);
    if (isColoured) {
      if (point.green !== last.green) {
        colours.symbol(ofGreen, (point.green - clamped(last.green + dRed)) & 255);
      }
      if (point.blue !== last.blue) {
        const guess = Math.trunc((dRed + point.green - last.green) / 2);
        colours.symbol(ofBlue, (point.blue - clamped(last.blue + guess)) & 255);
      }
    }
    last.x = point.x;
    last.y = point.y;
    last.z = point.z;
    last.classification = point.classification;
    last.red = point.red;
    last.green = point.green;
    last.blue = point.blue;
  }
  const core = [xy.finish(), zs.finish(), hasClasses ? classes.finish() : NOTHING];
  const colour = hasColours ? colours.finish() : NOTHING;
  const sizes = new Uint8Array(4 * (1 + CORE_LAYERS + 1));
  const view = new DataView(sizes.buffer);
  view.setUint32(0, count, true);
  for (const [i, layer] of core.entries()) view.setUint32(4 * (1 + i), layer.length, true);
  view.setUint32(4 * (1 + CORE_LAYERS), colour.length, true);
  return Buffer.concat([raw, sizes, ...core, colour]);
}

const NOTHING = new Uint8Array(0);

const evened = (k: number): number => k & ~1;

const clamped = (byte: number): number => Math.min(255, Math.max(0, byte));

/** The first point of a chunk, as an uncompressed file has it. */
function rawPoint({ x, y, z, classification, red, green, blue }: LasPoint): Uint8Array {
  const bytes = new Uint8Array(POINT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, x, true);
  view.setInt32(4, y, true);
  view.setInt32(8, z, true);
  view.setUint8(14, RETURNS);
  view.setUint8(16, classification);
  for (const [i, byte] of [red, green, blue].entries()) {
    view.setUint16(CORE_BYTES + 2 * i, byte << 8, true);
  }
  return bytes;
}
