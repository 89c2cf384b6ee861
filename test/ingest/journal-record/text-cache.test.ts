import { describe, expect, it } from "vitest";
import { TextCache } from "../../../ingest/journal-record/text-cache.ts";

const encoder = new TextEncoder();

describe("texts by their bytes", () => {
  it("are right for more texts than it remembers, in any order", () => {
    const texts = new TextCache();
    const ids = Array.from({ length: 20_000 }, (_, i) => `machine-${i * 7}`);
    for (const id of [...ids, ...ids.reverse()]) {
      const bytes = encoder.encode(`<${id}>`);
      expect(texts.text(bytes, 1, bytes.length - 1)).toBe(id);
    }
  });

  it("texts by their bytes do not depend on what becomes of the bytes", () => {
    const texts = new TextCache();
    const bytes = encoder.encode("Mühle-1");
    expect(texts.text(bytes, 0, bytes.length)).toBe("Mühle-1");
    bytes.set(encoder.encode("2"), bytes.length - 1);
    expect(texts.text(bytes, 0, bytes.length)).toBe("Mühle-2");
    expect(texts.text(encoder.encode("Mühle-1"), 0, bytes.length)).toBe("Mühle-1");
    expect(texts.text(bytes, 0, 0)).toBe("");
  });
});
