/** A write of one metric, as an edge node reads it. */
export interface WrittenMetric {
  /** The payload's `uuid`. */
  readonly uuid: string;
  readonly name: string;
  readonly value: number;
  /** The property `plumbline_attempt`; 0: it has none. */
  readonly attempt: number;
}

/** Reads the payload of an NCMD or DCMD with one metric of whole numbers (Eclipse Tahu, `sparkplug_b.proto`). */
export function readCommand(payload: Uint8Array): WrittenMetric {
  const outer = fieldsOf(Buffer.from(payload));
  const metric = fieldsOf(bytesOf(outer.get(2)));
  const properties = metric.get(9);
  const value = properties === undefined ? undefined : fieldsOf(bytesOf(properties)).get(2);
  return {
    uuid: outer.has(4) ? bytesOf(outer.get(4)).toString() : "",
    name: bytesOf(metric.get(1)).toString(),
    value: Number(metric.get(10) ?? metric.get(11) ?? metric.get(14) ?? 0),
    attempt: value === undefined ? 0 : Number(fieldsOf(bytesOf(value)).get(3) ?? 0),
  };
}

const bytesOf = (field: number | Buffer | undefined): Buffer =>
  Buffer.isBuffer(field) ? field : Buffer.alloc(0);

/** The last value of each field of a protobuf message; of fixed lengths the bytes. */
function fieldsOf(message: Buffer): Map<number, number | Buffer> {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag % 8;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    fields.set(Math.floor(tag / 8), value);
  }
  return fields;
}
