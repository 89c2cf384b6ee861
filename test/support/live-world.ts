import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { afterPositions, afterSnapshot, type LiveFleet, NO_FLEET } from "../../client/live.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AssetId, JobId, ProjectId } from "../../domain/ids.ts";
import type { ApiKey } from "../../domain/platform/api-key.ts";
import { alert, commit } from "../contracts/records/rows.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "./api-app.ts";
import type { MemoryRecords } from "./memory-records.ts";
import { PATIENT_MS } from "./patience.ts";
import { openSse, type SseClient, SseRefused } from "./sse-client.ts";
import { until } from "./until.ts";

const ALL = ["equipment:read", "events:read", "materials:read", "progress:read"] as const;
export const P1 = "p1" as ProjectId;
export const P2 = "p2" as ProjectId;

export interface World extends AsyncDisposable {
  readonly t: TestApp;
  readonly open: (
    query?: string,
    options?: { readonly key?: string; readonly lastEventId?: string },
  ) => Promise<SseClient>;
  readonly append: (...events: readonly NewEvent[]) => Promise<void>;
  /** Lets the next second of positions and jobs come. */
  readonly second: () => Promise<void>;
}

/** Two projects with a machine each, over a store that may have been there before. */
export async function world(records?: MemoryRecords): Promise<World> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const t = await openTestApp(records === undefined ? {} : { records });
  if (records === undefined) {
    for (const id of [P1, P2]) await t.project({ id });
    await t.asset({ id: "m1" as AssetId, project_id: P1 });
    await t.asset({ id: "m2" as AssetId, project_id: P2 });
  }
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = t.app.server.address() as AddressInfo;
  const clients: SseClient[] = [];
  return {
    t,
    async open(query = "", { key = ADMIN_KEY, ...options } = {}) {
      const client = await openSse(`http://127.0.0.1:${port}/api/v1/live${query}`, {
        key,
        ...options,
      });
      clients.push(client);
      return client;
    },
    async append(...events) {
      await t.records.events.append(events);
      t.feed.poke();
    },
    async second() {
      vi.advanceTimersByTime(1_000);
      // The turn of the rows is some rounds of the event loop.
      for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.cut();
      await t[Symbol.asyncDispose]();
    },
  };
}

export const of = (client: SseClient, event: string) =>
  client.messages.filter((message) => message.event === event);
export const dataOf = (client: SseClient, event: string) =>
  of(client, event).map(({ data }) => JSON.parse(data));
export const heard = (client: SseClient, event: string, count = 1) =>
  until(`${count} of ${event}`, () => of(client, event).length >= count, PATIENT_MS);
export const over = (client: SseClient) =>
  until("the end of the stream", () => client.isOver, PATIENT_MS);
export const keyFor = (t: TestApp, key: Partial<ApiKey> = {}) =>
  t.key({ scopes: [...ALL], ...key });

/** What a client makes of all that it heard. */
export function fleetOf(client: SseClient, before: LiveFleet = NO_FLEET): LiveFleet {
  let fleet = before;
  for (const { event, data } of client.messages) {
    if (event === "snapshot") fleet = afterSnapshot(fleet, JSON.parse(data));
    if (event === "positions") fleet = afterPositions(fleet, JSON.parse(data));
  }
  return fleet;
}
export const rowIds = (fleet: LiveFleet) => [...fleet.rows.keys()].sort();

export async function refusal(opening: Promise<SseClient>): Promise<SseRefused> {
  return opening.then(
    () => Promise.reject(new Error("it opened")),
    (error: unknown) => {
      if (error instanceof SseRefused) return error;
      throw error;
    },
  );
}

export async function ended(t: TestApp, reason: string): Promise<number> {
  const metric = await t.metrics.getSingleMetric("plumbline_live_streams_ended_total")?.get();
  return metric?.values.find(({ labels }) => labels["reason"] === reason)?.value ?? 0;
}

/** Stores an alert as the pipeline does. */
export const keepAlert = (t: TestApp, id: string, more: object = {}) =>
  t.records.pipeline.commit(commit(1, { alerts: [alert(id, { projectId: P1, ...more })] }));

export const addJob = (t: TestApp, id: string, kind: string, projectId: ProjectId) =>
  t.records.jobs.add({
    id: id as JobId,
    kind,
    projectId,
    input: null,
    dedupeKey: undefined,
    lane: undefined,
    joinCompletedMs: 0,
    priority: 0,
    maxAttempts: 1,
    workUnits: 1,
  });
