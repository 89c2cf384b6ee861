import { afterEach, describe, expect, it, vi } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { ADMIN_KEY, FIX, NOON_MS } from "../../support/api-app.ts";
import {
  addJob,
  dataOf,
  ended,
  fleetOf,
  heard,
  keepAlert,
  keyFor,
  of,
  over,
  P1,
  P2,
  refusal,
  rowIds,
  world,
} from "../../support/live-world.ts";
import { newEvent } from "../../support/new-event.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the live stream", () => {
  it("the live stream sends every machine once, with null for what is not known, then the rows that changed", async () => {
    await using w = await world();
    w.t.live("m1" as AssetId);
    const client = await w.open("?topics=positions");
    await heard(client, "snapshot");
    const [first] = dataOf(client, "snapshot");
    expect(first.rows).toEqual([
      ["m1", 53.5511, 9.9937, 270, 12.5, 2.5, "idle", NOON_MS - 10_000, 0],
      // Nothing was heard of it: the place is that of its project.
      ["m2", 53.5, 9.9, null, null, null, "idle", null, 1 + 512],
    ]);
    w.t.live("m2" as AssetId, {
      fix: { ...FIX, speedKmh: 0, speedSource: "none", heading: 0, headingSource: "none" },
    });
    await w.second();
    await heard(client, "positions");
    expect(dataOf(client, "positions")).toEqual([
      {
        view: first.view,
        from: first.change,
        change: first.change + 1,
        rows: [["m2", 53.5511, 9.9937, null, null, 2.5, "idle", NOON_MS - 10_000, 0]],
        gone: [],
      },
    ]);
    // Nothing changed: nothing is sent.
    await w.second();
    expect(of(client, "snapshot").length + of(client, "positions").length).toBe(2);
  });

  it("the live stream sends a status that changes with the clock, a new machine, and one that went", async () => {
    await using w = await world();
    w.t.live("m1" as AssetId, { lastWorkedAtMs: NOON_MS - 1_000, reportedToMs: NOON_MS - 1_000 });
    const client = await w.open("?topics=positions");
    await heard(client, "snapshot");
    expect(fleetOf(client).rows.get("m1")?.[6]).toBe("active");
    w.t.clock.ms += 3_600_000;
    await w.second();
    await heard(client, "positions");
    expect(fleetOf(client).rows.get("m1")?.[6]).toBe("idle");
    await w.t.asset({ id: "m3" as AssetId, project_id: P1 });
    await w.second();
    await heard(client, "positions", 2);
    expect(rowIds(fleetOf(client))).toEqual(["m1", "m2", "m3"]);
    await w.t.send("DELETE", "/api/v1/equipment/assets/m1", ADMIN_KEY);
    await w.second();
    await heard(client, "positions", 3);
    expect(rowIds(fleetOf(client))).toEqual(["m2", "m3"]);
  });

  it("the live stream sends events, alerts and jobs as the lists have them, as they change", async () => {
    await using w = await world();
    await addJob(w.t, "j1", "measure", P1);
    const client = await w.open("?topics=events,alerts,jobs");
    await heard(client, "job");
    expect(dataOf(client, "job")).toMatchObject([{ id: "j1", kind: "measure", status: "queued" }]);
    await w.append(newEvent("e1", { projectId: P1 }));
    await heard(client, "event");
    const { data } = (await w.t.get("/api/v1/events", ADMIN_KEY)).json();
    expect(dataOf(client, "event")).toEqual(data);

    await keepAlert(w.t, "l1");
    await until(
      "the alert",
      () => {
        vi.advanceTimersByTime(250);
        return of(client, "alert").length === 1;
      },
      PATIENT_MS,
    );
    await w.t.send("POST", "/api/v1/equipment/alerts/l1/acknowledge", ADMIN_KEY, { note: "seen" });
    await until(
      "the acknowledgement",
      () => {
        vi.advanceTimersByTime(250);
        return of(client, "alert").length === 2;
      },
      PATIENT_MS,
    );
    expect(dataOf(client, "alert").map(({ status }) => status)).toEqual(["open", "acknowledged"]);
    const { body } = await w.t.get("/api/v1/equipment/alerts/l1", ADMIN_KEY);
    expect(dataOf(client, "alert")[1]).toEqual(JSON.parse(body));

    const job = await w.t.records.jobs.claim("r1", ["measure"]);
    if (job?.runner === undefined) throw new Error("no job");
    await w.t.records.jobs.complete({ id: job.id, runner: "r1", attempts: 1 }, "ok");
    await w.second();
    await heard(client, "job", 2);
    expect(dataOf(client, "job")[1]).toMatchObject({ status: "completed", progress_percent: 100 });
  });

  it("the live stream sends all fields of a selected machine, and null once it is gone", async () => {
    await using w = await world();
    const client = await w.open("?topics=positions&asset_id=m1");
    await heard(client, "asset");
    const { body } = await w.t.get("/api/v1/equipment/assets/m1", ADMIN_KEY);
    expect(dataOf(client, "asset")).toEqual([JSON.parse(body)]);
    w.t.live("m1" as AssetId, { latest: { fuel_level: { value: 50, fixTimeMs: NOON_MS } } });
    w.t.clock.ms += 1_000;
    await w.second();
    await heard(client, "asset", 2);
    expect(dataOf(client, "asset")[1].latest.fuel_level.value).toBe(50);
    await w.t.send("DELETE", "/api/v1/equipment/assets/m1", ADMIN_KEY);
    w.t.clock.ms += 1_000;
    await w.second();
    await heard(client, "asset", 3);
    expect(dataOf(client, "asset")[2]).toBeNull();
    expect((await refusal(w.open("?asset_id=m9"))).status).toBe(404);
  });

  it("the live stream shows a key nothing of projects that are not its own", async () => {
    await using w = await world();
    const key = await keyFor(w.t, { project_ids: [P1] });
    const client = await w.open("", { key });
    const all = await w.open("");
    await Promise.all([heard(client, "snapshot"), heard(all, "snapshot")]);
    await w.t.live("m1" as AssetId);
    w.t.live("m2" as AssetId);
    await addJob(w.t, "j1", "measure", P1);
    await addJob(w.t, "j2", "measure", P2);
    await w.second();
    await keepAlert(w.t, "l2", { projectId: P2 });
    await keepAlert(w.t, "l1");
    await w.append(
      newEvent("e2", { projectId: P2 }),
      newEvent("e0", { projectId: undefined }),
      newEvent("e1", { projectId: P1 }),
    );
    await until(
      "all of it",
      () => {
        vi.advanceTimersByTime(250);
        return [all, client].every(
          (one) => of(one, "alert").length >= 1 && of(one, "event").length >= 1,
        );
      },
      PATIENT_MS,
    );
    await Promise.all([heard(all, "event", 3), heard(all, "alert", 2), heard(all, "job", 2)]);
    await Promise.all([heard(client, "positions"), heard(client, "job")]);
    expect(rowIds(fleetOf(client))).toEqual(["m1"]);
    expect(rowIds(fleetOf(all))).toEqual(["m1", "m2"]);
    const heardIds = (event: string) => dataOf(client, event).map(({ id }) => id);
    expect(["event", "alert", "job"].map(heardIds)).toEqual([["e1"], ["l1"], ["j1"]]);
    // A machine that goes to a project of others goes from the map, and nothing else of it is said.
    const text = () => client.messages.map(({ data }) => data).join("\n");
    await w.t.send("PATCH", "/api/v1/equipment/assets/m1", ADMIN_KEY, { project_id: P2 });
    await w.second();
    await until("it to go", () => fleetOf(client).rows.size === 0, PATIENT_MS);
    w.t.live("m1" as AssetId, { fix: { ...FIX, latitude: 1.2345678 } });
    await w.second();
    await until("the others", () => fleetOf(all).rows.get("m1")?.[1] === 1.2345678, PATIENT_MS);
    expect(text()).not.toContain("1.2345678");
    expect(text()).not.toContain("p2");
    expect((await refusal(w.open("?project_id=p2", { key }))).status).toBe(404);
    expect((await refusal(w.open("?project_id=p1,p2", { key }))).status).toBe(404);
    expect((await refusal(w.open("?asset_id=m2", { key }))).status).toBe(404);
  });

  it("the live stream says which scope a topic needs, and takes topics for which the key has one", async () => {
    await using w = await world();
    const key = await w.t.key({ scopes: ["equipment:read"] });
    const texts = await Promise.all(
      ["?topics=events", "?topics=positions,jobs", ""].map(async (query) => {
        const { status, body } = await refusal(w.open(query, { key }));
        return [status, JSON.parse(body).error.message];
      }),
    );
    expect(texts).toEqual([
      [403, "The API key lacks the scope events:read, which the topic events needs"],
      [
        403,
        "The API key lacks the scope materials:read or progress:read, which the topic jobs needs",
      ],
      [403, "The API key lacks the scope events:read, which the topic events needs"],
    ]);
    await heard(await w.open("?topics=positions,alerts", { key }), "snapshot");
    // Jobs of another area are not shown.
    await addJob(w.t, "j1", "measure", P1);
    await addJob(w.t, "j2", "capture", P1);
    const materials = await w.open("?topics=jobs", {
      key: await w.t.key({ scopes: ["materials:read"] }),
    });
    await heard(materials, "job");
    expect(dataOf(materials, "job").map(({ id }) => id)).toEqual(["j1"]);
    const without = await w.t.key({ scopes: ["events:read"] });
    const selected = await refusal(w.open("?topics=events&asset_id=m1", { key: without }));
    expect([selected.status, selected.body]).toEqual([
      403,
      expect.stringContaining("equipment:read, which asset_id needs"),
    ]);
  });

  it("a client that comes back misses no event and no alert and gets none twice, and its positions go on", async () => {
    await using w = await world();
    const client = await w.open("?topics=positions,events,alerts");
    await heard(client, "snapshot");
    await w.append(newEvent("e1", { projectId: P1 }));
    await heard(client, "event");
    await keepAlert(w.t, "l1");
    await until(
      "the alert",
      () => {
        vi.advanceTimersByTime(250);
        return of(client, "alert").length === 1;
      },
      PATIENT_MS,
    );
    client.cut();
    await over(client);
    await w.append(newEvent("e2", { projectId: P1 }), newEvent("e3", { projectId: P1 }));
    await keepAlert(w.t, "l2");
    await keepAlert(w.t, "l1", { resolvedAtMs: NOON_MS + 5, resolution: "exited" });
    w.t.live("m2" as AssetId);
    const again = await w.open("?topics=positions,events,alerts", {
      lastEventId: client.lastEventId,
    });
    await Promise.all([
      heard(again, "positions"),
      heard(again, "event", 2),
      heard(again, "alert", 2),
    ]);
    expect(of(again, "snapshot")).toEqual([]);
    expect(dataOf(again, "event").map(({ id }) => id)).toEqual(["e2", "e3"]);
    expect(dataOf(again, "alert").map(({ id, status }) => [id, status])).toEqual([
      ["l2", "open"],
      ["l1", "resolved"],
    ]);
    const resumed = fleetOf(again, fleetOf(client));
    const fresh = await w.open("?topics=positions");
    await heard(fresh, "snapshot");
    expect(resumed).toMatchObject({ isBehind: false });
    expect([...resumed.rows].sort()).toEqual([...fleetOf(fresh).rows].sort());
    // Other projects are other rows.
    const other = await w.open("?topics=positions&project_id=p2", {
      lastEventId: again.lastEventId,
    });
    await heard(other, "snapshot");
    expect(rowIds(fleetOf(other))).toEqual(["m2"]);
  });

  it("after a restart of the service a client gets a snapshot, and every event that it missed", async () => {
    const before = await world();
    const client = await before.open("?topics=positions,events");
    await heard(client, "snapshot");
    await before.append(newEvent("e1", { projectId: P1 }));
    await heard(client, "event");
    await before[Symbol.asyncDispose]();
    await over(client);
    await before.t.records.events.append([newEvent("e2", { projectId: P1 })]);
    await using after = await world(before.t.records);
    const again = await after.open("?topics=positions,events", {
      lastEventId: client.lastEventId,
    });
    await Promise.all([heard(again, "snapshot"), heard(again, "event")]);
    expect(dataOf(again, "event").map(({ id }) => id)).toEqual(["e2"]);
    expect(fleetOf(again, fleetOf(client)).isBehind).toBe(false);
  });

  it("the live stream ends within 5 s when another process revokes its key", async () => {
    await using w = await world();
    const client = await w.open("", { key: await keyFor(w.t) });
    const other = await w.open("");
    await heard(client, "snapshot");
    const [found] = [...w.t.records.rows.keys.values()];
    if (found === undefined) throw new Error("no key");
    await w.t.records.apiKeys.revoke(found.key.id, new Date(w.t.clock.ms).toISOString());
    for (let s = 0; s < 5; s += 1) {
      w.t.clock.ms += 1_000;
      await w.second();
    }
    await over(client);
    expect(await ended(w.t, "revoked")).toBe(1);
    expect(other.isOver).toBe(false);
  });

  it("a key has five live streams; the sixth is refused until one of them ends", async () => {
    await using w = await world();
    const key = await keyFor(w.t);
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => w.open("?topics=events", { key })),
    );
    const { status, headers } = await refusal(w.open("?topics=events", { key }));
    expect([status, headers["retry-after"]]).toEqual([429, "15"]);
    // Also when they come all at once.
    const crowd = await keyFor(w.t);
    const opened = await Promise.allSettled(
      Array.from({ length: 9 }, () => w.open("", { key: crowd })),
    );
    expect(opened.filter((one) => one.status === "fulfilled")).toHaveLength(5);
    clients[0]?.cut();
    await until("the place", async () => (await ended(w.t, "left")) === 1, PATIENT_MS);
    await w.open("?topics=events", { key });
  });

  it("answers 400 to a Last-Event-ID that no live stream gave out", async () => {
    await using w = await world();
    const texts = [
      "7",
      "a.b.c",
      "v.1.2",
      "v.1.2.3.4",
      "v.1.99.0",
      "v.1.0.99",
      "v.x.0.0",
      "v.1.-1.0",
    ];
    for (const lastEventId of texts) {
      const { status, body } = await refusal(w.open("", { lastEventId }));
      expect({ lastEventId, status, error: JSON.parse(body).error }).toMatchObject({
        lastEventId,
        status: 400,
        error: { code: "invalid_parameter", details: [{ parameter: "Last-Event-ID" }] },
      });
    }
    // A change that this process never made is another's: a snapshot.
    const client = await w.open("?topics=positions", { lastEventId: "elsewhere.999.-.-" });
    await heard(client, "snapshot");
  });

  it("the live stream says every 15 s that it lives, and its id goes on with events of others", async () => {
    await using w = await world();
    const key = await keyFor(w.t, { project_ids: [P1] });
    const client = await w.open("?topics=events", { key });
    await w.append(newEvent("e1", { projectId: P2 }), newEvent("e2", { projectId: P2 }));
    await until("the feed", () => w.t.feed.lastSequence === 2, PATIENT_MS);
    vi.advanceTimersByTime(15_000);
    await until("the ping", () => client.comments.length === 1, PATIENT_MS);
    expect(client.comments).toEqual(["ping"]);
    expect(client.lastEventId).toMatch(/\.-\.2\.-$/);
    expect(client.messages).toEqual([]);
  });

  it("the live stream ends at once when the server stops", async () => {
    const w = await world();
    const client = await w.open("");
    await heard(client, "snapshot");
    await w.t.app.close();
    await over(client);
    expect(await ended(w.t, "closing")).toBe(1);
    await w[Symbol.asyncDispose]();
  });
});
