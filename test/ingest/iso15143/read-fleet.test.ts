import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import { readFleet, readingsOf } from "../../../ingest/iso15143/read-fleet.ts";

const fleetFile = (name: string) => readFileSync(new URL(`./fleets/${name}`, import.meta.url));
const read = (text: string) => readFleet(Buffer.from(text));

/** Time to fields of each machine. */
const fieldsOf = (page: ReturnType<typeof readFleet>) =>
  page.machines.map(({ sections }) =>
    Object.fromEntries(
      readingsOf(sections).map(({ deviceTimeMs = Number.NaN, fields }) => [
        new Date(deviceTimeMs).toISOString(),
        fields,
      ]),
    ),
  );

/** One machine with these sections, at noon. */
const one = (sections: string) =>
  read(
    `<Fleet><Equipment>${sections.replaceAll("@", 'datetime="2026-03-05T12:00:00Z"')}</Equipment></Fleet>`,
  );
const firstFields = (page: ReturnType<typeof readFleet>) =>
  readingsOf(page.machines[0]?.sections ?? [])[0]?.fields;

describe("another maker's fleet", () => {
  it("another maker's fleet is read as Bell sends it: no namespace, each section with a time of its own", () => {
    const page = readFleet(fleetFile("bell.xml"));
    expect(page.next).toBeUndefined();
    expect(page.machines[0]?.header).toEqual({
      oemName: "BELL",
      model: "B50E",
      equipmentId: "ASA B50E#9823",
      serialNumber: "AEBA850EC03509823",
      pin: "AEBA850EC03509823",
    });
    expect(page.machines[0]?.problems).toEqual([]);
    expect(fieldsOf(page)).toEqual([
      {
        "2026-08-21T15:00:00.000Z": { load_count: 13_252, payload_total_kg: 596_361_594 },
        "2026-08-21T16:10:00.000Z": { engine_on: 1 },
        "2026-08-21T16:12:00.000Z": {
          engine_hours: 8376.2,
          idle_hours: 3808.96,
          fuel_used_liters: 149_529,
          fuel_level_percent: 63,
        },
        "2026-08-21T16:12:44.000Z": {
          latitude: -26.0234,
          longitude: 28.9384,
          odometer_km: 70_439,
        },
      },
    ]);
  });

  it("as Komatsu sends it: another namespace, `dateTime`, levels as ratios, a machine that says nothing", () => {
    const page = readFleet(fleetFile("komatsu.xml"));
    expect(page.next).toBe("https://maker.example/iso/Fleet/3?a=1&b=2");
    expect(page.machines.map(({ header }) => header.serialNumber)).toEqual(["501234", "80123"]);
    expect(fieldsOf(page)).toEqual([
      {
        "2026-03-05T11:45:00.000Z": { fuel_level_percent: 61, def_level_percent: 100 },
        "2026-03-05T11:50:00.000Z": {
          latitude: 35.6,
          longitude: 139.7,
          altitude_meters: 40.5,
          engine_hours: 4021.5,
        },
      },
      {},
    ]);
  });

  it("another maker's fleet is read as Rexroth sends it: JSON, liter and meter, times to the ms", () => {
    const page = readFleet(fleetFile("rexroth.json"));
    expect(page.next).toBeUndefined();
    expect(page.machines[0]?.header).toMatchObject({
      oemName: "Rexroth",
      pin: "SNP50123123456789",
    });
    expect(fieldsOf(page)).toEqual([
      {
        "2023-05-08T17:17:38.342Z": { fuel_used_liters: 730 },
        "2023-05-08T17:17:38.343Z": { engine_hours: 162 },
        "2023-05-08T17:17:39.666Z": {
          latitude: 48.479507,
          longitude: 8.929208,
          altitude_meters: 424,
        },
      },
    ]);
  });

  it("another maker's fleet is read as Samsara sends it: JSON in camel case, string numbers, null, miles", () => {
    const page = readFleet(fleetFile("samsara.json"));
    expect(page.next).toBe("/fleet/2");
    expect(page.machines[0]?.header.equipmentId).toBe("Backhoe 3");
    expect(fieldsOf(page)).toEqual([
      {
        "2026-03-05T11:57:00.000Z": {
          engine_hours: 1200.5,
          fuel_level_percent: 48,
          odometer_km: 1609.344,
          engine_on: 0,
        },
        "2026-03-05T11:58:00.000Z": {
          latitude: 37.77,
          longitude: -122.41,
          speed_kmh: expect.closeTo(16.09344, 9),
        },
      },
    ]);
  });

  it("another maker's fleet is read by AEMP 1.2: hours as a duration, `Make`, gallons and miles", () => {
    const page = readFleet(fleetFile("aemp-1.2.xml"));
    expect(page.machines[0]?.header).toMatchObject({ oemName: "CAT", serialNumber: "ZZZ00123" });
    expect(fieldsOf(page)).toEqual([
      {
        "2012-03-05T10:00:00.000Z": { latitude: 40.7, longitude: -89.5 },
        "2012-03-05T11:00:00.000Z": {
          engine_hours: 13.475,
          fuel_used_liters: expect.closeTo(378.5411784, 9),
          fuel_used_last_24_h_liters: expect.closeTo(37.85411784, 9),
          odometer_km: expect.closeTo(19.312128, 9),
        },
      },
    ]);
  });
});

