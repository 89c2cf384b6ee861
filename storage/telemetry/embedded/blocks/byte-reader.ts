/** Reads what `ByteWriter` wrote. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.position = 0;
  }

  byte(): number {
    return this.bytes[this.position++] as number;
  }

  raw(length: number): Uint8Array {
    const part = this.bytes.subarray(this.position, this.position + length);
    this.position += length;
    return part;
  }

  /** A reader of the next bytes, as many as the uint32 before them says. */
  part(): ByteReader {
    const [a = 0, b = 0, c = 0, d = 0] = this.raw(4);
    return new ByteReader(this.raw((a | (b << 8) | (c << 16) | (d << 24)) >>> 0));
  }

  varint(): number {
    let byte = this.bytes[this.position++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    let shift = 7;
    // Four groups fit 28 bits; what is longer goes on in floating point.
    do {
      byte = this.bytes[this.position++] as number;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127 && shift < 28);
    let scale = 2 ** 28;
    while (byte > 127) {
      byte = this.bytes[this.position++] as number;
      value += (byte & 127) * scale;
      scale *= 128;
    }
    return value;
  }

  zigzag(): number {
    const coded = this.varint();
    if (coded < 0x40000000) return (coded >>> 1) ^ -(coded & 1);
    return coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2;
  }

  /**
   * Fills `sums` with the running sums of zigzag integers, one per element. The loop that every read
   * spends its time in: small differences are decoded without a call.
   */
  runningSums(sums: Float64Array): void {
    const { bytes } = this;
    let at = this.position;
    let sum = 0;
    for (let i = 0; i < sums.length; i++) {
      const first = bytes[at] as number;
      const second = bytes[at + 1] as number;
      if (first < 128) {
        at += 1;
        sum += (first >>> 1) ^ -(first & 1);
      } else if (second < 128) {
        at += 2;
        const coded = (first & 127) | (second << 7);
        sum += (coded >>> 1) ^ -(coded & 1);
      } else {
        this.position = at;
        sum += this.zigzag();
        at = this.position;
      }
      sums[i] = sum;
    }
    this.position = at;
  }
}
