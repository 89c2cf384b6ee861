import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import type {
  LoggedConnection,
  LoggedMessage,
} from "../../../../storage/ports/equipment/device-log.ts";
import { ADMIN_KEY, NOON_MS, openTestApp } from "../../../support/api-app.ts";

const connection = (
  assetId: AssetId | undefined,
  sequence: number,
  change: Partial<LoggedConnection> = {},
): LoggedConnection => ({
  assetId,
  sequence,
  atMs: NOON_MS + sequence,
  address: "192.0.2.7",
  listener: "mqtts",
  protocolLevel: 4,
  outcome: "wrong_password",
  detail: undefined,
  clientId: "tracker-7",
  username: assetId,
  ...change,
});

const message = (i: number, change: Partial<LoggedMessage> = {}): LoggedMessage => ({
  receivedAtMs: NOON_MS + i,
  topic: "sites/p1/assets/a1/telemetry",
  payloadBytes: 120,
  qos: 1,
  outcome: "stored",
  reason: undefined,
  readings: 1,
  newestFixMs: NOON_MS,
  ...change,
});

describe("GET /assets/{id}/connections", () => {
  it("GET /assets/{id}/connections lists the attempts and ends of the asset, newest first, as far as they are known", async () => {
    await using site = await openTestApp();
    const id = await site.asset({ project_id: await site.project() });
    const bare = { protocolLevel: undefined, clientId: undefined, username: undefined };
    await site.records.connections.add([
      connection(id, 1),
      connection(id, 2, { listener: "broker", address: "", ...bare }),
      connection("another" as AssetId, 3),
    ]);
    const url = `/api/v1/equipment/assets/${id}/connections`;
    const answer = await site.get(url, ADMIN_KEY);
    expect(answer.statusCode).toBe(200);
    const first = {
      at: "2026-03-05T12:00:00.001Z",
      outcome: "wrong_password",
      listener: "mqtts",
      address: "192.0.2.7",
      protocol_level: 4,
      client_id: "tracker-7",
      username: id,
    };
    const second = {
      at: "2026-03-05T12:00:00.002Z",
      outcome: "wrong_password",
      listener: "broker",
    };
    expect(answer.json()).toEqual({
      data: [second, first],
      pagination: { page: 1, limit: 100, total: 2, has_more: false },
    });
    expect((await site.get(`${url}?limit=1&offset=1`, ADMIN_KEY)).json()).toEqual({
      data: [first],
      pagination: { page: 2, limit: 1, total: 2, has_more: false },
    });
    expect((await site.get(`${url}?sort=at`, ADMIN_KEY)).json().data).toEqual([first, second]);
    expect((await site.get(`${url}?sort=outcome`, ADMIN_KEY)).statusCode).toBe(400);
  });

  it("GET /assets/{id}/connections shows another tenant neither an asset nor its messages", async () => {
    await using site = await openTestApp();
    const id = await site.asset({ project_id: await site.project() });
    const other = await site.project({ id: "theirs" as ProjectId });
    const key = await site.key({ scopes: ["equipment:read"], project_ids: [other] });
    for (const list of ["connections", "messages"]) {
      const answer = await site.get(`/api/v1/equipment/assets/${id}/${list}`, key);
      expect([list, answer.statusCode]).toEqual([list, 404]);
    }
  });
});

describe("GET /unknown-connections", () => {
  it("GET /unknown-connections is for administrators of every project alone", async () => {
    await using site = await openTestApp();
    const projectId = await site.project();
    await site.records.connections.add([connection(undefined, 1, { outcome: "unknown_user" })]);
    const url = "/api/v1/equipment/unknown-connections";
    const admin = await site.get(url, ADMIN_KEY);
    expect(admin.json()).toMatchObject({ data: [{ outcome: "unknown_user" }] });
    await site.records.connections.add([connection(undefined, 2, { outcome: "tls_failed" })]);
    for (const [sort, first] of [
      ["at", "unknown_user"],
      ["-at", "tls_failed"],
    ]) {
      const { data } = (await site.get(`${url}?sort=${sort}&limit=1`, ADMIN_KEY)).json();
      expect([sort, data[0].outcome]).toEqual([sort, first]);
    }
    const statusOf = async (key: Parameters<typeof site.key>[0]) =>
      (await site.get(url, await site.key(key))).statusCode;
    expect(await statusOf({ scopes: ["equipment:read", "equipment:write"] })).toBe(403);
    expect(await statusOf({ scopes: ["admin"], project_ids: [projectId] })).toBe(403);
  });
});

describe("GET /assets/{id}/messages", () => {
  it("GET /assets/{id}/messages merges what the ingest processes remember, newest first", async () => {
    const asked: AssetId[] = [];
    await using site = await openTestApp({
      messageViews: async (assetId) => {
        asked.push(assetId);
        const unread = { reason: "not JSON", readings: 0, newestFixMs: undefined } as const;
        return [
          { sinceMs: NOON_MS - 2_000, messages: [message(3), message(1)] },
          {
            sinceMs: NOON_MS - 1_000,
            messages: [message(2, { outcome: "quarantined", ...unread })],
          },
        ];
      },
    });
    const id = await site.asset({ project_id: await site.project() });
    const answer = await site.get(`/api/v1/equipment/assets/${id}/messages?limit=2`, ADMIN_KEY);
    const shown = { topic: "sites/p1/assets/a1/telemetry", payload_bytes: 120, qos: 1 };
    expect(answer.json()).toEqual({
      data: [
        {
          ...shown,
          received_at: "2026-03-05T12:00:00.003Z",
          outcome: "stored",
          readings: 1,
          newest_fix_at: "2026-03-05T12:00:00.000Z",
        },
        {
          ...shown,
          received_at: "2026-03-05T12:00:00.002Z",
          outcome: "quarantined",
          reason: "not JSON",
          readings: 0,
        },
      ],
      pagination: { page: 1, limit: 2, total: 3, has_more: true },
      recorded_since: "2026-03-05T11:59:58.000Z",
    });
    expect(asked).toEqual([id]);
    const oldest = await site.get(
      `/api/v1/equipment/assets/${id}/messages?sort=received_at&limit=1`,
      ADMIN_KEY,
    );
    expect(oldest.json().data).toMatchObject([{ received_at: "2026-03-05T12:00:00.001Z" }]);
  });

  it("GET /assets/{id}/messages is empty without a time when no ingest process answers", async () => {
    await using site = await openTestApp();
    const id = await site.asset({ project_id: await site.project() });
    const answer = await site.get(`/api/v1/equipment/assets/${id}/messages`, ADMIN_KEY);
    expect(answer.json()).toEqual({
      data: [],
      pagination: { page: 1, limit: 100, total: 0, has_more: false },
    });
  });
});
