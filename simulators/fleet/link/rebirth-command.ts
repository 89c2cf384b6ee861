const REBIRTH = "Node Control/Rebirth";
/** Wire types of protobuf (protobuf.dev, "Encoding"), and the fields of Tahu's schema that matter here. */
const VARINT = 0;
const EIGHT_BYTES = 1;
const BYTES = 2;
const FOUR_BYTES = 5;
const PAYLOAD_METRICS = 2;
const METRIC_NAME = 1;
const METRIC_BOOLEAN = 14;

/** A field of a protobuf message: its number as it is, or its bytes. */
interface Field {
  readonly id: number;
  readonly value: number | Buffer;
}

/** Whether an NCMD asks an edge node for its births. @throws RangeError when it is not protobuf. */
export function asksForRebirth(payload: Buffer): boolean {
  for (const { id, value } of fieldsOf(payload)) {
    if (id !== PAYLOAD_METRICS || typeof value === "number") continue;
    const metric = new Map([...fieldsOf(value)].map((field) => [field.id, field.value]));
    const name = metric.get(METRIC_NAME);
    if (Buffer.isBuffer(name) && name.toString() === REBIRTH && metric.get(METRIC_BOOLEAN) === 1) {
      return true;
    }
  }
  return false;
}

function* fieldsOf(message: Buffer): Generator<Field> {
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
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError("the message ends within a field");
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const id = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === VARINT) yield { id, value: varint() };
    else if (wire === BYTES) yield { id, value: bytes(varint()) };
    else if (wire === EIGHT_BYTES || wire === FOUR_BYTES) {
      yield { id, value: bytes(wire === EIGHT_BYTES ? 8 : 4) };
    } else throw new RangeError(`wire type ${wire}`);
  }
}
