import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../../domain/events/events.ts";
import type { AlertTrigger } from "../../../domain/geometry/geofence.ts";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import type { AlertId, AssetId, GeofenceId, ProjectId, VisitId } from "../../../domain/ids.ts";
import type { Crossing } from "../../../ingest/geofence/crossing.ts";
import type { StageOutput } from "../../../ingest/stages/stage.ts";
import { addToBook, applyCrossing, reconcileVisits } from "../../../ingest/stages/visit-book.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import type { Visit } from "../../../storage/ports/equipment/visits.ts";

const PLACE = { latitude: 52.5, longitude: 13.4 };

function fence(id: string, alertOn: readonly AlertTrigger[] = ["both"]): GeofenceVersion {
  return {
    geofenceId: id as GeofenceId,
    projectId: "site" as ProjectId,
    name: `Fence ${id}`,
    kind: "zone",
    ring: [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 52],
    ],
    areaSqm: 1,
    alertOn,
    rules: DEFAULT_CROSSING_RULES,
    validFromMs: 0,
    validToMs: undefined,
    revision: 1,
  };
}

function crossing(
  type: Crossing["type"],
  atMs: number,
  of = fence("a"),
  extra: Partial<Crossing> = {},
): Crossing {
  return {
    fence: of,
    type,
    atMs,
    location: PLACE,
    accuracyM: 5,
    cause: "crossing",
    inferred: false,
    ...extra,
  };
}

function openBook() {
  const track = newAssetTrack("truck-1" as AssetId, "site" as ProjectId);
  const events: NewEvent[] = [];
  const visits = new Map<VisitId, Visit>();
  const alerts = new Map<AlertId, AlertUpsert>();
  const output: StageOutput = {
    raise: (event) => {
      events.push(event);
    },
    alert: (alert) => {
      alerts.set(alert.id, alert);
    },
    visit: (visit) => {
      visits.set(visit.id, visit);
    },
    share: () => undefined,
    touch: () => undefined,
  };
  const names = {
    asset: () => "Truck 1",
    geofence: (id: string) => ({ name: `Fence ${id}`, kind: "zone" as const }),
  };
  const context = { output, names };
  return {
    track,
    events,
    visits,
    alerts,
    live: (...crossings: readonly Crossing[]) => {
      for (const one of crossings) applyCrossing(track, one, context);
    },
    redo: (fromOrdinal: number, openAtStart: readonly string[], ...found: readonly Crossing[]) => {
      let next = fromOrdinal;
      const changes = found.map((change) => ({
        change,
        ordinal: change.type === "entered" ? next++ : -1,
      }));
      reconcileVisits(track, { fromOrdinal, openAtStart, changes }, context);
    },
    published: () =>
      events.map(({ type, revision, occurredAtMs }) => [type, revision, occurredAtMs]),
    openAlerts: () =>
      [...alerts.values()]
        .filter((alert) => alert.resolvedAtMs === undefined)
        .map(({ type, openedAtMs }) => [type, openedAtMs]),
  };
}

const ENTERED = "equipment.geofence.entered";
const EXITED = "equipment.geofence.exited";