describe("a section", () => {
  it.each([
    [
      "hours in a duration of days",
      "<CumulativeOperatingHours @><Hour>P2DT1H30M</Hour></CumulativeOperatingHours>",
      { engine_hours: 49.5 },
    ],
    [
      "hours without an element",
      "<CumulativeOperatingHours @>PT90M</CumulativeOperatingHours>",
      { engine_hours: 1.5 },
    ],
    [
      "hours in minutes",
      "<CumulativeIdleHours @><minutes>90</minutes></CumulativeIdleHours>",
      { idle_hours: 1.5 },
    ],
    [
      "the unit in a name",
      "<FuelUsed @><FuelConsumedLitres>12</FuelConsumedLitres></FuelUsed>",
      { fuel_used_liters: 12 },
    ],
    [
      "the unit in a name of a distance",
      "<Distance @><OdometerKilometre>12</OdometerKilometre></Distance>",
      { odometer_km: 12 },
    ],
    ["no unit", "<FuelUsed @><FuelConsumed>12</FuelConsumed></FuelUsed>", { fuel_used_liters: 12 }],
    [
      "an altitude in feet",
      "<Location @><Latitude>1</Latitude><Longitude>2</Longitude><Altitude>100</Altitude><AltitudeUnits>feet</AltitudeUnits></Location>",
      { latitude: 1, longitude: 2, altitude_meters: 30.48 },
    ],
    [
      "a speed without unit, which may be anything",
      "<Location @><Latitude>1</Latitude><Longitude>2</Longitude><Speed>9</Speed></Location>",
      { latitude: 1, longitude: 2 },
    ],
    [
      "values in attributes",
      '<FuelUsed @ FuelConsumed="3" FuelUnits="litre"/>',
      { fuel_used_liters: 3 },
    ],
    [
      "CDATA",
      "<CumulativeLoadCount @><Count><![CDATA[ 7 ]]></Count></CumulativeLoadCount>",
      { load_count: 7 },
    ],
    [
      "payload in tonnes",
      "<CumulativePayloadTotals @><PayloadUnits>tonne</PayloadUnits><Payload>2.5</Payload></CumulativePayloadTotals>",
      { payload_total_kg: 2_500 },
    ],
    [
      "payload by Komatsu's names",
      "<CumulativePayloadTotals @><weightUom>tonne</weightUom><weight>3</weight></CumulativePayloadTotals>",
      { payload_total_kg: 3_000 },
    ],
    [
      "payload with the draft's unit",
      "<CumulativePayloadTotals @><WeightUnit>pound</WeightUnit><Payload>100</Payload></CumulativePayloadTotals>",
      { payload_total_kg: 45.359237 },
    ],
    ["an engine as 0", "<EngineStatus @><Running>0</Running></EngineStatus>", { engine_on: 0 }],
    [
      "a ratio by name",
      "<FuelRemaining @><FuelRemainingRatio>0.57</FuelRemainingRatio></FuelRemaining>",
      { fuel_level_percent: 57 },
    ],
  ])("a section with %s is read", (_name, section, fields) => {
    expect(firstFields(one(section))).toEqual(fields);
  });

  it.each([
    [
      "an unknown unit",
      "<FuelUsed @><FuelUnits>constructor</FuelUnits><FuelConsumed>12</FuelConsumed></FuelUsed>",
    ],
    ["half a position", "<Location @><Latitude>1</Latitude></Location>"],
    ["an empty number", "<CumulativeLoadCount @><Count/></CumulativeLoadCount>"],
    ["words for a number", "<CumulativeLoadCount @><Count>many</Count></CumulativeLoadCount>"],
    ["an engine that may be either", "<EngineStatus @><Running>maybe</Running></EngineStatus>"],
    ["a duration of nothing", "<CumulativeIdleHours @><Hour>P</Hour></CumulativeIdleHours>"],
    ["a level that is 1 % or full", "<FuelRemaining @><Percent>1</Percent></FuelRemaining>"],
    ["a name that nobody reads", "<Mood @><Percent>99</Percent></Mood>"],
  ])("a section with %s says nothing", (_name, section) => {
    expect(one(section).machines).toMatchObject([{ sections: [], problems: [] }]);
  });

  it("a section outside physics is a problem, and the others stay", () => {
    const page = one(
      "<Location @><Latitude>91</Latitude><Longitude>2</Longitude></Location>" +
        "<FuelRemaining @><Percent>140</Percent></FuelRemaining>" +
        "<CumulativeLoadCount @><Count>3</Count></CumulativeLoadCount>" +
        "<CumulativeIdleHours><Hour>3</Hour></CumulativeIdleHours>",
    );
    expect(page.machines[0]?.sections.map(({ fields }) => fields)).toEqual([
      { suspect_fuel_level_percent: 140 },
      { load_count: 3 },
    ]);
    expect(page.machines[0]?.problems).toEqual([
      "location: latitude 91 is outside -90 to 90",
      "cumulativeidlehours: no time",
      "fuelremaining: fuel_level_percent: outside 0 to 100",
    ]);
  });

  it("a section takes a level below 1 for percent where another of the page is above 1", () => {
    const machine = (level: number) =>
      `<Equipment><FuelRemaining datetime="2026-03-05T12:00:00Z"><Percent>${level}</Percent></FuelRemaining></Equipment>`;
    const page = (...given: number[]) =>
      Buffer.from(`<Fleet>${given.map(machine).join("")}</Fleet>`);
    const levels = (...given: number[]) =>
      readFleet(page(...given)).machines.map(
        ({ sections }) => sections[0]?.fields["fuel_level_percent"],
      );
    expect(levels(0.5, 61)).toEqual([0.5, 61]);
    expect(levels(0.5, 1, 0)).toEqual([50, 100, 0]);
    expect(levels(0, 1)).toEqual([0, undefined]);
    expect(levels(1, 2)).toEqual([1, 2]);
    expect([page(0.5, 1.02), page(61)].map((one) => readFleet(one).reportsPercent)).toEqual([
      false,
      true,
    ]);
    const [known] = readFleet(page(0.5), true).machines;
    expect(known?.sections[0]?.fields).toEqual({ fuel_level_percent: 0.5 });
  });
});

