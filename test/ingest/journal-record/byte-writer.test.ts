import { describe, expect, it } from "vitest";
import { ByteReader } from "../../../ingest/journal-record/byte-reader.ts";
import { ByteWriter } from "../../../ingest/journal-record/byte-writer.ts";

/** Size of the writer's first buffer, bytes. */
const FIRST = 64 * 1024;

const writes: readonly (readonly [
  name: string,
  write: (writer: ByteWriter) => void,
  read: (reader: ByteReader) => unknown,
  expected: unknown,
])[] = [
  ["u8", (writer) => writer.u8(200), (reader) => reader.u8(), 200],
  ["u16", (writer) => writer.u16(60_000), (reader) => reader.u16(), 60_000],
  ["u32", (writer) => writer.u32(4_000_000_000), (reader) => reader.u32(), 4_000_000_000],
  ["f64", (writer) => writer.f64(Math.PI), (reader) => reader.f64(), Math.PI],
  ["text", (writer) => writer.text("Grüße 🚜"), (reader) => reader.text(), "Grüße 🚜"],
  [
    "bytes",
    (writer) => writer.bytes(Uint8Array.of(1, 2, 3)),
    (reader) => [...reader.bytes()],
    [1, 2, 3],
  ],
];

describe("a record that outgrows its buffer", () => {
  it.each(
    writes,
  )("a record that outgrows its buffer keeps a %s written at the edge", (_name, write, read, expected) => {
    for (let before = FIRST - 40; before <= FIRST; before += 1) {
      const writer = new ByteWriter();
      writer.begin();
      for (let i = 0; i < before; i += 1) writer.u8(i % 251);
      write(writer);
      writer.u8(99);
      const reader = new ByteReader(writer.take());
      for (let i = 0; i < before; i += 1) if (reader.u8() !== i % 251) throw new Error(`byte ${i}`);
      expect([read(reader), reader.u8()]).toEqual([expected, 99]);
    }
  });

  it("a record that is abandoned half written leaves nothing behind", () => {
    const writer = new ByteWriter();
    writer.begin();
    writer.text("given up");
    writer.begin();
    writer.u8(1);
    expect([...writer.take()]).toEqual([1]);
  });
});