describe("crossings as they happen", () => {
  it("crossings are published once each, under one visit, with the duration at the end", () => {
    const book = openBook();
    book.live(crossing("entered", 1_000), crossing("exited", 61_000));
    expect(book.published()).toEqual([
      [ENTERED, 1, 1_000],
      [EXITED, 1, 61_000],
    ]);
    const [entered, exited] = book.events;
    expect(exited?.visitId).toBe(entered?.visitId);
    expect(exited?.id).not.toBe(entered?.id);
    expect(exited?.data).toEqual({
      asset_name: "Truck 1",
      geofence_name: "Fence a",
      duration_s: 60,
    });
    expect([...book.visits.values()]).toMatchObject([
      { entered: { atMs: 1_000 }, exited: { atMs: 61_000 }, inferred: false },
    ]);
  });

  it("crossings as they happen open the alerts that alert_on names, resolved by the opposite crossing", () => {
    const book = openBook();
    book.live(crossing("entered", 1_000));
    expect(book.openAlerts()).toEqual([[ENTERED, 1_000]]);
    book.live(crossing("exited", 2_000));
    expect(book.openAlerts()).toEqual([[EXITED, 2_000]]);
    book.live(crossing("entered", 3_000));
    expect(book.openAlerts()).toEqual([[ENTERED, 3_000]]);
    const onExit = openBook();
    onExit.live(crossing("entered", 1_000, fence("a", ["exit"])));
    expect(onExit.alerts.size).toBe(0);
    onExit.live(crossing("exited", 2_000, fence("a", ["exit"])));
    expect(onExit.openAlerts()).toEqual([[EXITED, 2_000]]);
    expect(onExit.events).toHaveLength(2);
  });

  it("alert on a first fix inside, not on a fence that somebody drew around the machine", () => {
    const book = openBook();
    book.live(
      crossing("entered", 1_000, fence("a"), { cause: "first_fix" }),
      crossing("entered", 1_000, fence("b"), { cause: "fence_changed" }),
    );
    expect(book.events).toHaveLength(2);
    expect([...book.alerts.values()].map(({ geofenceId }) => geofenceId)).toEqual(["a"]);
  });
});

describe("a stay inferred between two fixes", () => {
  const bounds = { afterMs: 0, beforeMs: 60_000 };
  const stay = [
    crossing("entered", 20_000, fence("a"), { inferred: true, bounds }),
    crossing("exited", 40_000, fence("a"), { inferred: true, bounds }),
  ];
  const published = { after: "1970-01-01T00:00:00.000Z", before: "1970-01-01T00:01:00.000Z" };

  it("a stay inferred between two fixes names both fixes in both of its events", () => {
    const book = openBook();
    book.live(...stay);
    expect(book.events).toMatchObject([{ data: published }, { data: published }]);
  });

  it("a stay inferred between two fixes names them too when a re-run finds it", () => {
    const book = openBook();
    book.redo(0, [], ...stay);
    expect(book.events).toMatchObject([{ data: published }, { data: published }]);
  });
});

