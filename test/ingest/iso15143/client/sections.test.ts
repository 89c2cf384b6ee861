import { describe, expect, it } from "vitest";
import {
  fleet,
  machine,
  NOON_MS,
  openFleetSite,
  section,
  serving,
} from "../../../support/fleet-site.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

const FIRST = "/iso15143-3/Fleet/1";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const hours = (value: number, at: number) =>
  section("CumulativeOperatingHours", at, `<Hour>${value}</Hour>`);
const fuel = (value: number, at: number) =>
  section("FuelRemaining", at, `<Percent>${value}</Percent>`);
const one = (...sections: readonly string[]) =>
  serving({ [FIRST]: fleet([machine("A", ...sections)]) });

describe("the sections of a machine", () => {
  it("the sections of a machine are taken when their own time is newer than what was taken of them", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    const [then, later] = [NOON_MS - 30 * MINUTE_MS, NOON_MS - MINUTE_MS];
    t.server.answer = one(hours(1, then), fuel(50, later));
    await t.poll();
    expect(t.taken()).toEqual({
      a: { [iso(then)]: { engine_hours: 1 }, [iso(later)]: { fuel_level_percent: 50 } },
    });
    t.clock.ms += 15 * MINUTE_MS;
    // Older than the newest that was taken of the machine, newer than the newest of the hours.
    t.server.answer = one(hours(2, then + MINUTE_MS), fuel(50, later));
    expect(await t.poll()).toMatchObject({ readings: 1 });
    expect(t.taken()).toEqual({ a: { [iso(then + MINUTE_MS)]: { engine_hours: 2 } } });
    t.clock.ms += 15 * MINUTE_MS;
    t.server.answer = one(hours(1, then), fuel(50, later));
    expect(await t.poll()).toMatchObject({ readings: 0, matchedMachines: 1 });
    expect(t.taken()).toEqual({});
  });

  it("the sections of a machine are not taken again after a restart, so that a parked machine is not heard", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = one(hours(1, NOON_MS), fuel(50, NOON_MS));
    await t.poll();
    t.taken();
    await t.restart();
    t.clock.ms += DAY_MS;
    t.server.answer = one(hours(1, NOON_MS), fuel(49, t.clock.ms));
    expect(await t.poll()).toMatchObject({ readings: 1 });
    expect(t.taken()).toEqual({ a: { [iso(t.clock.ms)]: { fuel_level_percent: 49 } } });
  });

  it("the sections of a machine are all new for an asset that is registered anew, or for another machine", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = serving({
      [FIRST]: fleet([machine("A", hours(1, NOON_MS)), machine("B", hours(2, NOON_MS - 1_000))]),
    });
    await t.poll();
    t.register("a", "B");
    t.clock.ms += 15 * MINUTE_MS;
    t.taken();
    await t.poll();
    expect(t.taken()).toEqual({ a: { [iso(NOON_MS - 1_000)]: { engine_hours: 2 } } });
  });

  it("the sections of a machine of the future shut out none that follow; a time that stays is taken once", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    const future = NOON_MS + 10 * DAY_MS;
    t.server.answer = one(hours(1, future));
    await t.poll();
    // Intake keeps the value and knows better than the time.
    expect(t.taken()).toEqual({ a: { received: { engine_hours: 1 } } });
    t.clock.ms += 15 * MINUTE_MS;
    expect(await t.poll()).toMatchObject({ readings: 0 });
    t.server.answer = one(hours(2, t.clock.ms));
    t.clock.ms += 15 * MINUTE_MS;
    expect(await t.poll()).toMatchObject({ readings: 1 });
  });

  it("sections older than what is kept are reported and not stored as if they were current", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = one(hours(1, NOON_MS - 100 * DAY_MS), fuel(50, NOON_MS));
    const poll = await t.poll();
    expect(poll.problems).toEqual([
      { where: "A", problem: "older than what is kept: cumulativeoperatinghours" },
    ]);
    expect(t.taken()).toEqual({ a: { [iso(NOON_MS)]: { fuel_level_percent: 50 } } });
  });

  it("impossible sections are reported and the others are taken", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    const nowhere = section("Location", NOON_MS, "<Latitude>91</Latitude><Longitude>0</Longitude>");
    t.server.answer = one(
      nowhere,
      "<FuelRemaining><Percent>5</Percent></FuelRemaining>",
      hours(1, NOON_MS),
    );
    const poll = await t.poll();
    expect(poll.problems).toEqual([
      { where: "A", problem: "location: latitude 91 is outside -90 to 90" },
      { where: "A", problem: "fuelremaining: no time" },
    ]);
    expect(t.taken()).toEqual({ a: { [iso(NOON_MS)]: { engine_hours: 1 } } });
  });
});

