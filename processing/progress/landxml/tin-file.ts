import { endianness } from "node:os";
import { DomainError } from "../../../domain/errors.ts";

/** A triangulated surface on WGS 84. */
export interface TinSurface {
  /** Of each vertex; degrees, WGS 84. */
  readonly lonDeg: Float64Array;
  readonly latDeg: Float64Array;
  /** Of each vertex; metres in the heights of the file it came from. */
  readonly heightM: Float64Array;
  /** Three indices of vertices for each triangle; no winding is promised. */
  readonly faces: Uint32Array;
}

/** First bytes; the number changes with what follows. */
const MAGIC = Buffer.from("PLBTIN01");
/** Magic, number of vertices and number of triangles. */
const HEAD_BYTES = MAGIC.length + 8;
const VERTEX_BYTES = 24;
const FACE_BYTES = 12;

/**
 * A surface as a file, little endian: magic, number of vertices and of triangles (uint32 each), all
 * longitudes, all latitudes, all heights (float64), three indices a triangle (uint32).
 */
export function writeTin({ lonDeg, latDeg, heightM, faces }: TinSurface): Uint8Array {
  const vertices = lonDeg.length;
  const bytes = Buffer.alloc(HEAD_BYTES + vertices * VERTEX_BYTES + faces.length * 4);
  bytes.set(MAGIC);
  bytes.writeUInt32LE(vertices, MAGIC.length);
  bytes.writeUInt32LE(faces.length / 3, MAGIC.length + 4);
  let at = HEAD_BYTES;
  for (const column of [lonDeg, latDeg, heightM, faces]) {
    bytes.set(littleEndian(column), at);
    at += column.byteLength;
  }
  return bytes;
}

/**
 * A surface from the file that `writeTin` made of it.
 * @throws DomainError `SURFACE_INVALID` for bytes of another kind, or damaged ones.
 */
export function readTin(bytes: Uint8Array): TinSurface {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < HEAD_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw damaged("it does not begin as one");
  }
  const vertices = file.readUInt32LE(MAGIC.length);
  const triangles = file.readUInt32LE(MAGIC.length + 4);
  const expected = HEAD_BYTES + vertices * VERTEX_BYTES + triangles * FACE_BYTES;
  if (file.length !== expected) {
    throw damaged(`it has ${file.length} bytes, ${expected} were written`);
  }
  const columnAt = (column: number): Float64Array => {
    const from = HEAD_BYTES + column * vertices * 8;
    return fromLittleEndian(new Float64Array(vertices), file.subarray(from));
  };
  const facesAt = file.subarray(HEAD_BYTES + vertices * VERTEX_BYTES);
  const faces = fromLittleEndian(new Uint32Array(triangles * 3), facesAt);
  for (const vertex of faces) {
    if (vertex >= vertices) throw damaged(`a triangle has the vertex ${vertex} of ${vertices}`);
  }
  return { lonDeg: columnAt(0), latDeg: columnAt(1), heightM: columnAt(2), faces };
}

const IS_BIG_ENDIAN = endianness() === "BE";

/** The bytes of numbers as the file has them. */
function littleEndian(numbers: Float64Array | Uint32Array): Buffer {
  const own = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return IS_BIG_ENDIAN ? swapped(Buffer.from(own), numbers) : own;
}

/** Fills numbers from the first bytes of a part of the file. */
function fromLittleEndian<T extends Float64Array | Uint32Array>(numbers: T, part: Buffer): T {
  const own = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  part.copy(own, 0, 0, own.length);
  if (IS_BIG_ENDIAN) swapped(own, numbers);
  return numbers;
}

const swapped = (bytes: Buffer, numbers: Float64Array | Uint32Array): Buffer =>
  numbers instanceof Float64Array ? bytes.swap64() : bytes.swap32();

const damaged = (reason: string): DomainError =>
  new DomainError("SURFACE_INVALID", `this is not a file of a triangulated surface: ${reason}`);
