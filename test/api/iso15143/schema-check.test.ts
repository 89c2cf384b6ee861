import { describe, expect, it } from "vitest";
import { schemaProblems } from "./schema-check.ts";

const LINKS = "<Links><rel>self</rel><href>/1</href></Links>";

const fleet = (equipment: string, root = 'snapshotTime="2026-03-05T12:00:00Z"') =>
  `<Fleet xmlns="http://standards.iso.org/iso/15143/-3" version="1" ${root}>${LINKS}` +
  `<Equipment>${equipment}</Equipment></Fleet>`;

const HEADER = "<EquipmentHeader><OEMName>BELL</OEMName><Model>B50E</Model></EquipmentHeader>";
const AT = 'datetime="2026-03-05T12:00:00Z"';

describe("the check of documents against the schema", () => {
  it("the check of documents against the schema takes what another maker's server sends", () => {
    const payload = `<CumulativePayloadTotals ${AT}><PayloadUnits>kilogram</PayloadUnits><Payload>596361594</Payload></CumulativePayloadTotals>`;
    const hours = `<CumulativeOperatingHours ${AT}><Hour>8376.20</Hour></CumulativeOperatingHours>`;
    expect(schemaProblems(fleet(HEADER + hours + payload))).toEqual([]);
  });

  it.each([
    ["an element in the wrong place", `<FuelUsed ${AT}/>${HEADER}`, "EquipmentHeader is missing"],
    ["an unknown section", `${HEADER}<Mood ${AT}/>`, "Mood is not allowed"],
    [
      "a section without time",
      `${HEADER}<FuelRemaining><Percent>1</Percent></FuelRemaining>`,
      "no d",
    ],
    [
      "a time with ms",
      `${HEADER}<FuelRemaining datetime="2026-03-05T12:00:00.5Z"><Percent>1</Percent></FuelRemaining>`,
      "is not of type xs:dateTime",
    ],
    [
      "a percentage above 100",
      `${HEADER}<FuelRemaining ${AT}><Percent>101</Percent></FuelRemaining>`,
      "is not of type PercentValue",
    ],
    [
      "an exponent",
      `${HEADER}<FuelRemaining ${AT}><Percent>1e1</Percent></FuelRemaining>`,
      "is not of type PercentValue",
    ],
    [
      "an unknown unit",
      `${HEADER}<FuelUsed ${AT}><FuelUnits>pint</FuelUnits><FuelConsumed>1</FuelConsumed></FuelUsed>`,
      "is not of type FuelUnits",
    ],
    ["an element twice", `${HEADER}${HEADER}`, "EquipmentHeader is not allowed"],
    [
      "an attribute too many",
      `${HEADER}<FuelRemaining ${AT} x="1"><Percent>1</Percent></FuelRemaining>`,
      "x is not allowed",
    ],
    ["text between elements", `${HEADER}text`, "has text"],
  ])("the check of documents against the schema refuses %s", (_name, equipment, problem) => {
    expect(schemaProblems(fleet(equipment)).join("; ")).toContain(problem);
  });

  it("the check of documents against the schema refuses another namespace, another root and a missing attribute", () => {
    const komatsu = "http://www.jcmanet.or.jp/english2017/ISO/15143/-3/20190501";
    const other = fleet(HEADER).replace("http://standards.iso.org/iso/15143/-3", komatsu);
    expect(schemaProblems(other)[0]).toBe(`Fleet: namespace ${komatsu}`);
    expect(schemaProblems("<fleet/>")).toEqual(["fleet is not a root element"]);
    expect(schemaProblems(fleet(HEADER, ""))).toEqual(["Fleet: no snapshotTime"]);
  });

  it("the check of documents against the schema refuses what is not well-formed", () => {
    expect(() => schemaProblems(fleet("<EquipmentHeader>"))).toThrow();
  });
});
