import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { isTypeFilter, wantsType, withAmendments } from "../../../domain/events/event-filter.ts";
import { EventView } from "../../../domain/events/event-view.ts";
import type { StoredEvent } from "../../../domain/events/events.ts";
import { eventText, eventView } from "../../../ingest/delivery/event-view.ts";

const ENTERED: StoredEvent = {
  sequence: 7,
  id: "evt_1",
  revision: 2,
  type: "equipment.geofence.entered.revised",
  projectId: "p1",
  assetId: "a1",
  geofenceId: "f1",
  visitId: "v1",
  occurredAtMs: Date.UTC(2026, 2, 5, 12, 0, 0, 7),
  recordedAtMs: Date.UTC(2026, 2, 5, 12, 0, 1),
  location: { latitude: 53.5, longitude: 9.9 },
  accuracyMeters: 2.5,
  inferred: true,
  cause: "first_fix",
  withdrawn: false,
  data: { geofence_name: "Pit 3" },
};

const GAP: StoredEvent = {
  ...ENTERED,
  type: "ingest.journal_gap",
  projectId: undefined,
  assetId: undefined,
  geofenceId: undefined,
  visitId: undefined,
  location: undefined,
  accuracyMeters: undefined,
  inferred: false,
  cause: undefined,
  data: {},
};

describe("the public form of an event", () => {
  it("the public form of an event carries every field, times in ISO 8601 UTC with milliseconds", () => {
    expect(eventView(ENTERED)).toEqual({
      id: "evt_1",
      sequence: 7,
      revision: 2,
      type: "equipment.geofence.entered.revised",
      project_id: "p1",
      asset_id: "a1",
      geofence_id: "f1",
      visit_id: "v1",
      occurred_at: "2026-03-05T12:00:00.007Z",
      recorded_at: "2026-03-05T12:00:01.000Z",
      location: { latitude: 53.5, longitude: 9.9 },
      accuracy_meters: 2.5,
      inferred: true,
      cause: "first_fix",
      withdrawn: false,
      data: { geofence_name: "Pit 3" },
    });
  });

  it("the public form of an event leaves out what was not set, and never says null", () => {
    expect(Object.keys(eventView(GAP))).toEqual([
      "id",
      "sequence",
      "revision",
      "type",
      "occurred_at",
      "recorded_at",
      "inferred",
      "withdrawn",
      "data",
    ]);
  });

  it("the public form of an event is what the schema says", () => {
    const schema = Compile(EventView);
    expect([ENTERED, GAP].map((event) => schema.Check(eventView(event)))).toEqual([true, true]);
    expect(schema.Check({ ...eventView(GAP), asset_id: null })).toBe(false);
  });

  it("the public form of an event is serialised once per event", () => {
    let reads = 0;
    const counted: StoredEvent = {
      ...GAP,
      get data() {
        reads += 1;
        return {};
      },
    };
    expect(eventText(counted)).toBe(eventText(counted));
    expect(reads).toBe(1);
    expect(JSON.parse(eventText(counted))).toEqual(eventView(GAP));
  });
});

describe("a filter by type", () => {
  it("wants a type's revisions and withdrawals with it", () => {
    const filters = withAmendments(["equipment.geofence.entered"]);
    const wanted = (type: string) => wantsType(filters, type);
    expect(wanted("equipment.geofence.entered")).toBe(true);
    expect(wanted("equipment.geofence.entered.revised")).toBe(true);
    expect(wanted("equipment.geofence.entered.withdrawn")).toBe(true);
    expect(wanted("equipment.geofence.exited")).toBe(false);
  });

  it("a filter by type wants only the amendment when that is what it names", () => {
    const filters = withAmendments(["equipment.geofence.entered.withdrawn"]);
    expect(filters).toEqual(["equipment.geofence.entered.withdrawn"]);
  });

  it("a filter by type wants everything that it is the beginning of, with * at its end", () => {
    const filters = withAmendments(["equipment.geofence.*", "security.*"]);
    const wanted = (type: string) => wantsType(filters, type);
    expect(wanted("equipment.geofence.exited.revised")).toBe(true);
    expect(wanted("security.foreign_topic")).toBe(true);
    expect(wanted("equipment.limit.exceeded")).toBe(false);
  });

  it("a filter by type is valid only when it names an existing type", () => {
    const filters = [
      "*",
      "equipment.*",
      "equipment.asset.silent",
      "equipment.asset.silent.revised",
    ];
    expect(filters.filter(isTypeFilter)).toEqual(filters);
    const others = ["", "equipment", "equipment.asset.silenced", "nothing.*", "equip*ment", "**"];
    expect(others.filter(isTypeFilter)).toEqual([]);
  });
});