describe("crossings found again by a re-run", () => {
  it("crossings found again unchanged by a re-run publish and store nothing", () => {
    const book = openBook();
    book.live(crossing("entered", 1_000), crossing("exited", 5_000));
    const [before] = book.track.visits.list;
    book.visits.clear();
    book.events.length = 0;
    book.redo(0, [], crossing("entered", 1_000), crossing("exited", 5_000));
    expect(book.events).toEqual([]);
    expect(book.visits.size).toBe(0);
    expect(book.track.visits.list).toEqual([before]);
  });

  it("crossings found again by a re-run at another time are revised under the id they had", () => {
    const book = openBook();
    book.live(crossing("entered", 5_000), crossing("exited", 9_000));
    book.redo(0, [], crossing("entered", 2_000), crossing("exited", 9_000));
    // The exit is published again too, because it says how long the visit was.
    expect(book.published().slice(2)).toEqual([
      [`${ENTERED}.revised`, 2, 2_000],
      [`${EXITED}.revised`, 2, 9_000],
    ]);
    expect(book.events.map(({ data }) => data["duration_s"])).toEqual([undefined, 4, undefined, 7]);
    expect(book.events[2]?.id).toBe(book.events[0]?.id);
    expect(book.track.visits.list).toHaveLength(1);
    expect([...book.alerts.values()].find(({ type }) => type === ENTERED)?.openedAtMs).toBe(2_000);
  });

  it("crossings found again by a re-run not at all are withdrawn, with their alerts", () => {
    const book = openBook();
    book.live(crossing("entered", 5_000));
    book.redo(0, []);
    expect(book.published().slice(1)).toEqual([[`${ENTERED}.withdrawn`, 2, 5_000]]);
    expect(book.events[1]).toMatchObject({ withdrawn: true, id: book.events[0]?.id });
    expect(book.openAlerts()).toEqual([]);
    expect([...book.visits.values()]).toMatchObject([{ withdrawn: true }]);
    expect(book.track.visits.list).toEqual([]);
  });

  it("crossings found again by a re-run split into two visits keep the longer part under the old id and get a new one for the other", () => {
    const book = openBook();
    book.live(crossing("entered", 0), crossing("exited", 100_000));
    const before = book.track.visits.list[0]?.id;
    book.redo(
      0,
      [],
      crossing("entered", 0),
      crossing("exited", 20_000),
      crossing("entered", 40_000),
      crossing("exited", 100_000),
    );
    const list = book.track.visits.list;
    expect(list.map(({ entered, exited }) => [entered.atMs, exited?.atMs])).toEqual([
      [0, 20_000],
      [40_000, 100_000],
    ]);
    expect(list.map(({ id }) => id === before)).toEqual([false, true]);
    expect(list.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
  });

  it("a re-run withdraws an exit that did not happen, and revises it when it did", () => {
    const book = openBook();
    book.live(crossing("entered", 0), crossing("exited", 10_000));
    book.redo(1, ["a"]);
    expect(book.published().slice(2)).toEqual([[`${EXITED}.withdrawn`, 2, 10_000]]);
    expect(book.openAlerts()).toEqual([[ENTERED, 0]]);
    book.live(crossing("exited", 30_000));
    expect(book.published().slice(3)).toEqual([[`${EXITED}.revised`, 3, 30_000]]);
    expect(book.openAlerts()).toEqual([[EXITED, 30_000]]);
  });

  it("crossings under an alert_on change that came late open and withdraw alerts accordingly", () => {
    const onExit = fence("a", ["exit"]);
    const book = openBook();
    book.live(crossing("entered", 1_000), crossing("exited", 2_000, onExit));
    expect(book.openAlerts()).toEqual([[EXITED, 2_000]]);
    book.redo(0, [], crossing("entered", 1_000, onExit), crossing("exited", 2_000, fence("a", [])));
    expect([...book.alerts.values()].map(({ resolution }) => resolution)).toEqual([
      "withdrawn",
      "withdrawn",
    ]);
    book.redo(0, [], crossing("entered", 1_000), crossing("exited", 2_000));
    expect(book.openAlerts()).toEqual([[EXITED, 2_000]]);
    expect([...book.alerts.values()].map(({ resolution }) => resolution)).toEqual([
      "exited",
      undefined,
    ]);
    // Nothing of this changes what happened.
    expect(book.published()).toEqual([
      [ENTERED, 1, 1_000],
      [EXITED, 1, 2_000],
    ]);
  });

  it("crossings found again leave alone what was published before the restart", () => {
    const book = openBook();
    book.live(
      crossing("entered", 0),
      crossing("exited", 1_000),
      crossing("entered", 5_000),
      crossing("exited", 6_000),
    );
    book.redo(1, [], crossing("entered", 4_000), crossing("exited", 6_000));
    expect(book.published().slice(4)).toEqual([
      [`${ENTERED}.revised`, 2, 4_000],
      [`${EXITED}.revised`, 2, 6_000],
    ]);
    expect(book.track.visits.list.map(({ entered }) => entered.atMs)).toEqual([0, 4_000]);
  });

  it("crossings found again by a re-run reopen the alert of an exit when the entry that resolved it is withdrawn", () => {
    const book = openBook();
    book.live(crossing("entered", 0), crossing("exited", 1_000), crossing("entered", 5_000));
    expect(book.openAlerts()).toEqual([[ENTERED, 5_000]]);
    book.redo(1, []);
    expect(book.openAlerts()).toEqual([[EXITED, 1_000]]);
  });
});

describe("visits read back from a store that is a commit behind", () => {
  it("visits read back from a store that is a commit behind bring back none that was withdrawn since", () => {
    const book = openBook();
    book.live(crossing("entered", 0), crossing("exited", 1_000), crossing("entered", 5_000));
    const stored = book.track.visits.list;
    book.redo(1, []);
    book.track.visits.completeFrom = 1;
    book.track.visits.list = [];
    addToBook(book.track, stored, 0);
    expect(book.track.visits.list).toEqual(stored.slice(0, 1));
    expect(book.track.visits.completeFrom).toBe(0);
  });
});
