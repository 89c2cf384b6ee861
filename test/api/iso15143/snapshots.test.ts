import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, FIX, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { sharedTestApp } from "../../support/shared-app.ts";
import { schemaProblems } from "./schema-check.ts";
import { childrenOf, readXml, textAt, type XmlNode } from "./xml-tree.ts";

const FLEET = "/iso15143-3/Fleet/1";
const JSON_TYPE = { accept: "application/json" };

/** A machine that reports everything, each at a time of its own. */
async function wholeMachine(t: TestApp): Promise<AssetId> {
  const id = await t.asset({
    project_id: await t.project(),
    id: "b50e" as AssetId,
    name: 'Dumper <9> & "Söhne"',
    type: "dumper",
    hardware_id: "AEBA850EC03509823",
  });
  const at = (value: number, secondsAgo: number) => ({
    value,
    fixTimeMs: NOON_MS - secondsAgo * 1_000,
  });
  t.live(id, {
    latest: {
      latitude: at(FIX.latitude, 10),
      longitude: at(FIX.longitude, 10),
      altitude_meters: at(424, 10),
      engine_hours: at(8376.2, 60),
      fuel_used_liters: at(149_529, 120),
      odometer_km: at(70_439, 180),
      idle_hours: at(3808.96, 240),
      fuel_level_percent: at(63, 300),
      def_level_percent: at(40.5, 360),
      engine_on: at(1, 420),
      load_count: at(13_252, 480),
      speed_kmh: at(12.5, 10),
    },
    engineHours: { value: 8376.2, source: "machine" },
  });
  return id;
}

