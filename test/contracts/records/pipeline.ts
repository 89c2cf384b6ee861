import { describe, expect, it } from "vitest";
import type { UtilizationDay } from "../../../storage/ports/pipeline.ts";
import type { TestRecords } from "../../support/databases.ts";
import { alert, assetId, commit, event, JOURNAL, projectId, visit } from "./rows.ts";

const day = (date: string, change: Partial<UtilizationDay> = {}): UtilizationDay => ({
  assetId: assetId("a1"),
  projectId: projectId("p1"),
  day: date,
  workingS: 3_600,
  overtimeS: 0.5,
  engineOnS: 4_000,
  distanceM: 1_234.5,
  ...change,
});

export function describePipelineRecords(current: () => TestRecords): void {
  const storedEvents = () =>
    current().database.query<{ sequence: number; id: string; data: unknown }>(
      "SELECT sequence, id, data FROM events ORDER BY sequence",
    );

  describe("pipeline", () => {
    it("the store of the pipeline has no checkpoint, state or day at first", async () => {
      const { pipeline } = current().store;
      expect(await pipeline.checkpoint()).toBeUndefined();
      expect(await pipeline.states()).toEqual([]);
      expect(await pipeline.days(assetId("a1"), "2026-01-01", "2026-12-31")).toEqual([]);
      expect(await pipeline.engineOnS(assetId("a1"))).toBe(0);
    });

    it("the store of the pipeline moves the checkpoint forward, back, and to another journal", async () => {
      const { pipeline } = current().store;
      for (const sequence of [7, 9_007_199_254_740_991, 3]) {
        await pipeline.commit(commit(sequence));
        expect(await pipeline.checkpoint()).toEqual({ journalId: JOURNAL, sequence });
      }
      const elsewhere = { journalId: "another", sequence: 1 };
      await pipeline.commit(commit(1, { checkpoint: elsewhere }));
      expect(await pipeline.checkpoint()).toEqual(elsewhere);
    });

    it("the store of the pipeline shares states by name without a checkpoint", async () => {
      const { pipeline } = current().store;
      await pipeline.share(new Map([["here", "1"]]));
      await pipeline.share(
        new Map([
          ["here", "2"],
          ["there", "3"],
        ]),
      );
      expect([...(await pipeline.shared())].sort()).toEqual([
        ["here", "2"],
        ["there", "3"],
      ]);
      expect(await pipeline.checkpoint()).toBeUndefined();
    });

    it("the store of the pipeline replaces states asset by asset and gives their text back unchanged", async () => {
      const { pipeline } = current().store;
      const text = JSON.stringify({ q: 'a"b\\c', nul: "\0", unit: "\x1f", u: "ü€𝄞", comma: "{,}" });
      await pipeline.commit(
        commit(1, {
          states: [
            { assetId: assetId("a2"), state: text },
            { assetId: assetId("a1"), state: "{}" },
          ],
        }),
      );
      await pipeline.commit(commit(2, { states: [{ assetId: assetId("a1"), state: "[1]" }] }));
      expect(await pipeline.states()).toEqual([
        { assetId: "a1", state: "[1]" },
        { assetId: "a2", state: text },
      ]);
    });

    it("the store of the pipeline takes 2,000 states and days in one commit; of two for one asset the last counts", async () => {
      const { pipeline } = current().store;
      const ids = Array.from({ length: 2_000 }, (_, i) => assetId(`a${i}`));
      const states = ids.map((id) => ({ assetId: id, state: `{"id":"${id}"}` }));
      const days = ids.map((id) => day("2026-11-20", { assetId: id }));
      await pipeline.commit(
        commit(2_000, {
          states: [{ assetId: assetId("a5"), state: "{}" }, ...states],
          days: [day("2026-11-20", { assetId: assetId("a5"), workingS: 1 }), ...days],
        }),
      );
      const stored = await pipeline.states();
      expect(stored).toHaveLength(2_000);
      expect(stored).toContainEqual({ assetId: "a5", state: '{"id":"a5"}' });
      expect(await pipeline.days(assetId("a5"), "2026-11-20", "2026-11-20")).toEqual([
        day("2026-11-20", { assetId: assetId("a5") }),
      ]);
    });

    it("the store of the pipeline yields the days of one asset in an inclusive range, ascending, and sums engine time", async () => {
      const { pipeline } = current().store;
      const days = ["2026-11-21", "2026-11-19", "2026-11-20", "2026-11-22"].map((date) =>
        day(date),
      );
      await pipeline.commit(
        commit(1, { days: [...days, day("2026-11-20", { assetId: assetId("a2") })] }),
      );
      await pipeline.commit(commit(2, { days: [day("2026-11-20", { engineOnS: 5_000.25 })] }));
      expect(await pipeline.days(assetId("a1"), "2026-11-20", "2026-11-21")).toEqual([
        day("2026-11-20", { engineOnS: 5_000.25 }),
        day("2026-11-21"),
      ]);
      expect(await pipeline.engineOnS(assetId("a1"))).toBe(3 * 4_000 + 5_000.25);
    });

    it("the store of the pipeline stores an event once however often it is committed, with rising sequences", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(commit(1, { events: [event("e1"), event("e2"), event("e1")] }));
      await pipeline.commit(commit(1, { events: [event("e1"), event("e2")] }));
      await pipeline.commit(commit(2, { events: [event("e3"), event("e1", { revision: 2 })] }));
      const stored = await storedEvents();
      expect(stored.map((row) => row.id)).toEqual(["e1", "e2", "e3", "e1"]);
      const sequences = stored.map((row) => row.sequence);
      expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    });

    it("the store of the pipeline keeps every field of an event, and text that a device made up", async () => {
      const { pipeline } = current().store;
      await pipeline.commit(
        commit(1, {
          events: [
            event("e1", {
              projectId: undefined,
              geofenceId: "g1",
              visitId: "v1",
              location: { latitude: 1.5, longitude: -2.5 },
              accuracyMeters: 3.5,
              inferred: true,
              cause: "first\0fix",
              withdrawn: true,
              data: { topic: "a\0b \ud800", nested: [1, null, { x: 'q"' }] },
            }),
          ],
        }),
      );
      const [row] = await current().database.query(
        `SELECT project_id, asset_id, geofence_id, visit_id, occurred_at_ms, latitude, longitude,
           accuracy_meters, inferred, cause, withdrawn, data::text AS data FROM events`,
      );
      expect(row).toEqual({
        project_id: null,
        asset_id: "a1",
        geofence_id: "g1",
        visit_id: "v1",
        occurred_at_ms: 1_795_000_000_123,
        latitude: 1.5,
        longitude: -2.5,
        accuracy_meters: 3.5,
        inferred: true,
        cause: "first\ufffdfix",
        withdrawn: true,
        data: JSON.stringify({ topic: "a\0b \ud800", nested: [1, null, { x: 'q"' }] }),
      });
    });

    it("the store of the pipeline replaces the states that belong to no asset by name", async () => {
      const { pipeline } = current().store;
      expect(await pipeline.shared()).toEqual(new Map());
      const text = JSON.stringify({ q: 'a"b\\c', nul: "\0", comma: "{,}" });
      await pipeline.commit(
        commit(1, {
          shared: new Map([
            ["liveness", "{}"],
            ["other", text],
          ]),
        }),
      );
      await pipeline.commit(commit(2, { shared: new Map([["liveness", "[1]"]]) }));
      expect(await pipeline.shared()).toEqual(
        new Map([
          ["liveness", "[1]"],
          ["other", text],
        ]),
      );
    });

    it("the store of the pipeline keeps the text of an alert that holds U+0000, with U+FFFD in its place", async () => {
      const { pipeline, alerts } = current().store;
      const data = { nul: "\0", half: "\ud800" };
      await pipeline.commit(commit(1, { alerts: [alert("l1", { message: "a\0b", data })] }));
      expect(await alerts.find(alert("l1").id)).toMatchObject({ message: "a\ufffdb", data });
    });

    it("the store of the pipeline takes 2,000 visits and alerts in one commit; of two with one id the last counts", async () => {
      const { pipeline, visits, alerts } = current().store;
      const ids = Array.from({ length: 2_000 }, (_, i) => `${i}`);
      await pipeline.commit(
        commit(1, {
          visits: [visit("5", { ordinal: 77 }), ...ids.map((id) => visit(id, { ordinal: 3 }))],
          alerts: [alert("5", { occurrences: 9 }), ...ids.map((id) => alert(id))],
        }),
      );
      const page = { limit: 1, offset: 0 };
      expect((await visits.list(page)).total).toBe(2_000);
      expect(await visits.since(assetId("a1"), 4)).toEqual([]);
      expect((await alerts.list(page)).total).toBe(2_000);
      expect((await alerts.find(alert("5").id))?.occurrences).toBe(1);
    });

    it("the store of the pipeline stores all of a commit or nothing", async () => {
      const { pipeline, quarantine, visits, alerts } = current().store;
      await pipeline.commit(commit(1));
      const states = [{ assetId: assetId("a1"), state: "{}" }];
      const impossibleDay = [day("2026-13-45")];
      await expect(pipeline.commit(commit(2, { states, days: impossibleDay }))).rejects.toThrow();
      // Fails in the last of several statements.
      const impossibleEvent = [event("e1", { revision: 2 ** 40 })];
      await expect(
        pipeline.commit(
          commit(3, {
            states,
            days: [day("2026-11-20")],
            events: impossibleEvent,
            visits: [visit("v1")],
            alerts: [alert("l1")],
            shared: new Map([["liveness", "{}"]]),
          }),
        ),
      ).rejects.toThrow();
      expect(await pipeline.checkpoint()).toEqual({ journalId: JOURNAL, sequence: 1 });
      expect(await pipeline.states()).toEqual([]);
      expect(await pipeline.engineOnS(assetId("a1"))).toBe(0);
      expect((await quarantine.list({ limit: 10, offset: 0 })).total).toBe(0);
      expect(await storedEvents()).toEqual([]);
      expect(await visits.newest()).toEqual([]);
      expect(await alerts.find(alert("l1").id)).toBeUndefined();
      expect(await pipeline.shared()).toEqual(new Map());
    });
  });
}
