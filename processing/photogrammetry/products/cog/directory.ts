/** Types of TIFF 6.0 section 2 that are used here, and the bytes of one value. */
const TYPE_BYTES = { ascii: 1, short: 2, long: 4, double: 8 } as const;
const TYPE_CODE = { ascii: 2, short: 3, long: 4, double: 12 } as const;

/** One field of an image file directory. */
export interface TiffField {
  readonly tag: number;
  readonly type: keyof typeof TYPE_BYTES;
  /** Text is ASCII with the ending zero byte written for it. */
  readonly values: readonly number[] | string;
}

/** Bytes that a directory takes, with the values that do not fit into its entries. */
export function directoryBytes(fields: readonly TiffField[]): number {
  let bytes = 2 + fields.length * 12 + 4;
  for (const field of fields) {
    const length = byteLength(field);
    if (length > 4) bytes += even(length);
  }
  return bytes;
}

/**
 * Writes a directory at `offset`; its longer values follow it. Little-endian.
 * @param fields in rising order of tags (TIFF 6.0 section 2)
 * @param next offset of the next directory; 0 = none
 */
export function writeDirectory(
  view: DataView,
  offset: number,
  fields: readonly TiffField[],
  next: number,
): void {
  view.setUint16(offset, fields.length, true);
  let entry = offset + 2;
  let outside = entry + fields.length * 12 + 4;
  for (const field of fields) {
    view.setUint16(entry, field.tag, true);
    view.setUint16(entry + 2, TYPE_CODE[field.type], true);
    view.setUint32(entry + 4, byteLength(field) / TYPE_BYTES[field.type], true);
    const length = byteLength(field);
    if (length <= 4) {
      writeValues(view, entry + 8, field);
    } else {
      view.setUint32(entry + 8, outside, true);
      writeValues(view, outside, field);
      outside += even(length);
    }
    entry += 12;
  }
  view.setUint32(entry, next, true);
}

function byteLength({ type, values }: TiffField): number {
  return typeof values === "string" ? values.length + 1 : values.length * TYPE_BYTES[type];
}

function writeValues(view: DataView, offset: number, { type, values }: TiffField): void {
  if (typeof values === "string") {
    for (let i = 0; i < values.length; i += 1) view.setUint8(offset + i, values.charCodeAt(i));
    return;
  }
  for (const [i, value] of values.entries()) {
    if (type === "short") view.setUint16(offset + i * 2, value, true);
    else if (type === "long") view.setUint32(offset + i * 4, value, true);
    else view.setFloat64(offset + i * 8, value, true);
  }
}

/** Values begin on word boundaries (TIFF 6.0 section 2). */
function even(bytes: number): number {
  return bytes + (bytes % 2);
}