describe("GET /iso15143-3/Fleet/{page}", () => {
  const shared = sharedTestApp();

  it("GET /iso15143-3/Fleet/{page} names maker, model and serial number where they are registered", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const machine = { make: "BELL", model: "B50E", serial_number: "AE<50>" };
    await t.asset({ project_id, id: "b50e" as AssetId, type: "dumper", ...machine });
    const answer = await t.get(FLEET, ADMIN_KEY);
    expect(schemaProblems(answer.body)).toEqual([]);
    const [equipment] = childrenOf(readXml(answer.body), "Equipment");
    const texts = ["OEMName", "Model", "SerialNumber"].map((name) =>
      equipment === undefined ? "" : textAt(equipment, "EquipmentHeader", name),
    );
    expect(texts).toEqual(["BELL", "B50E", "AE<50>"]);
    const path = `/iso15143-3/Fleet/Equipment/${encodeURIComponent("AE<50>")}`;
    expect((await t.get(path, ADMIN_KEY)).statusCode).toBe(200);
    await t.asset({ project_id, id: "other" as AssetId, ...machine });
    expect((await t.get(path, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("GET /iso15143-3/Fleet/{page} finds a machine by its serial number though another tenant's hardware is called so", async () => {
    await using t = await openTestApp();
    const own = await t.project();
    await t.asset({ project_id: own, id: "mine" as AssetId, serial_number: "4711" });
    await t.asset({ project_id: await t.project(), id: "theirs" as AssetId, hardware_id: "4711" });
    const key = await t.key({ project_ids: [own] });
    const answer = await t.get("/iso15143-3/Fleet/Equipment/4711", key);
    expect(answer.statusCode).toBe(200);
    const header = childrenOf(readXml(answer.body), "EquipmentHeader");
    expect(header).toHaveLength(1);
  });

  it("GET /iso15143-3/Fleet/{page} leaves out what a device sent under a name that the standard has no such value for", async () => {
    await using t = await openTestApp();
    const id = await t.asset({ project_id: await t.project() });
    const at = (value: number) => ({ value, fixTimeMs: NOON_MS });
    t.live(id, { latest: { payload_total_kg: at(-1), load_factor_last_24_h_percent: at(101) } });
    const answer = await t.get(FLEET, ADMIN_KEY);
    expect(schemaProblems(answer.body)).toEqual([]);
    expect(answer.body).not.toMatch(/PayloadTotals|LoadFactor/);
  });

  it("a snapshot gives each known section with the time of its own value", async () => {
    await using t = await openTestApp();
    await wholeMachine(t);
    const answer = await t.get(FLEET, ADMIN_KEY);
    expect(answer.headers["content-type"]).toBe("application/xml; charset=utf-8");
    expect(schemaProblems(answer.body)).toEqual([]);
    expect(answer.body.replaceAll("><", ">\n<")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Fleet xmlns="http://standards.iso.org/iso/15143/-3" version="1" snapshotTime="2026-03-05T12:00:00Z">
<Links>
<rel>self</rel>
<href>/iso15143-3/Fleet/1</href>
</Links>
<Links>
<rel>first</rel>
<href>/iso15143-3/Fleet/1</href>
</Links>
<Links>
<rel>last</rel>
<href>/iso15143-3/Fleet/1</href>
</Links>
<Equipment>
<EquipmentHeader>
<UnitInstallDateTime>2026-03-01T08:00:00Z</UnitInstallDateTime>
<Model>dumper</Model>
<EquipmentID>Dumper &lt;9&gt; &amp; &quot;Söhne&quot;</EquipmentID>
<SerialNumber>AEBA850EC03509823</SerialNumber>
<PIN>AEBA850EC03509823</PIN>
</EquipmentHeader>
<Location datetime="2026-03-05T11:59:50Z">
<Latitude>53.5511</Latitude>
<Longitude>9.9937</Longitude>
<Altitude>424</Altitude>
<AltitudeUnits>metre</AltitudeUnits>
</Location>
<CumulativeOperatingHours datetime="2026-03-05T11:59:00Z">
<Hour>8376.2</Hour>
</CumulativeOperatingHours>
<FuelUsed datetime="2026-03-05T11:58:00Z">
<FuelUnits>litre</FuelUnits>
<FuelConsumed>149529</FuelConsumed>
</FuelUsed>
<Distance datetime="2026-03-05T11:57:00Z">
<OdometerUnits>kilometre</OdometerUnits>
<Odometer>70439</Odometer>
</Distance>
<CumulativeIdleHours datetime="2026-03-05T11:56:00Z">
<Hour>3808.96</Hour>
</CumulativeIdleHours>
<FuelRemaining datetime="2026-03-05T11:55:00Z">
<Percent>63</Percent>
</FuelRemaining>
<DEFRemaining datetime="2026-03-05T11:54:00Z">
<Percent>40.5</Percent>
</DEFRemaining>
<EngineStatus datetime="2026-03-05T11:53:00Z">
<EngineNumber>1</EngineNumber>
<Running>true</Running>
</EngineStatus>
<CumulativeLoadCount datetime="2026-03-05T11:52:00Z">
<Count>13252</Count>
</CumulativeLoadCount>
</Equipment>
</Fleet>
`);
  });

  it("GET /iso15143-3/Fleet/{page} says the same as JSON", async () => {
    await using t = await openTestApp();
    await wholeMachine(t);
    const answer = await t.get(FLEET, ADMIN_KEY, JSON_TYPE);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    const at = (time: string) => ({ datetime: `2026-03-05T11:${time}Z` });
    expect(answer.json()).toEqual({
      version: "1",
      snapshotTime: "2026-03-05T12:00:00Z",
      Equipment: [
        {
          EquipmentHeader: {
            UnitInstallDateTime: "2026-03-01T08:00:00Z",
            Model: "dumper",
            EquipmentID: 'Dumper <9> & "Söhne"',
            SerialNumber: "AEBA850EC03509823",
            PIN: "AEBA850EC03509823",
          },
          Location: {
            ...at("59:50"),
            Latitude: 53.5511,
            Longitude: 9.9937,
            Altitude: 424,
            AltitudeUnits: "metre",
          },
          CumulativeOperatingHours: { ...at("59:00"), Hour: 8376.2 },
          FuelUsed: { ...at("58:00"), FuelUnits: "litre", FuelConsumed: 149_529 },
          Distance: { ...at("57:00"), OdometerUnits: "kilometre", Odometer: 70_439 },
          CumulativeIdleHours: { ...at("56:00"), Hour: 3808.96 },
          FuelRemaining: { ...at("55:00"), Percent: 63 },
          DEFRemaining: { ...at("54:00"), Percent: 40.5 },
          EngineStatus: { ...at("53:00"), EngineNumber: "1", Running: true },
          CumulativeLoadCount: { ...at("52:00"), Count: 13_252 },
        },
      ],
      links: ["self", "first", "last"].map((rel) => ({ rel, href: FLEET })),
    });
  });

  it("GET /iso15143-3/Fleet/{page} leaves out what is not known, and takes an IMEI for no PIN", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    await t.asset({ project_id, id: "silent" as AssetId });
    const tracked = await t.asset({
      project_id,
      id: "tracked" as AssetId,
      hardware_id: "356307042441013",
    });
    // The altitude is of an earlier fix; no engine is heard of, so that no hours are either.
    const altitude_meters = { value: 3, fixTimeMs: NOON_MS - 600_000 };
    t.live(tracked, { latest: { altitude_meters } });
    const { Equipment } = (await t.get(FLEET, ADMIN_KEY, JSON_TYPE)).json();
    expect(Equipment).toEqual([
      {
        EquipmentHeader: {
          UnitInstallDateTime: "2026-03-01T08:00:00Z",
          Model: "excavator",
          EquipmentID: "Excavator 7",
          SerialNumber: "silent",
        },
      },
      {
        EquipmentHeader: expect.objectContaining({ SerialNumber: "356307042441013" }),
        Location: { datetime: "2026-03-05T11:59:50Z", Latitude: 53.5511, Longitude: 9.9937 },
      },
    ]);
    expect(Equipment[1].EquipmentHeader.PIN).toBeUndefined();
    expect(schemaProblems((await t.get(FLEET, ADMIN_KEY)).body)).toEqual([]);
  });

  it("a snapshot gives our sum of hours for a machine without a meter that reports when its engine runs", async () => {
    await using t = await openTestApp();
    const asset = await t.asset({ project_id: await t.project() });
    t.live(asset, {
      latest: { engine_on: { value: 0, fixTimeMs: NOON_MS - 90_000 } },
      engineHours: { value: 12.25, source: "accumulated" },
    });
    const [machine] = (await t.get(FLEET, ADMIN_KEY, JSON_TYPE)).json().Equipment;
    expect(machine.CumulativeOperatingHours).toEqual({
      datetime: "2026-03-05T11:59:50Z",
      Hour: 12.25,
    });
    expect(machine.EngineStatus).toMatchObject({ Running: false });
  });

  it("GET /iso15143-3/Fleet/{page} shows 1,005 machines on eleven pages, each once, and the links lead from one to the next", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    for (let i = 0; i < 1_005; i += 1) {
      const asset = { project_id, id: `m${i}` as AssetId };
      await t.records.assets.insert({ ...SAMPLE, ...asset }, new Uint8Array(32));
    }
    await t.directory.refresh();
    const sizes: number[] = [];
    const names = new Set<string | undefined>();
    let before: string | undefined;
    let url: string | undefined = FLEET;
    while (url !== undefined) {
      const answer = await t.get(url, ADMIN_KEY);
      expect(schemaProblems(answer.body)).toEqual([]);
      const root = readXml(answer.body);
      const links = linksIn(root);
      expect(links).toMatchObject({ self: url, first: FLEET, last: "/iso15143-3/Fleet/11" });
      expect(links["prev"]).toBe(before);
      const machines = childrenOf(root, "Equipment");
      sizes.push(machines.length);
      for (const one of machines) names.add(textAt(one, "EquipmentHeader", "SerialNumber"));
      before = url;
      url = links["next"];
    }
    expect(sizes).toEqual([...Array<number>(10).fill(100), 5]);
    expect(names.size).toBe(1_005);
  });

  it("GET /iso15143-3/Fleet/{page} has one empty page for a key without machines, and none of other projects", async () => {
    await using t = await openTestApp();
    const theirs = await t.project({ id: "theirs" as ProjectId });
    await t.asset({ project_id: theirs, name: "theirs" });
    const key = await t.key({ project_ids: [await t.project()] });
    const answer = await t.get(FLEET, key);
    expect(schemaProblems(answer.body)).toEqual([]);
    expect(childrenOf(readXml(answer.body), "Equipment")).toEqual([]);
    expect((await t.get("/iso15143-3/Fleet/2", key)).statusCode).toBe(404);
  });

  it.each([
    ["2", "There is 1 page"],
    ["0", "A page is a whole number from 1 on"],
    ["-1", "A page is a whole number from 1 on"],
    ["1.5", "A page is a whole number from 1 on"],
    ["99999999999", "A page is a whole number from 1 on"],
  ])("GET /iso15143-3/Fleet/{page} answers page %s with 404: %s", async (page, message) => {
    const { t } = shared;
    const answer = await t.get(`/iso15143-3/Fleet/${page}`, ADMIN_KEY, JSON_TYPE);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error).toMatchObject({ code: "not_found", message });
  });

  it("GET /iso15143-3/Fleet/{page} answers 304 to whoever has the machines as they are, whatever the clock says", async () => {
    await using t = await openTestApp();
    const asset = await wholeMachine(t);
    const first = await t.get(FLEET, ADMIN_KEY);
    const etag = String(first.headers["etag"]);
    t.clock.ms += 30_000;
    const same = await t.get(FLEET, ADMIN_KEY, { "if-none-match": etag });
    const json = await t.get(FLEET, ADMIN_KEY, { ...JSON_TYPE, "if-none-match": etag });
    t.live(asset, { fix: { ...FIX, latitude: 1 } });
    const changed = await t.get(FLEET, ADMIN_KEY, { "if-none-match": etag });
    expect(etag).toMatch(/^W\/"[\w-]{16}"$/);
    expect([same.statusCode, same.body, same.headers["etag"]]).toEqual([304, "", etag]);
    expect([json.statusCode, changed.statusCode]).toEqual([200, 200]);
    expect(changed.headers["etag"]).not.toBe(etag);
  });
});

describe("GET /iso15143-3/Fleet/Equipment/{id}", () => {
  it("GET /iso15143-3/Fleet/Equipment/{id} finds a machine by its asset id and by what its hardware calls itself", async () => {
    await using t = await openTestApp();
    const asset = await t.asset({ project_id: await t.project(), hardware_id: "group/edge/7" });
    t.live(asset);
    const byId = await t.get(`/iso15143-3/Fleet/Equipment/${asset}`, ADMIN_KEY);
    const byName = await t.get("/iso15143-3/Fleet/Equipment/group%2Fedge%2F7", ADMIN_KEY);
    const json = await t.get(`/iso15143-3/Fleet/Equipment/${asset}`, ADMIN_KEY, JSON_TYPE);
    expect(schemaProblems(byId.body)).toEqual([]);
    expect(textAt(readXml(byId.body), "Location", "Latitude")).toBe("53.5511");
    expect(byName.body).toBe(byId.body);
    expect(json.json()).toMatchObject({
      version: "1",
      snapshotTime: "2026-03-05T12:00:00Z",
      EquipmentHeader: { SerialNumber: "group/edge/7" },
      Location: { Latitude: 53.5511 },
    });
  });

  it("a machine is found by the longest name that hardware may have, as its SerialNumber gives it", async () => {
    await using t = await openTestApp();
    const longest = "h/".repeat(64);
    await t.asset({ project_id: await t.project(), hardware_id: longest });
    const fleet = await t.get("/iso15143-3/Fleet/1", ADMIN_KEY, JSON_TYPE);
    const serial = fleet.json().Equipment[0].EquipmentHeader.SerialNumber;
    expect(serial).toBe(longest);
    const url = `/iso15143-3/Fleet/Equipment/${encodeURIComponent(serial)}`;
    expect((await t.get(url, ADMIN_KEY)).statusCode).toBe(200);
  });

  it("GET /iso15143-3/Fleet/Equipment/{id} answers 404 in XML for what is not there and for another tenant's", async () => {
    await using t = await openTestApp();
    const mine = await t.project();
    const theirs = await t.project();
    await t.asset({ project_id: theirs, id: "theirs" as AssetId, hardware_id: "imei-1" });
    const key = await t.key({ project_ids: [mine] });
    for (const id of ["absent", "theirs", "imei-1", "%00", "__proto__"]) {
      const answer = await t.get(`/iso15143-3/Fleet/Equipment/${id}`, key);
      expect([id, answer.statusCode, schemaProblems(answer.body)]).toEqual([id, 404, []]);
      expect(textAt(readXml(answer.body), "message")).toBe("Not found");
    }
  });
});

const SAMPLE = {
  name: "Roller",
  type: "roller",
  decoder: "plumbline",
  maintenance: false,
  created_at: "2026-03-01T08:00:00.000Z",
  updated_at: "2026-03-01T08:00:00.000Z",
} as const;

/** href by rel. */
function linksIn(root: XmlNode): Readonly<Record<string, string>> {
  const links = childrenOf(root, "Links");
  return Object.fromEntries(links.map((one) => [textAt(one, "rel"), textAt(one, "href")]));
}
