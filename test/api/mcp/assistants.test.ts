import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import type { AssetId, JobId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import type { ApiKey } from "../../../domain/platform/api-key.ts";
import { report } from "../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { putAlert } from "../../support/put-alert.ts";
import { sampleMeasurement, sampleStockpile } from "../../support/sample-stockpile.ts";

type Assistants = "read" | "write";

const HARBOUR = "harbour" as ProjectId;
const DIGGER = "digger-1" as AssetId;
const READ = ["equipment:read", "materials:read", "progress:read"] as const;

/** An app with a project, a machine, a stockpile, a report and an alert, and one project more. */
async function openSite(assistants: Assistants = "read"): Promise<TestApp> {
  const t = await openTestApp({ assistants, publicUrl: "https://site.example" });
  await t.project({ id: HARBOUR, name: "Harbour" });
  await t.asset({ project_id: HARBOUR, id: DIGGER, name: "Digger 1" });
  await t.project({ id: "quarry" as ProjectId, name: "Quarry" });
  await t.asset({ project_id: "quarry" as ProjectId, id: "loader-9" as AssetId, name: "Loader 9" });
  const pile = sampleStockpile({ id: "gravel" as StockpileId, project_id: HARBOUR });
  await t.records.stockpiles.insert(pile);
  await t.records.stockpiles.addMeasurement(pile.id, "job_1" as JobId, (before) => ({
    stockpile: { ...before, current_volume_m3: 1_234.567, volume_basis: "measured" },
    measurement: sampleMeasurement(before, "job_1" as JobId),
    events: [],
  }));
  const made = report("r1", {
    project_id: HARBOUR,
    interval_95: [38, 61],
    seen_share: 0.8,
    seen_interval_95: [40, 43],
  });
  t.records.rows.reports.push({ report: made, supersededBy: undefined });
  putAlert(t, "alr_1", { projectId: HARBOUR, assetId: DIGGER });
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  return t;
}

/** The SDK's own client over real HTTP, as any assistant connects. */
async function connect(t: TestApp, key: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  // Its optional members may be undefined, which exactOptionalPropertyTypes tells apart.
  const transport = new StreamableHTTPClientTransport(new URL(`${t.app.listeningOrigin}/mcp`), {
    requestInit,
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

async function ask(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content as readonly { readonly text: string }[];
  const data = (result.structuredContent ?? {}) as Answer["data"];
  return { text: content?.text ?? "", data, isError: result.isError === true };
}

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe("assistants at /mcp", () => {
  it("an assistant reads the volume of a stockpile with its interval, its time, its source and its warnings", async () => {
    await using t = await openSite();
    await using client = await connect(t, await t.key({ scopes: [...READ] }));
    const { text, data } = await ask(client, "stockpile_volume", { stockpile_id: "gravel" });
    expect(text).toContain("1234.567 m3 +- 17.284 m3 (95 %)");
    expect(text).toContain("2026-03-05T09:30:00.000Z");
    expect(text).toContain("Source: GET https://site.example/api/v1/materials/stockpiles/gravel");
    expect(data["sources"]).toHaveLength(2);
    expect(data["stockpile"]).toMatchObject({ id: "gravel", volume_basis: "measured" });
  });

  it("progress is reported with its interval, the share that was seen, and the plan", async () => {
    await using t = await openSite();
    await using client = await connect(t, ADMIN_KEY);
    const { text } = await ask(client, "project_progress", { project_id: HARBOUR });
    expect(text).toContain("41.3 % complete, 95 % interval 40 to 43 %, of the 80 % of the project");
    expect(text).toContain("95 % interval 38 to 61 %");
    expect(text).toContain("Planned by then: 50 %");
    const none = await ask(client, "project_progress", { project_id: "quarry" });
    expect(none.text).toContain("is not known");
    expect(none.data["report"]).toBeNull();
  });

  it("a machine that never sent a position has a registered place, and where it was is not known", async () => {
    await using t = await openSite();
    await using client = await connect(t, ADMIN_KEY);
    const found = await ask(client, "find_machines", { name: "DIGGER" });
    expect(found.text).toContain("Machines that match: 1.");
    expect(found.text).toContain("never sent a position; its registered place is");
    expect(found.text).not.toContain("Loader");
    const asked = { asset_id: DIGGER, at: "2026-03-05T11:00:00Z" };
    const was = await ask(client, "where_was_machine", asked);
    expect(was.text).toContain("where it was is not known");
    expect(was.data).toMatchObject({ before: null, after: null });
  });

  it("where a machine was is the measured position before and the one after, with their times", async () => {
    await using t = await openSite();
    const at = (minutes: number, latitude: number) => ({
      assetId: DIGGER,
      projectId: HARBOUR,
      seq: -1,
      payloadHash: 0,
      fields: { latitude, longitude: 9.9, accuracy_meters: 3 },
      fixTimeMs: NOON_MS + minutes * 60_000,
    });
    await t.telemetry.write([at(-2, 53.5), at(3, 53.6)], { journalId: "j", sequence: 1 });
    await using client = await connect(t, ADMIN_KEY);
    const asked = { asset_id: DIGGER, at: new Date(NOON_MS).toISOString() };
    t.clock.ms = NOON_MS + 3_600_000;
    const { text } = await ask(client, "where_was_machine", asked);
    expect(text).toContain(
      "Last before it was at 53.500000, 9.900000 at 2026-03-05T11:58:00.000Z, accurate to 3 m.",
    );
    expect(text).toContain("First after it was at 53.600000, 9.900000 at 2026-03-05T12:03:00.000Z");
  });

  it("a key is offered the tools of its scopes, and sees nothing of other projects", async () => {
    await using t = await openSite();
    const secret = await t.key({
      scopes: ["equipment:read"],
      project_ids: ["quarry" as ProjectId],
    });
    await using client = await connect(t, secret);
    expect(await names(client)).toEqual([
      "list_projects",
      "find_machines",
      "where_was_machine",
      "machine_use",
      "open_alerts",
    ]);
    const machines = await ask(client, "find_machines");
    expect(machines.text).toContain("Loader 9");
    expect(machines.text).not.toContain("Digger");
    const alerts = await ask(client, "open_alerts");
    expect(alerts.text).toContain("No alert is open");
    const foreign = await ask(client, "machine_use", { asset_id: DIGGER });
    expect(foreign).toMatchObject({ isError: true });
    expect(foreign.text).toContain("404");
    const volume = await ask(client, "stockpile_volume", { stockpile_id: "gravel" });
    expect(volume).toMatchObject({ isError: true });
    expect(volume.text).toContain("no tool stockpile_volume for this key");
  });

  it("nothing can be changed unless ASSISTANTS=write, and then by keys that may write alone", async () => {
    const args = { alert_ids: ["alr_1"], note: "seen by the shift" };
    const writer: Partial<ApiKey> = { scopes: ["equipment:read", "equipment:write"] };
    await using reads = await openSite("read");
    await using reader = await connect(reads, await reads.key(writer));
    expect(await names(reader)).not.toContain("acknowledge_alerts");
    expect(await ask(reader, "acknowledge_alerts", args)).toMatchObject({ isError: true });
    expect(reads.records.rows.alerts.values().next().value).toMatchObject({ state: "open" });

    await using writes = await openSite("write");
    await using weak = await connect(writes, await writes.key({ scopes: ["equipment:read"] }));
    expect(await names(weak)).not.toContain("acknowledge_alerts");
    await using strong = await connect(writes, await writes.key(writer));
    expect(await names(strong)).toContain("acknowledge_alerts");
    const { text } = await ask(strong, "acknowledge_alerts", args);
    expect(text).toContain("Acknowledged now: 1. Acknowledged before: 0.");
    const [alert] = writes.records.rows.alerts.values();
    expect(alert).toMatchObject({ state: "acknowledged", note: "seen by the shift" });
  });

  it.each([
    ["an argument that there is not", { asset: "x" }, "has no argument asset"],
    ["a time without its zone", { asset_id: "digger-1", at: "noon" }, "argument at"],
    ["an argument that is missing", { asset_id: "digger-1" }, "at"],
  ])("%s is refused in words", async (_what, args, words) => {
    await using t = await openSite();
    await using client = await connect(t, ADMIN_KEY);
    const answer = await ask(client, "where_was_machine", args);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain(words);
  });

  it("a request needs a key, comes from no page of others, and finds neither streams nor sessions", async () => {
    await using t = await openSite();
    const key = await t.key();
    const hello = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const accept = "application/json, text/event-stream";
    const post = (secret: string | undefined, headers = {}) =>
      t.send("POST", "/mcp", secret, hello, { accept, ...headers });
    expect((await post(undefined)).statusCode).toBe(401);
    expect((await post("wrong")).statusCode).toBe(401);
    expect((await post(key, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await post(key)).statusCode).toBe(200);
    expect((await t.get("/mcp", key)).statusCode).toBe(405);
    await using without = await openTestApp();
    expect((await without.send("POST", "/mcp", ADMIN_KEY, hello, { accept })).statusCode).toBe(404);
  });
});