describe("whose machine it is", () => {
  const named = (pin: string, serial: string, name: string) =>
    `<Equipment><EquipmentHeader><EquipmentID>${name}</EquipmentID><SerialNumber>${serial}</SerialNumber><PIN>${pin}</PIN></EquipmentHeader>${hours(1, NOON_MS)}</Equipment>`;

  it.each([
    ["PIN", named("A", "s", "n")],
    ["serial number", named("p", "A", "n")],
    ["equipment id", named("p", "s", "A")],
  ])("a machine is identified by its %s", async (_name, machineXml) => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = serving({ [FIRST]: fleet([machineXml]) });
    expect(await t.poll()).toMatchObject({ matchedMachines: 1, readings: 1, unmatchedCount: 0 });
  });

  it("names of a machine are compared exactly, and a machine without an asset is reported with its names", async () => {
    await using t = await openFleetSite({ assets: { a: "a1" } });
    t.server.answer = serving({ [FIRST]: fleet([named("A1", "s", "n")]) });
    const poll = await t.poll();
    expect(poll).toMatchObject({ matchedMachines: 0, readings: 0, unmatchedCount: 1 });
    expect(poll.unmatched).toEqual([{ pin: "A1", serialNumber: "s", equipmentId: "n" }]);
  });

  it("a machine whose names are those of two assets belongs to neither and is reported", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B" } });
    t.server.answer = serving({ [FIRST]: fleet([named("A", "B", "n")]) });
    const poll = await t.poll();
    expect(poll).toMatchObject({ matchedMachines: 0, readings: 0, unmatchedCount: 0 });
    expect(poll.problems).toEqual([
      { where: "A", problem: "its names are those of several assets: a, b" },
    ]);
  });

  it("of two machines that claim one asset the first has it; the same machine on two pages is not a problem", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    const other = named("p", "A", "n");
    t.server.answer = serving({
      [FIRST]: fleet([named("A", "s", "n")], "2"),
      "/iso15143-3/Fleet/2": fleet([named("A", "s", "n"), other]),
    });
    const poll = await t.poll();
    expect(poll).toMatchObject({ machines: 3, matchedMachines: 2, readings: 1 });
    expect(poll.problems).toEqual([
      { where: "p", problem: "another machine of this fleet is asset a already" },
    ]);
  });
});

describe("what the journal does not take", () => {
  it("what the journal does not take is a failed poll, and comes with the next one", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B" }, isManual: true });
    t.server.answer = serving({
      [FIRST]: fleet([machine("A", hours(1, NOON_MS)), machine("B", hours(2, NOON_MS))]),
    });
    const polling = t.poll();
    await until("two messages", () => t.intake.stats()["received"] === 2, PATIENT_MS);
    t.journal.commit();
    await polling;
    expect(Object.keys(t.taken())).toEqual(["a", "b"]);

    t.server.answer = serving({
      [FIRST]: fleet([machine("A", hours(1, NOON_MS)), machine("B", hours(3, NOON_MS + 1))]),
    });
    t.clock.ms += 15 * MINUTE_MS;
    const refused = t.poll();
    await until("a third message", () => t.intake.stats()["received"] === 3, PATIENT_MS);
    t.journal.become("full");
    // Intake gives it up after the time that these sessions have.
    t.clock.ms += MINUTE_MS;
    expect(await refused).toMatchObject({
      failure: "the readings of 1 machines were not stored in time",
      consecutiveFailures: 1,
      readings: 0,
    });
    t.clock.ms += 2 * MINUTE_MS;
    expect(await t.poll()).toMatchObject({ failure: "this service stores nothing now", pages: 0 });
    t.journal.become("open");
    t.clock.ms += 5 * MINUTE_MS;
    const again = t.poll();
    await until("a fourth message", () => t.intake.stats()["received"] === 4, PATIENT_MS);
    t.journal.commit();
    expect(await again).toMatchObject({ readings: 1, consecutiveFailures: 0 });
    expect(t.taken()).toEqual({ b: { [iso(NOON_MS + 1)]: { engine_hours: 3 } } });
  });

  it("what the journal does not take is waited for when the service stops amid a poll, and noted", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, isManual: true });
    t.server.answer = serving({ [FIRST]: fleet([machine("A", hours(1, NOON_MS))], "2") });
    await t.poller.poll();
    await until("a message", () => t.intake.stats()["received"] === 1, PATIENT_MS);
    const stopped = t.poller.stop();
    t.journal.commit();
    await stopped;
    expect(t.server.received).toHaveLength(1);
    const [source] = await t.records.fleetSources.list();
    // Our own stop says nothing of the source.
    expect(source?.lastPoll).toBeUndefined();
    expect(source && (await t.records.fleetSources.taken(source.source.id))).toMatchObject([
      { assetId: "a", sections: { cumulativeoperatinghours: NOON_MS } },
    ]);
  });
});
