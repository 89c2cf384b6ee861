import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { EventView } from "../../../../domain/events/event-view.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { newEvent } from "../../../support/new-event.ts";
import { sharedTestApp } from "../../../support/shared-app.ts";

interface Page {
  readonly data: readonly EventView[];
  readonly pagination: {
    readonly limit: number;
    readonly has_more: boolean;
    readonly next_cursor: string;
  };
}

/** The pagination of a page that leads on from the event `next`. */
const upTo = (next: number, change: Partial<Page["pagination"]> = {}) => ({
  pagination: { limit: 100, has_more: false, next_cursor: String(next), ...change },
});

/** Two projects; events 1 to 6, of which the fourth is of no project. */
async function world() {
  const t = await openTestApp();
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
  await t.records.events.append([
    newEvent("e1"),
    newEvent("e2", { type: "equipment.geofence.exited" }),
    newEvent("e3", { projectId: "p2", assetId: "a2" }),
    newEvent("e4", { projectId: undefined, assetId: undefined, type: "ingest.journal_gap" }),
    newEvent("e1", { revision: 2, type: "equipment.geofence.entered.revised" }),
    newEvent("e6", { projectId: "p2", assetId: "a2", type: "equipment.limit.exceeded" }),
  ]);
  await pollAgain(t);
  return t;
}

/** Resolves when the feed knows of everything in the outbox. */
async function pollAgain(t: TestApp): Promise<void> {
  const known = new Promise<void>((resolve) => {
    const stop = t.feed.subscribe(() => {
      stop();
      resolve();
    });
  });
  t.feed.poke();
  await known;
}

async function read(t: TestApp, query = "", key: string = ADMIN_KEY): Promise<Page> {
  const answer = await t.get(`/api/v1/events${query}`, key);
  expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 });
  return answer.json();
}

const sequences = (page: Page) => page.data.map(({ sequence }) => sequence);
const eventsKey = (t: TestApp, project?: string) =>
  t.key({
    scopes: ["events:read"],
    ...(project === undefined ? {} : { project_ids: [project as ProjectId] }),
  });

