import { describe, expect, it } from "vitest";
import type { AssetId, FleetSourceId } from "../../../domain/ids.ts";
import type { FleetPoll, FleetSource } from "../../../storage/ports/equipment/fleet-sources.ts";
import { NOON_MS, type OpenStore } from "./rows.ts";

const sourceId = (id: string) => id as FleetSourceId;

export const source = (id: string, change: Partial<FleetSource> = {}): FleetSource => ({
  id: sourceId(id),
  name: "Bell",
  url: "https://api.example.com/iso15143-3",
  auth: { kind: "none" },
  intervalS: 900,
  series: ["Faults", "Locations"],
  status: "active",
  createdAtMs: NOON_MS,
  updatedAtMs: NOON_MS,
  ...change,
});

const poll = (change: Partial<FleetPoll> = {}): FleetPoll => ({
  startedAtMs: NOON_MS,
  finishedAtMs: NOON_MS + 1_234,
  nextPollAtMs: NOON_MS + 900_000,
  consecutiveFailures: 0,
  pages: 2,
  unchangedPages: 1,
  machines: 101,
  matchedMachines: 99,
  readings: 400,
  problems: [{ where: "AEBA\ud800", problem: 'location: "latitude" 91' }],
  problemCount: 1,
  unmatched: [{ oemName: "BELL", pin: "\u0000" }, {}],
  unmatchedCount: 2,
  ...change,
});

const SERIES = {
  cursors: { Faults: NOON_MS, Locations: NOON_MS - 1 },
  faults: [{ code: { code: "P0299", description: "low" }, lastMs: NOON_MS, count: 2 }],
};

/** Machine a1 has series as well, the others have none. */
const taken = (assetId: string, sections: Readonly<Record<string, number>>, machine = "PIN 1") => ({
  assetId: assetId as AssetId,
  machine,
  sections,
  ...(assetId === "a1" ? { series: SERIES } : {}),
});

/** What every store must do with servers that are polled. */
export function describeFleetSourceRecords(current: () => OpenStore): void {
  const sources = () => current().store.fleetSources;
  const polled = (of: FleetSource) => ({
    source: of,
    lastPoll: undefined,
    pollRequestedAtMs: undefined,
  });

  describe("fleet sources", () => {
    it("fleet sources are found with every field, in the order of their creation", async () => {
      const oauth = source("s1", {
        createdAtMs: NOON_MS + 1,
        status: "disabled",
        auth: {
          kind: "oauth2_client_credentials",
          tokenUrl: "https://login.example.com/token",
          clientId: "plumbline",
          sealedClientSecret: "AQID",
          scope: "read",
        },
      });
      await sources().insert(oauth);
      await sources().insert(source("s2"));
      expect(await sources().find(sourceId("s1"))).toStrictEqual(polled(oauth));
      expect(await sources().find(sourceId("s3"))).toBeUndefined();
      expect(await sources().list()).toStrictEqual([polled(source("s2")), polled(oauth)]);
      await expect(sources().insert(source("s1"))).rejects.toMatchObject({ code: "ID_CONFLICT" });
    });

    it("fleet sources are replaced by what a change makes of them, one change after the other", async () => {
      await sources().insert(source("s1", { name: "" }));
      const letters = [..."abcdefgh"];
      const add = (letter: string) =>
        sources().update(sourceId("s1"), (was) => ({ ...was, name: was.name + letter }));
      await Promise.all(letters.map(add));
      const name = (await sources().find(sourceId("s1")))?.source.name ?? "";
      expect([...name].sort()).toEqual(letters);
    });

    it("fleet sources that do not exist answer SOURCE_NOT_FOUND, and their polls are discarded", async () => {
      const gone = sourceId("gone");
      const missing = { code: "SOURCE_NOT_FOUND" };
      await expect(sources().update(gone, (was) => was)).rejects.toMatchObject(missing);
      await expect(sources().delete(gone)).rejects.toMatchObject(missing);
      await expect(sources().requestPoll(gone, NOON_MS)).rejects.toMatchObject(missing);
      await sources().recordPoll(gone, poll(), [taken("a1", { location: NOON_MS })]);
      expect(await sources().taken(gone)).toEqual([]);
      expect(await sources().list()).toEqual([]);
    });

    it("fleet sources keep the last poll, the last request for one, and the sections taken of each asset", async () => {
      for (const id of ["s1", "s2"]) await sources().insert(source(id));
      const id = sourceId("s1");
      await sources().requestPoll(id, NOON_MS + 5);
      const first = [taken("a2", { location: 1 }), taken("a1", { location: 1, fuelused: 2 })];
      await sources().recordPoll(id, poll(), first);
      const failed = poll({ failure: "timeout", httpStatus: 503, consecutiveFailures: 1 });
      await sources().recordPoll(id, failed, [taken("a2", { fuelused: 9 }, "PIN 2")]);
      await sources().recordPoll(id, undefined, []);
      expect(await sources().find(id)).toStrictEqual({
        source: source("s1"),
        lastPoll: failed,
        pollRequestedAtMs: NOON_MS + 5,
      });
      expect(await sources().taken(id)).toStrictEqual([
        taken("a1", { location: 1, fuelused: 2 }),
        taken("a2", { fuelused: 9 }, "PIN 2"),
      ]);
      expect(await sources().find(sourceId("s2"))).toStrictEqual(polled(source("s2")));
      expect(await sources().taken(sourceId("s2"))).toEqual([]);
      await sources().delete(id);
      expect(await sources().taken(id)).toEqual([]);
      await sources().insert(source("s1"));
      expect(await sources().list()).toStrictEqual([source("s1"), source("s2")].map(polled));
    });
  });
}
