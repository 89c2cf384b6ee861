import { describe, expect, it } from "vitest";
import type { Alert, PlumblineEvent } from "../../console/api/live-messages.ts";
import {
  choiceOf,
  filterOf,
  isAll,
  isChosen,
  parametersOf,
} from "../../console/pages/alerts/choice.ts";
import { untilOf } from "../../console/pages/alerts/until.ts";
import {
  eventsCsv,
  grownLog,
  isChosen as isEventChosen,
} from "../../console/pages/events/event-list.ts";
import { openListOf } from "../../console/state/open-list.ts";
import { VoiceQueue } from "../../console/state/voice-queue.ts";

const alert = (id: string, severity: Alert["severity"]): Alert => ({
  id,
  type: "equipment.geofence.entered",
  severity,
  status: "open",
  project_id: "site-a",
  asset_id: "digger",
  message: id,
  opened_at: "2026-11-28T06:00:00Z",
  occurrences: 1,
  data: {},
});

describe("what is said of new alerts", () => {
  it("is one sentence in 5 s at most, and of several the worst with how many more there are", () => {
    const queue = new VoiceQueue();
    queue.add(alert("first", "warning"));
    expect(queue.take(0)).toMatchObject({ alert: { id: "first" }, more: 0 });
    queue.add(alert("second", "warning"));
    queue.add(alert("third", "critical"));
    queue.add(alert("fourth", "warning"));
    expect(queue.take(4_999)).toBeUndefined();
    expect(queue.dueIn(4_000)).toBe(1_000);
    expect(queue.take(5_000)).toMatchObject({ alert: { id: "third" }, more: 2 });
    expect(queue.take(60_000)).toBeUndefined();
  });

  it("is nothing of notices, of which every crossing is one", () => {
    const queue = new VoiceQueue();
    queue.add(alert("crossing", "info"));
    expect(queue.dueIn(0)).toBeUndefined();
    expect(queue.take(0)).toBeUndefined();
  });
});

describe("the list of open alerts", () => {
  const closed = { ...alert("closed meanwhile", "warning"), status: "acknowledged" as const };

  it("has what the live stream brought while the answer of the service was on its way", () => {
    const answered = [alert("closed meanwhile", "warning"), alert("old", "critical")];
    const { open, total } = openListOf(answered, 7, [alert("new", "warning"), closed]);
    expect([...open.keys()]).toEqual(["old", "new"]);
    expect(total).toBe(7);
  });

  it("counts each once, in whatever order answer and stream come", () => {
    const { open, total } = openListOf([alert("new", "warning")], 1, [alert("new", "warning")]);
    expect([open.size, total]).toEqual([1, 1]);
  });
});

describe("a choice of alerts", () => {
  it("is the same for the list and for the service", () => {
    const choice = { ...choiceOf(""), severity: "warning" as const, assetId: "digger" };
    expect(isChosen(choice, alert("a", "warning"))).toBe(true);
    expect(isChosen(choice, alert("a", "info"))).toBe(false);
    expect(isChosen({ ...choice, assetId: "crane" }, alert("a", "warning"))).toBe(false);
    expect(filterOf(choice, "site-a")).toEqual({
      severity: ["warning"],
      asset_id: "digger",
      project_id: "site-a",
    });
    expect([isAll(choice), isAll(choiceOf(""))]).toEqual([false, true]);
  });
});

describe("the address of a choice of alerts", () => {
  it("says the same to a colleague, and what there is none of is no condition", () => {
    const choice = choiceOf("?project=site-a&severity=critical&type=equipment.speed&asset=digger");
    expect(choice).toEqual({ severity: "critical", type: "equipment.speed", assetId: "digger" });
    expect(parametersOf(choice)).toEqual({
      severity: "critical",
      type: "equipment.speed",
      asset: "digger",
    });
    expect(isAll(choiceOf("?severity=dreadful&type=&asset="))).toBe(true);
  });
});

describe("the end of a mute", () => {
  const nowMs = Date.parse("2026-11-28T06:00:00Z");

  it("is some hours from now, or a time of a zone", () => {
    expect(untilOf("4", "", nowMs, "Asia/Kolkata")).toBe(nowMs + 4 * 3_600_000);
    expect(untilOf("", "2026-11-28T13:30", nowMs, "Asia/Kolkata")).toBe(nowMs + 7_200_000);
  });

  it.each(["2026-11-28", "", "2027-03-01T00:00", "x"])("%s is none", (time) => {
    expect(untilOf("", time, nowMs, "Asia/Kolkata")).toBeUndefined();
  });
});

const event = (sequence: number, more: Partial<PlumblineEvent> = {}): PlumblineEvent => ({
  id: `e${sequence}`,
  sequence,
  revision: 1,
  type: "equipment.geofence.entered",
  project_id: "site-a",
  asset_id: "digger",
  occurred_at: "2026-11-28T06:00:00Z",
  recorded_at: "2026-11-28T06:00:01Z",
  inferred: false,
  withdrawn: false,
  data: {},
  ...more,
});

describe("the event log", () => {
  it("has each event once, newest first, whether it was read or came live", () => {
    const { events, cutAt } = grownLog([event(5), event(3)], [event(7), event(5), event(1)]);
    expect(events.map(({ sequence }) => sequence)).toEqual([7, 5, 3]);
    expect(cutAt).toBeUndefined();
  });

  it("that stays open for long has no hole, and is cut at its end, from where it is read on", () => {
    let log: readonly PlumblineEvent[] = [event(1)];
    let cut: number | undefined;
    for (let sequence = 2; sequence <= 1_500; sequence += 1) {
      // The live stream keeps a few.
      const live = [0, 1, 2].map((before) => event(sequence - before));
      const { events, cutAt } = grownLog(log, live);
      log = events;
      cut = cutAt ?? cut;
    }
    expect(log.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => 1_500 - i),
    );
    expect(cut).toBe(501);
  });

  it("that was read further down than it grows by itself keeps its length", () => {
    const read = Array.from({ length: 1_200 }, (_, i) => event(1_200 - i));
    const { events, cutAt } = grownLog(read, [event(1_201)]);
    expect([events[0]?.sequence, events.length, cutAt]).toEqual([1_201, 1_200, 2]);
  });

  it("shows corrections and withdrawals of a chosen type, and nothing of other machines", () => {
    const choice = {
      types: ["equipment.geofence.entered"],
      assetId: "digger",
      projectId: undefined,
      fromMs: Date.parse("2026-11-28T06:00:00Z"),
    };
    expect(isEventChosen(choice, event(1))).toBe(true);
    const withdrawn = event(1, { type: "equipment.geofence.entered.withdrawn" });
    expect(isEventChosen(choice, withdrawn)).toBe(true);
    expect(isEventChosen(choice, event(1, { type: "equipment.geofence.exited" }))).toBe(false);
    expect(isEventChosen(choice, event(1, { asset_id: "crane" }))).toBe(false);
    const early = event(1, { recorded_at: "2026-11-28T05:00:00Z" });
    expect(isEventChosen(choice, early)).toBe(false);
  });

  it("as CSV has data as one cell of JSON", () => {
    const data = { name: 'a "b"', n: 1 };
    const [, row] = eventsCsv([event(1, { data })]).split("\r\n");
    const cell = `"${JSON.stringify(data).replaceAll('"', '""')}"`;
    expect(row).toBe(
      `1,e1,1,equipment.geofence.entered,site-a,digger,,2026-11-28T06:00:00Z,2026-11-28T06:00:01Z,,,,false,,false,${cell}`,
    );
  });
});
