import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { representationOf } from "../../../api/iso15143/representation.ts";
import { xmlDocument } from "../../../api/iso15143/xml.ts";
import { xmlElement, xmlNumber, xmlText } from "../../../api/representations/xml-text.ts";
import { readXml, textAt } from "./xml-tree.ts";

describe("the Accept header of ISO 15143-3", () => {
  it.each([
    [undefined, "xml"],
    ["", "xml"],
    ["*/*", "xml"],
    ["application/*", "xml"],
    ["application/xml", "xml"],
    ["text/xml, application/json;q=0.9", "xml"],
    ["application/json", "json"],
    ["APPLICATION/JSON; charset=utf-8", "json"],
    ["application/iso15143-snapshot+json", "json"],
    ["application/json, text/plain, */*", "json"],
    ["application/json;q=0.5, */*", "xml"],
    ["application/xml;q=0.1, application/json;q=0.2", "json"],
    ["application/json, application/xml", "xml"],
    ["application/json;q=0, */*", "xml"],
    ["application/xml;q=0, */*", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "xml"],
    ["application/json;q=nonsense", "xml"],
    ["image/png", "xml"],
    [";;,,q=", "xml"],
  ])("%s asks for %s", (accept, expected) => {
    expect(representationOf(accept)).toBe(expected);
  });
});

describe("XML", () => {
  const readBack = (text: string) =>
    textAt(readXml(xmlDocument("r", xmlElement("a", xmlText(text)))), "a");

  it("XML reads back as the same text, whatever is in it", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(text, (given) => {
        expect(readBack(given)).toBe(cleaned(given));
      }),
    );
    expect(readBack("<a href='x'>&amp;\"]]>\r\n\t")).toBe("<a href='x'>&amp;\"]]>\r\n\t");
  });

  it("XML reads back in an attribute, too", () => {
    const given = "a\"b'c<d>\n\t e&";
    const root = readXml(xmlDocument("r", "", { given: xmlText(given) }));
    expect(root.attributes["given"]).toBe(given);
  });

  it("XML puts U+FFFD in place of what XML has no character for", () => {
    expect(readBack("a\u0000b\u001fc\ufffed\ud800e\udc00f")).toBe("a�b�c�d�e�f");
    expect(readBack("\u{1F69C}")).toBe("\u{1F69C}");
  });

  it("XML stays well-formed for any string of UTF-16", () => {
    const text = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(text, (given) => {
        expect(readBack(given)?.length).toBe(given.length);
      }),
    );
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [8376.2, "8376.2"],
    [1e-7, "0.0000001"],
    [-1.5e-7, "-0.00000015"],
    [1e-300, "0"],
    [149_529, "149529"],
  ])("XML writes %d as %s", (value, text) => {
    expect(xmlNumber(value)).toBe(text);
  });
});

/** Line ends stay as they are, because they are written as references. */
const cleaned = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not in XML
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\uFFFD");