describe("an answer", () => {
  it.each([
    [
      "one machine in XML",
      "<Equipment><EquipmentHeader><Model>x</Model></EquipmentHeader></Equipment>",
      1,
    ],
    ["one machine in JSON", '{"EquipmentHeader":{"Model":"x"}}', 1],
    ["a bare list", '[{"EquipmentHeader":{}},{"EquipmentHeader":{}}]', 2],
    ["a list that is one object", '{"Equipment":{"EquipmentHeader":{}}}', 1],
    [
      "an empty line in front of its declaration",
      '\n <?xml version="1.0"?>\n<Fleet><Equipment/></Fleet>',
      1,
    ],
    ["a byte order mark", '\uFEFF{"Equipment":[{}]}', 1],
    ["no machines in XML", "<Fleet/>", 0],
    ["no machines in JSON", '{"Equipment":[]}', 0],
    ["no machines in a fleet of JSON", '{"Fleet":{"links":[]}}', 0],
  ])("an answer with %s is read", (_name, text, count) => {
    expect(read(text).machines).toHaveLength(count);
  });

  it.each([
    ["nothing", ""],
    ["HTML", "<html><body>Log in</body></html>"],
    ["an error in JSON", '{"error":{"code":"unauthorized"}}'],
    ["half a document", "<Fleet><Equipment>"],
    ["an entity of its own", '<!DOCTYPE Fleet [<!ENTITY a "b">]><Fleet>&a;</Fleet>'],
    ["XML too deep", `${"<Fleet>".repeat(17)}${"</Fleet>".repeat(17)}`],
    ["JSON too deep", `{"Equipment":${"[".repeat(17)}${"]".repeat(17)}}`],
    ["too many machines", `<Fleet>${"<Equipment/>".repeat(1_001)}</Fleet>`],
    ["too many parts", `{"Equipment":[${"1,".repeat(200_000)}1]}`],
  ])("an answer with %s is refused", (_name, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "DECODE_FAILED" }));
  });

  it("an answer of megabytes of brackets is refused before it is parsed", () => {
    const body = Buffer.alloc(4_000_000, "[");
    expect(() => readFleet(body)).toThrow("nested deeper than 16 levels");
  });

  it.each([
    ["Latin 1 that says so", "latin1", "iso-8859-1", []],
    ["Windows' Latin 1", "latin1", "WINDOWS-1252", []],
    ["UTF-16 with its mark", "utf16le", "utf-16", [0xff, 0xfe]],
    ["UTF-8 that says it is UTF-16", "utf8", "utf-16", []],
  ] as const)("an answer in %s is read", (_name, encoding, declared, mark) => {
    const text = `<?xml version="1.0" encoding="${declared}"?><Fleet><Equipment><EquipmentHeader><Model>Bagger für Größe</Model></EquipmentHeader></Equipment></Fleet>`;
    const page = readFleet(Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]));
    expect(page.machines[0]?.header.model).toBe("Bagger für Größe");
  });

  it.each([
    "",
    '<?xml version="1.0" encoding="shift_jis"?>',
    '<?xml encoding="constructor"?>',
  ])("an answer in another encoding, after %j, is refused", (declaration) => {
    const body = Buffer.from(`${declaration}<Fleet a='\xfc'/>`, "latin1");
    expect(() => readFleet(body)).toThrow("UTF-8");
  });

  it("an answer with any damage is read or refused, and nothing else", () => {
    const files = ["bell.xml", "komatsu.xml", "rexroth.json", "samsara.json"].map(fleetFile);
    const damage = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(3_000),
      cut: fc.nat(20),
      put: fc.string({ unit: "binary-ascii", maxLength: 8 }),
    });
    let readable = 0;
    fc.assert(
      fc.property(damage, ({ file, at, cut, put }) => {
        const place = at % file.length;
        const parts = [file.subarray(0, place), Buffer.from(put), file.subarray(place + cut)];
        try {
          readable += readFleet(Buffer.concat(parts)).machines.length;
        } catch (error) {
          if (!(error instanceof DomainError) || error.code !== "DECODE_FAILED") throw error;
        }
      }),
      { numRuns: 2_000 },
    );
    expect(readable).toBeGreaterThan(100);
  });
});
