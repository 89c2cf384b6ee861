import { describe, expect, it } from "vitest";
import type { Command } from "../../../../domain/equipment/command.ts";
import { beginAttempt, takeAnswer } from "../../../../domain/equipment/command-steps.ts";
import type { AssetId, CommandId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { sharedTestApp } from "../../../support/shared-app.ts";

const URL = "/api/v1/equipment/assets/a1/commands";

async function openSite(options: Parameters<typeof openTestApp>[0] = {}): Promise<TestApp> {
  const t = await openTestApp(options);
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
  await t.asset({ id: "a1" as AssetId, project_id: "p1" as ProjectId });
  await t.asset({ id: "b1" as AssetId, project_id: "p2" as ProjectId });
  return t;
}

const post = async (t: TestApp, body: object, url = URL, key = ADMIN_KEY) =>
  await t.send("POST", url, key, body);

const sentOnce = (before: Command): Command | undefined =>
  beginAttempt(before, { attempt: 1, carrier: "mqtt", atMs: NOON_MS });

describe("commands of the API", () => {
  const shared = sharedTestApp(openSite);

  it("commands of the API are stored as queued for 24 hours, and the process with the device is woken", async () => {
    const woken: string[] = [];
    const commands = { added: (id: AssetId) => woken.push(id), hasExternalBroker: false };
    await using t = await openSite({ commands });

    const made = await post(t, { name: "set_interval", parameters: { seconds: 10 } });

    expect(made.statusCode).toBe(201);
    const body = made.json();
    expect(body).toEqual({
      id: expect.stringMatching(/^cmd_/),
      asset_id: "a1",
      project_id: "p1",
      name: "set_interval",
      parameters: { seconds: 10 },
      status: "queued",
      attempt: 0,
      max_attempts: 3,
      sequence: 1,
      created_by: "admin",
      created_at: new Date(NOON_MS).toISOString(),
      expires_at: new Date(NOON_MS + 86_400_000).toISOString(),
      changed_at: new Date(NOON_MS).toISOString(),
    });
    expect(made.headers["location"]).toBe(`${URL}/${body.id}`);
    expect(woken).toEqual(["a1"]);
    expect((await t.get(`${URL}/${body.id}`, ADMIN_KEY)).json()).toEqual(body);
    expect(
      t.records.rows.events.map(({ type, projectId, assetId }) => [type, projectId, assetId]),
    ).toEqual([["equipment.command.queued", "p1", "a1"]]);
  });

  it("commands of the API need a scope of their own to be sent and cancelled; reading them is equipment:read", async () => {
    await using t = await openSite();
    const { id } = (await post(t, { name: "reboot" })).json();
    const writer = await t.key({ scopes: ["equipment:write", "equipment:read"] });
    const commander = await t.key({ scopes: ["equipment:command"] });

    expect((await post(t, { name: "reboot" }, URL, writer)).statusCode).toBe(403);
    expect((await t.send("DELETE", `${URL}/${id}`, writer)).statusCode).toBe(403);
    expect((await t.get(URL, writer)).statusCode).toBe(200);
    expect((await t.get(URL, commander)).statusCode).toBe(403);
    expect((await post(t, { name: "reboot" }, URL, commander)).statusCode).toBe(201);
  });

  it("commands of the API of another tenant's asset are as absent as the asset", async () => {
    await using t = await openSite();
    const { id } = (await post(t, { name: "reboot" })).json();
    const key = await t.key({
      scopes: ["equipment:command", "equipment:read"],
      project_ids: ["p2" as ProjectId],
    });
    const own = "/api/v1/equipment/assets/b1/commands";

    expect((await post(t, { name: "reboot" }, URL, key)).statusCode).toBe(404);
    expect((await t.get(URL, key)).statusCode).toBe(404);
    // The id of the other's command under an asset of one's own.
    expect((await t.get(`${own}/${id}`, key)).statusCode).toBe(404);
    expect((await t.send("DELETE", `${own}/${id}`, key)).statusCode).toBe(404);
    expect(await t.records.commands.find(id)).toMatchObject({ state: "queued" });
  });

  it("commands of the API that a tenant gave an asset are not shown to the next owner of the asset", async () => {
    await using t = await openSite();
    const { id } = (await post(t, { name: "reboot" })).json();
    const moved = { project_id: "p2" };
    await t.send("PATCH", "/api/v1/equipment/assets/a1", ADMIN_KEY, moved);
    const key = await t.key({ scopes: ["equipment:read"], project_ids: ["p2" as ProjectId] });

    expect((await t.get(URL, key)).json().data).toEqual([]);
    expect((await t.get(`${URL}/${id}`, key)).statusCode).toBe(404);
    expect((await t.get(URL, ADMIN_KEY)).json().data).toHaveLength(1);
  });

  it("commands of the API are cancelled while they are queued; 409 afterwards names the status", async () => {
    await using t = await openSite();
    const ids = [];
    for (const name of ["one", "two"]) ids.push((await post(t, { name })).json().id);
    const [first, second] = ids as [CommandId, CommandId];
    await t.records.commands.update(first, sentOnce);

    const late = await t.send("DELETE", `${URL}/${first}`, ADMIN_KEY);
    const early = await t.send("DELETE", `${URL}/${second}`, ADMIN_KEY);

    expect([late.statusCode, late.json().error.code]).toEqual([409, "conflict"]);
    expect(late.json().error.message).toContain("is sent");
    expect([early.statusCode, early.json().status]).toEqual([200, "cancelled"]);
    expect((await t.send("DELETE", `${URL}/${second}`, ADMIN_KEY)).statusCode).toBe(409);
    const listed = (await t.get(`${URL}?status=cancelled`, ADMIN_KEY)).json();
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    expect(listed.pagination.total).toBe(1);
  });

  it("commands of the API show the device's answer, whatever JSON it is", async () => {
    await using t = await openSite();
    const { id } = (await post(t, { name: "reboot", parameters: null })).json();
    await t.records.commands.update(id, sentOnce);
    const answer = { encoding: "json", value: [1, null, { ok: true }], truncated: false } as const;
    await t.records.commands.update(id, (before) =>
      takeAnswer(before, { answer, refusal: undefined, atMs: NOON_MS + 5 }),
    );

    expect((await t.get(`${URL}/${id}`, ADMIN_KEY)).json()).toMatchObject({
      ...{ status: "answered", attempt: 1, carrier: "mqtt", parameters: null, answer },
      answered_at: new Date(NOON_MS + 5).toISOString(),
    });
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "x", expires_at: new Date(NOON_MS).toISOString() }, "expires_at"],
    [{ name: "x", expires_at: new Date(NOON_MS + 31 * 86_400_000).toISOString() }, "expires_at"],
    [{ name: "x", max_attempts: 11 }, "max_attempts"],
    [{ name: "x", parameters: "y".repeat(8_200) }, "parameters"],
  ])("commands of the API refuse %j by naming what is wrong", async (body, parameter) => {
    const { t } = shared;
    const refused = await post(t, body);

    expect(refused.statusCode).toBe(400);
    expect(JSON.stringify(refused.json().error)).toContain(parameter);
    expect(t.records.rows.commands.size).toBe(0);
  });

  it("commands of the API are refused where the device's protocol cannot carry them", async () => {
    await using t = await openSite();
    const asset = (id: string, decoder: "sparkplug" | "teltonika-codec8", hardware_id: string) =>
      t.asset({ id: id as AssetId, project_id: "p1" as ProjectId, decoder, hardware_id });
    await asset("tracker", "teltonika-codec8", "356307042441013");
    await asset("edge", "sparkplug", "yard/edge");
    const to = (id: string, body: object) =>
      post(t, body, `/api/v1/equipment/assets/${id}/commands`);

    const codes = [
      (await to("tracker", { name: "setdigout", parameters: { on: true } })).statusCode,
      (await to("tracker", { name: "getinfo\n" })).statusCode,
      (await to("edge", { name: "rate" })).statusCode,
      (await to("edge", { name: "rate", parameters: { value: 300, datatype: "UInt8" } }))
        .statusCode,
    ];
    const made = await to("tracker", { name: "setdigout", parameters: "1? 60" });

    expect(codes).toEqual([400, 400, 400, 400]);
    expect([made.statusCode, made.json().max_attempts]).toEqual([201, 1]);
  });

  it("commands of the API are refused with 409 beyond 100 open ones, and where devices are at an external broker", async () => {
    await using t = await openSite();
    for (let i = 0; i < 100; i += 1) await post(t, { name: `${i}` });
    const full = await post(t, { name: "more" });
    expect([full.statusCode, full.json().error.code]).toEqual([409, "conflict"]);
    expect(full.json().error.message).toContain("100 open commands");

    const commands = { added: () => undefined, hasExternalBroker: true };
    await using external = await openSite({ commands });
    const refused = await post(external, { name: "reboot" });
    expect(refused.statusCode).toBe(409);
    expect(refused.json().error.message).toContain("MQTT_URL");
  });
});