describe("GET /events", () => {
  const shared = sharedTestApp(world);

  it("GET /events lists everything from the oldest on, each event as the schema says", async () => {
    await using t = await world();
    const page = await read(t);
    expect(sequences(page)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(page).toMatchObject(upTo(6));
    const schema = Compile(EventView);
    expect(page.data.filter((event) => !schema.Check(event))).toEqual([]);
  });

  it("GET /events is read to the end in pages, each from where the one before ended", async () => {
    await using t = await world();
    const first = await read(t, "?limit=4");
    expect({ ...first, data: sequences(first) }).toEqual({
      data: [1, 2, 3, 4],
      ...upTo(4, { limit: 4, has_more: true }),
    });
    const second = await read(t, `?limit=4&cursor=${first.pagination.next_cursor}`);
    expect({ ...second, data: sequences(second) }).toEqual({
      data: [5, 6],
      ...upTo(6, { limit: 4 }),
    });
    expect(await read(t, "?cursor=6")).toEqual({ data: [], ...upTo(6) });
  });

  it("GET /events says that no more follow when a page ends with the last event", async () => {
    await using t = await world();
    expect(await read(t, "?limit=6")).toMatchObject(upTo(6, { limit: 6 }));
  });

  it("GET /events moves next_cursor past what a filter leaves out", async () => {
    await using t = await world();
    const page = await read(t, "?type=equipment.geofence.exited");
    expect({ ...page, data: sequences(page) }).toEqual({
      data: [2],
      ...upTo(6),
    });
  });

  it("GET /events begins with what comes next for cursor=latest", async () => {
    await using t = await world();
    expect(await read(t, "?cursor=latest")).toEqual({ data: [], ...upTo(6) });
  });

  it("GET /events finds events that this process was not notified of yet", async () => {
    await using t = await world();
    await t.records.events.append([newEvent("e7")]);
    const page = await read(t, "?cursor=6");
    expect({ ...page, data: sequences(page) }).toEqual({
      data: [7],
      ...upTo(7),
    });
    expect(await read(t, "?cursor=7")).toEqual({ data: [], ...upTo(7) });
  });

  it("GET /events filters by type, with its revisions, and by the beginning of types", async () => {
    await using t = await world();
    expect(sequences(await read(t, "?type=equipment.geofence.entered"))).toEqual([1, 3, 5]);
    expect(sequences(await read(t, "?type=equipment.geofence.*"))).toEqual([1, 2, 3, 5]);
    expect(sequences(await read(t, "?type=equipment.limit.exceeded,ingest.*"))).toEqual([4, 6]);
    expect(sequences(await read(t, "?type=equipment.geofence.entered.revised"))).toEqual([5]);
  });

  it("GET /events filters by asset and project; a deleted or unknown asset is not an error", async () => {
    await using t = await world();
    expect(sequences(await read(t, "?asset_id=a2"))).toEqual([3, 6]);
    expect(sequences(await read(t, "?project_id=p1"))).toEqual([1, 2, 5]);
    expect(sequences(await read(t, "?project_id=p1&asset_id=a2"))).toEqual([]);
  });

  it("GET /events shows a key its own projects only, and events of no project to unlimited keys only", async () => {
    await using t = await world();
    expect(sequences(await read(t, "", await eventsKey(t)))).toEqual([1, 2, 3, 4, 5, 6]);
    const key = await eventsKey(t, "p2");
    expect(sequences(await read(t, "", key))).toEqual([3, 6]);
    expect(sequences(await read(t, "?asset_id=a1", key))).toEqual([]);
    expect(sequences(await read(t, "?type=ingest.*", key))).toEqual([]);
    expect((await t.get("/api/v1/events?project_id=p1", key)).statusCode).toBe(404);
    expect((await t.get("/api/v1/events?project_id=p9", key)).statusCode).toBe(404);
  });

  it("GET /events with before is read from the newest event to the oldest, and then ends", async () => {
    await using t = await world();
    await t.records.events.append([newEvent("e7")]);
    const first = await read(t, "?before=latest&limit=4");
    expect(sequences(first)).toEqual([7, 6, 5, 4]);
    expect(first.pagination).toEqual({ limit: 4, has_more: true, next_cursor: "4" });
    const last = await read(t, "?before=4&limit=3");
    expect(sequences(last)).toEqual([3, 2, 1]);
    expect(last.pagination).toEqual({ limit: 3, has_more: false });
    expect(sequences(await read(t, "?before=1"))).toEqual([]);
    expect(sequences(await read(t, "?before=latest&asset_id=a2"))).toEqual([6, 3]);
    expect(sequences(await read(t, "?before=latest&type=equipment.geofence.*"))).toEqual([
      7, 5, 3, 2, 1,
    ]);
  });

  it("GET /events with before shows a key its own projects only", async () => {
    await using t = await world();
    const key = await eventsKey(t, "p2");
    expect(sequences(await read(t, "?before=latest", key))).toEqual([6, 3]);
    expect(sequences(await read(t, "?before=latest&asset_id=a1", key))).toEqual([]);
    expect((await t.get("/api/v1/events?before=latest&project_id=p1", key)).statusCode).toBe(404);
  });

  it("GET /events needs the scope events:read", async () => {
    await using t = await world();
    const answer = await t.get("/api/v1/events", await t.key({ scopes: ["equipment:read"] }));
    expect(answer.statusCode).toBe(403);
  });

  it.each([
    ["cursor=-1", "cursor"],
    ["cursor=1.5", "cursor"],
    ["cursor=newest", "cursor"],
    ["cursor=", "cursor"],
    ["cursor=1&cursor=2", "cursor"],
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["type=", "type"],
    ["type=equipment.geofence.entred", "type"],
    ["type=equipment.*,nothing.*", "type"],
    ["asset_id=a%2F1", "asset_id"],
    ["cursor=7", "cursor"],
    ["before=7", "before"],
    ["before=-1", "before"],
    ["before=", "before"],
    ["before=1e3", "before"],
    ["before=9999999999999999", "before"],
    ["before=latest&cursor=1", "before"],
  ])("GET /events answers 400 to %s and names the parameter", async (query, parameter) => {
    const { t } = shared;
    const answer = await t.get(`/api/v1/events?${query}`, ADMIN_KEY);
    expect(answer.statusCode).toBe(400);
    const [problem] = answer.json().error.details;
    expect(problem.parameter.split(".")[0]).toBe(parameter);
  });

  it("GET /events answers 500 while the store is away", async () => {
    await using t = await world();
    t.records.away = true;
    expect((await t.get("/api/v1/events", ADMIN_KEY)).statusCode).toBe(500);
  });
});
