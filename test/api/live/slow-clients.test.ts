import { afterEach, describe, expect, it, vi } from "vitest";
import type { LiveRow } from "../../../client/live.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { FIX } from "../../support/api-app.ts";
import { dataOf, ended, fleetOf, heard, of, over, P1, world } from "../../support/live-world.ts";
import { newEvent } from "../../support/new-event.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("a live stream whose client does not keep up", () => {
  it("a client that reads slowly gets the newest rows in one message, and delays nobody", async () => {
    await using w = await world();
    // A megabyte a message, so that the sockets are full before the first ping.
    const ids = Array.from({ length: 8_000 }, (_, i) => `${i}`.padStart(64, "m") as AssetId);
    for (const id of ids) {
      await w.t.records.assets.insert(
        {
          id,
          project_id: P1,
          name: "x",
          type: "van",
          decoder: "plumbline",
          maintenance: false,
          created_at: "2026-03-01T08:00:00.000Z",
          updated_at: "2026-03-01T08:00:00.000Z",
        },
        new Uint8Array(32),
      );
    }
    await w.t.directory.refresh();
    const slow = await w.open("?topics=positions");
    const quick = await w.open("?topics=positions");
    await Promise.all([heard(slow, "snapshot"), heard(quick, "snapshot")]);
    slow.pause();
    let rounds = 0;
    const round = async () => {
      rounds += 1;
      for (const id of ids) w.t.live(id, { fix: { ...FIX, latitude: rounds / 1_000 } });
      vi.advanceTimersByTime(1_000);
      await heard(quick, "positions", rounds);
    };
    for (let i = 0; i < 13; i += 1) await round();
    slow.resume();
    let [seen, quietLooks] = [0, 0];
    await until(
      "the newest row",
      () => {
        quietLooks = slow.messages.length === seen ? quietLooks + 1 : 0;
        seen = slow.messages.length;
        // The next second, once all that was on the way has come.
        if (quietLooks % 40 === 39) vi.advanceTimersByTime(1_000);
        // Only the last one: each is a megabyte.
        const { rows = [] } =
          quietLooks === 0 ? JSON.parse(slow.messages.at(-1)?.data ?? "{}") : {};
        return rows.some(([id, latitude]: LiveRow) => id === ids[0] && latitude === rounds / 1_000);
      },
      PATIENT_MS,
    );
    // What was on the way when it stopped, then one.
    expect(of(slow, "positions").length).toBeLessThan(rounds - 1);
    expect(fleetOf(slow)).toEqual(fleetOf(quick));
  });

  it("a client that takes nothing for two pings is dropped", async () => {
    await using w = await world();
    const stalled = await w.open("?topics=events");
    const quick = await w.open("?topics=events");
    stalled.pause();
    const text = "x".repeat(40_000);
    await w.append(
      ...Array.from({ length: 400 }, (_, i) =>
        newEvent(`e${i}`, { projectId: P1, data: { text } }),
      ),
    );
    await heard(quick, "event", 400);
    await until(
      "its end",
      async () => {
        vi.advanceTimersByTime(15_000);
        return (await ended(w.t, "slow")) === 1;
      },
      PATIENT_MS,
    );
    expect(quick.isOver).toBe(false);
    stalled.resume();
    await over(stalled);
    // It comes back for the rest.
    const again = await w.open("?topics=events", { lastEventId: stalled.lastEventId });
    await heard(again, "event", 400 - of(stalled, "event").length);
    const ids = [...dataOf(stalled, "event"), ...dataOf(again, "event")].map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 400 }, (_, i) => `e${i}`));
  });
});
