import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { hashSecret } from "../../../../domain/platform/secret-hash.ts";
import { ADMIN_KEY, openTestApp, PEPPER, type TestApp } from "../../../support/api-app.ts";
import { sharedTestApp } from "../../../support/shared-app.ts";

const ASSETS = "/api/v1/equipment/assets";

async function withProject(t: TestApp) {
  return { project_id: await t.project({ id: "p1" as ProjectId }) };
}

function secretHashOf(t: TestApp, id: string): string {
  return Buffer.from(t.records.rows.assets.get(id as AssetId)?.secretHash ?? []).toString("hex");
}

const hashHex = (secret: string) => Buffer.from(hashSecret(PEPPER, secret)).toString("hex");

describe("POST /equipment/assets", () => {
  const shared = sharedTestApp(async () => {
    const t = await openTestApp();
    await withProject(t);
    return t;
  });

  it("POST /equipment/assets answers 201 with the asset and, once, its MQTT credentials, and stores only their hash", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = {
      id: "EX-7",
      name: "Excavator 7",
      type: "excavator",
      project_id,
      location: { latitude: 1, longitude: 2 },
      unknown: "ignored",
    };

    const response = await t.send("POST", ASSETS, ADMIN_KEY, body);
    const created = response.json();
    const read = await t.get(`${ASSETS}/EX-7`, ADMIN_KEY);

    expect(response.statusCode).toBe(201);
    expect(response.headers).toMatchObject({
      location: "/api/v1/equipment/assets/EX-7",
      "cache-control": "no-store",
    });
    const { mqtt, ...asset } = created;
    expect(mqtt).toEqual({
      username: "EX-7",
      password: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      topic: "sites/p1/assets/EX-7/telemetry",
    });
    expect(asset).toEqual({
      id: "EX-7",
      name: "Excavator 7",
      type: "excavator",
      status: "idle",
      location: { latitude: 1, longitude: 2 },
      last_update: "2026-03-05T12:00:00.000Z",
      utilization_today: 0,
      zone: "",
      location_source: "registered",
      heading: null,
      speed_kmh: null,
      accuracy_meters: null,
      last_fix_at: null,
      connection: { link: "unknown", status: "unknown" },
      utilization: { basis: "none", lower: 0, upper: 100, seen_percent: 0 },
      project_id: "p1",
      decoder: "plumbline",
      maintenance: false,
      liveness_timeout_s: 900,
      registered_location: { latitude: 1, longitude: 2 },
      created_at: "2026-03-05T12:00:00.000Z",
      updated_at: "2026-03-05T12:00:00.000Z",
      latest: {},
      identities: {},
      fault_codes: [],
    });
    expect(read.json()).toEqual(asset);
    expect(secretHashOf(t, "EX-7")).toBe(hashHex(mqtt.password));
  });

  it("GET /equipment/assets?search= finds machines by a part of the name or id, in any case, page by page", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    await t.asset({ project_id, id: "EX-7" as AssetId, name: "Bagger Süd" });
    await t.asset({ project_id, id: "ex-8" as AssetId, name: "Radlader" });
    await t.asset({ project_id, id: "van" as AssetId, name: "Express %_" });
    const found = async (search: string, more = "") => {
      const query = `search=${encodeURIComponent(search)}${more}`;
      const { data, pagination } = (await t.get(`${ASSETS}?${query}`, ADMIN_KEY)).json();
      return [data.map(({ id }: { id: string }) => id).toSorted(), pagination?.total];
    };
    expect(await found("EX")).toEqual([["EX-7", "ex-8", "van"], undefined]);
    expect(await found("ex-")).toEqual([["EX-7", "ex-8"], undefined]);
    expect(await found("SÜD")).toEqual([["EX-7"], undefined]);
    // Signs that a database or a regular expression reads otherwise are signs.
    expect(await found("%_")).toEqual([["van"], undefined]);
    expect(await found(".")).toEqual([[], undefined]);
    expect(await found("ex", "&limit=1")).toEqual([[expect.any(String)], 3]);
    const other = await t.key({ project_ids: [await t.project()] });
    expect((await t.get(`${ASSETS}?search=ex`, other)).json().data).toEqual([]);
    const tooLong = await t.get(`${ASSETS}?search=${"x".repeat(201)}`, ADMIN_KEY);
    expect(tooLong.statusCode).toBe(400);
  });

  it("POST /equipment/assets names the topic of the format that the device speaks", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { id: "van", name: "Van", type: "van", project_id, decoder: "owntracks" };
    const made = await t.send("POST", ASSETS, ADMIN_KEY, body);
    expect(made.json().mqtt.topic).toBe("sites/p1/assets/van/owntracks");
    await t.send("PATCH", `${ASSETS}/van`, ADMIN_KEY, { decoder: "plumbline" });
    const rotated = await t.send("POST", `${ASSETS}/van/credentials`, ADMIN_KEY);
    expect(rotated.json().mqtt.topic).toBe("sites/p1/assets/van/telemetry");
  });

  it("POST /equipment/assets makes an id when none is given, and 409 id_taken of one that is taken", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { name: "Van", type: "van", project_id };
    const made = await t.send("POST", ASSETS, ADMIN_KEY, body);
    const again = await t.send("POST", ASSETS, ADMIN_KEY, { ...body, id: made.json().id });
    expect(made.json().id).toMatch(/^ast_[0-9A-Za-z]{16}$/);
    expect(again.statusCode).toBe(409);
    expect(again.json().error.code).toBe("id_taken");
  });

  it.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["an id with a slash", { id: "a/b" }, "id"],
    ["an id of 65 characters", { id: "x".repeat(65) }, "id"],
    ["a latitude of 91", { location: { latitude: 91, longitude: 0 } }, "location.latitude"],
    ["a number as text", { location: { latitude: "1", longitude: 0 } }, "location.latitude"],
    ["an unknown decoder", { decoder: "morse" }, "decoder"],
    [
      "a list of AVL ids that nobody has",
      { decoder_options: { teltonika_ids: "fmb630" } },
      "decoder_options",
    ],
    ["an empty hardware id", { hardware_id: "" }, "hardware_id"],
    ["a hardware id that ends with a space", { hardware_id: "a " }, "hardware_id"],
    ["a hardware id that begins with a space", { hardware_id: " a" }, "hardware_id"],
    ["a hardware id with a wildcard of one level", { hardware_id: "a/+/b" }, "hardware_id"],
    ["a hardware id with a wildcard of all levels", { hardware_id: "a/#" }, "hardware_id"],
    ["a hardware id with NUL", { hardware_id: "a\0" }, "hardware_id"],
    ["a hardware id with a line break", { hardware_id: "a\n" }, "hardware_id"],
    ["a hardware id of 129 characters", { hardware_id: "x".repeat(129) }, "hardware_id"],
    ["a hardware id of null", { hardware_id: null }, "hardware_id"],
    ["maintenance as text", { maintenance: "true" }, "maintenance"],
    ["a time-out of 59 s", { liveness_timeout_s: 59 }, "liveness_timeout_s"],
    ["a time-out over a week", { liveness_timeout_s: 604_801 }, "liveness_timeout_s"],
  ])("POST /equipment/assets refuses %s with 400 and names the field", async (_name, change, parameter) => {
    const { t } = shared;
    const body = { name: "Van", type: "van", project_id: "p1", ...change };
    const response = await t.send("POST", ASSETS, ADMIN_KEY, body);
    expect(response.statusCode).toBe(400);
    const { error } = response.json();
    expect(error.code).toBe("invalid_parameter");
    const named = error.details.map(
      (detail: { parameter: string; message: string }) => `${detail.parameter} ${detail.message}`,
    );
    expect(named.join("; ")).toContain(parameter);
    expect(t.records.rows.assets.size).toBe(0);
  });

  it.each([
    ["broken JSON", "application/json", "{", "invalid_request"],
    ["no body", "application/json", "", "invalid_parameter"],
    ["a list", "application/json", "[]", "invalid_parameter"],
    ["null", "application/json", "null", "invalid_parameter"],
    ["XML", "application/xml", "<a/>", "invalid_request"],
    ["__proto__", "application/json", '{"__proto__":{"admin":true}}', "invalid_request"],
    [
      "constructor.prototype",
      "application/json",
      '{"constructor":{"prototype":{}}}',
      "invalid_request",
    ],
    ["100,000 nested arrays", "application/json", "[".repeat(100_000), "invalid_request"],
    ["1e400", "application/json", '{"location":{"latitude":1e400}}', "invalid_parameter"],
    ["over 1 MiB", "application/json", `{"name":"${"x".repeat(1_048_576)}"}`, "payload_too_large"],
  ])("POST /equipment/assets refuses %s with 400", async (_name, type, payload, code) => {
    const { t } = shared;
    const response = await t.app.inject({
      method: "POST",
      url: ASSETS,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": type },
      payload,
    });
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(response.headers["x-ratelimit-limit"]).toBe("10000");
    expect({}).not.toHaveProperty("admin");
  });
});

describe("an asset", () => {
  it("an asset shows what its machine reported last, its hours and its faults", async () => {
    await using t = await openTestApp();
    const asset = await t.asset(await withProject(t));
    const fixTimeMs = Date.UTC(2026, 2, 5, 11);
    t.live(asset, {
      latest: { fuel_level_percent: { value: 61.5, fixTimeMs } },
      faults: [{ spn: 110, fmi: 3 }],
      engineHours: { value: 1234.5, source: "machine" },
    });
    const detail = (await t.get(`${ASSETS}/${asset}`, ADMIN_KEY)).json();
    expect(detail).toMatchObject({
      latest: { fuel_level_percent: { value: 61.5, timestamp: "2026-03-05T11:00:00.000Z" } },
      fault_codes: [{ spn: 110, fmi: 3 }],
      engine_hours: { value: 1234.5, source: "machine" },
    });
  });

  it("an asset has no engine hours until its engine state is reported", async () => {
    await using t = await openTestApp();
    const asset = await t.asset(await withProject(t));
    const hours = async () => (await t.get(`${ASSETS}/${asset}`, ADMIN_KEY)).json().engine_hours;
    const fixTimeMs = Date.UTC(2026, 2, 5, 11);
    const none = { value: 0, source: "accumulated" } as const;

    // Said once: whether it ran before or after nobody knows.
    t.live(asset, { latest: { engine_on: { value: 1, fixTimeMs } }, engineHours: undefined });
    expect(await hours()).toBeUndefined();
    t.live(asset, { latest: { engine_on: { value: 0, fixTimeMs } }, engineHours: none });
    expect(await hours()).toEqual(none);
  });

  it("an asset changes only in the fields that PATCH names", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const location = { latitude: 1, longitude: 2 };
    const asset = await t.asset({ project_id, location });
    t.clock.ms += 1_000;
    const url = `${ASSETS}/${asset}`;

    const inMaintenance = await t.send("PATCH", url, ADMIN_KEY, { maintenance: true });
    const unplaced = await t.send("PATCH", url, ADMIN_KEY, { location: null });

    expect(inMaintenance.json()).toMatchObject({
      name: "Excavator 7",
      status: "maintenance",
      maintenance: true,
      registered_location: location,
      updated_at: "2026-03-05T12:00:01.000Z",
    });
    expect(unplaced.json()).not.toHaveProperty("registered_location");
    expect(unplaced.json()).toMatchObject({
      maintenance: true,
      location: { latitude: 53.5, longitude: 9.9 },
    });
    expect((await t.get(ASSETS, ADMIN_KEY)).json().data).toMatchObject([{ status: "maintenance" }]);
  });

  it("an asset has a hardware id until PATCH takes it away, which no other asset may have", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const hardware_id = `!"$%&'()*,-./0:;<=>?@A[\\]^_\`a{|}~ ${"x".repeat(94)}`;
    expect(hardware_id).toHaveLength(128);
    const van = { name: "Van", type: "van", project_id: await t.project(), hardware_id };
    const first = await t.send("POST", ASSETS, ADMIN_KEY, { ...van, id: "first", project_id });
    const second = await t.send("POST", ASSETS, ADMIN_KEY, { ...van, id: "second" });
    expect([first.statusCode, first.json().hardware_id]).toEqual([201, hardware_id]);
    expect([second.statusCode, second.json().error]).toMatchObject([
      409,
      { code: "id_taken", message: "hardware_id is taken by another asset" },
    ]);
    const other = { ...van, id: "second", hardware_id: "group/edge" };
    expect((await t.send("POST", ASSETS, ADMIN_KEY, other)).statusCode).toBe(201);
    const patch = (id: string, body: object) => t.send("PATCH", `${ASSETS}/${id}`, ADMIN_KEY, body);
    expect((await patch("second", { hardware_id })).statusCode).toBe(409);
    expect((await patch("second", { hardware_id: "a b " })).statusCode).toBe(400);
    expect((await patch("first", { name: "Renamed" })).json()).toMatchObject({ hardware_id });
    const without = await patch("first", { hardware_id: null });
    expect(without.statusCode).toBe(200);
    expect(without.json()).not.toHaveProperty("hardware_id");
    expect((await patch("second", { hardware_id })).json()).toMatchObject({ hardware_id });
    expect((await t.get(`${ASSETS}/second`, ADMIN_KEY)).json()).toMatchObject({ hardware_id });
    await t.send("DELETE", `${ASSETS}/second`, ADMIN_KEY);
    expect((await patch("first", { hardware_id })).json()).toMatchObject({ hardware_id });
  });

  it("an asset keeps the options of its decoder until PATCH takes them away", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const decoder_options = { teltonika_ids: "fmx6" };
    const body = { id: "lorry", name: "Lorry", type: "lorry", project_id, decoder_options };
    const made = await t.send("POST", ASSETS, ADMIN_KEY, body);
    expect(made.json()).toMatchObject({ decoder_options, identities: {} });
    const patch = (change: object) => t.send("PATCH", `${ASSETS}/lorry`, ADMIN_KEY, change);
    expect((await patch({ name: "Lorry 7" })).json()).toMatchObject({ decoder_options });
    const cleared = await patch({ decoder_options: null });
    expect(cleared.statusCode).toBe(200);
    expect(cleared.json()).not.toHaveProperty("decoder_options");
  });

  it("an asset has the data of the machine's plate until PATCH removes it", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const plate = { make: "BELL", model: "B50E", serial_number: "AEBA 850-EC03509823" };
    const body = { id: "b50e", name: "Dumper", type: "dumper", project_id, ...plate };
    expect((await t.send("POST", ASSETS, ADMIN_KEY, body)).json()).toMatchObject(plate);
    const patch = (change: object) => t.send("PATCH", `${ASSETS}/b50e`, ADMIN_KEY, change);
    expect((await patch({ model: "B60E" })).json()).toMatchObject({ ...plate, model: "B60E" });
    expect((await patch({ make: "" })).statusCode).toBe(400);
    const without = (await patch({ make: null, model: null, serial_number: null })).json();
    for (const name of Object.keys(plate)) expect(without).not.toHaveProperty(name);
  });

  it("an asset keeps both of two changes that come at once", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const url = `${ASSETS}/${await t.asset({ project_id })}`;
    await Promise.all([
      t.send("PATCH", url, ADMIN_KEY, { maintenance: true }),
      t.send("PATCH", url, ADMIN_KEY, { name: "Loader 3" }),
    ]);
    expect((await t.get(url, ADMIN_KEY)).json()).toMatchObject({
      name: "Loader 3",
      maintenance: true,
    });
  });

  it("an asset moves to another project, in every list", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const second = await t.project();
    const asset = await t.asset({ project_id });
    await t.get(ASSETS, ADMIN_KEY);
    await t.send("PATCH", `${ASSETS}/${asset}`, ADMIN_KEY, { project_id: second });
    const before = (await t.get(`${ASSETS}?project_id=${project_id}`, ADMIN_KEY)).json();
    const after = (await t.get(`${ASSETS}?project_id=${second}`, ADMIN_KEY)).json();
    expect(before.data).toEqual([]);
    expect(after.data).toMatchObject([{ id: asset }]);
  });

  it("an asset is gone after DELETE, and its id stays taken", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const kept = await t.asset({ project_id });
    const asset = await t.asset({ project_id });
    await t.get(ASSETS, ADMIN_KEY);

    const deleted = await t.send("DELETE", `${ASSETS}/${asset}`, ADMIN_KEY);
    const read = await t.get(`${ASSETS}/${asset}`, ADMIN_KEY);
    const list = (await t.get(ASSETS, ADMIN_KEY)).json();
    const body = { id: asset, name: "Van", type: "van", project_id };
    const again = await t.send("POST", ASSETS, ADMIN_KEY, body);

    expect([deleted.statusCode, deleted.body]).toEqual([204, ""]);
    expect(read.statusCode).toBe(404);
    expect(list.data).toMatchObject([{ id: kept }]);
    expect(list.data).toHaveLength(1);
    expect(again.statusCode).toBe(409);
  });

  it("an asset gets a new password by rotation, and the old hash is gone", async () => {
    await using t = await openTestApp();
    const asset = await t.asset(await withProject(t));
    const first = await t.send("POST", `${ASSETS}/${asset}/credentials`, ADMIN_KEY);
    const second = await t.send("POST", `${ASSETS}/${asset}/credentials`, ADMIN_KEY);
    expect([first.statusCode, first.headers["cache-control"]]).toEqual([201, "no-store"]);
    expect(first.json().mqtt.password).not.toBe(second.json().mqtt.password);
    expect(secretHashOf(t, asset)).toBe(hashHex(second.json().mqtt.password));
  });
});

describe("Idempotency-Key", () => {
  const once = { "idempotency-key": "order-1" };

  it("Idempotency-Key repeats the first answer without its secret, and registers nothing twice", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { name: "Van", type: "van", project_id };

    const first = await t.send("POST", ASSETS, ADMIN_KEY, body, once);
    const second = await t.send("POST", ASSETS, ADMIN_KEY, body, once);

    expect(first.json().mqtt.password).toHaveLength(32);
    expect([second.statusCode, second.headers["idempotent-replayed"]]).toEqual([201, "true"]);
    const { mqtt, ...asset } = second.json();
    const { mqtt: shown, ...same } = first.json();
    expect(asset).toEqual(same);
    expect(mqtt).toEqual({
      username: shown.username,
      topic: shown.topic,
      hint: expect.stringContaining("/credentials"),
    });
    expect(t.records.rows.assets.size).toBe(1);
    const stored = JSON.stringify([...t.records.rows.answers.values()]);
    expect(stored).not.toContain(shown.password);
  });

  it("stores no API key either", async () => {
    await using t = await openTestApp();
    const body = { name: "reader", scopes: ["equipment:read"] };
    const first = await t.send("POST", "/api/v1/keys", ADMIN_KEY, body, once);
    const second = await t.send("POST", "/api/v1/keys", ADMIN_KEY, body, once);
    expect(second.json()).toMatchObject({ id: first.json().id, hint: expect.any(String) });
    expect(second.json()).not.toHaveProperty("key");
    expect(JSON.stringify([...t.records.rows.answers.values()])).not.toContain(first.json().key);
  });

  it("Idempotency-Key refuses another request under the same key with 409", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { name: "Van", type: "van", project_id };
    await t.send("POST", ASSETS, ADMIN_KEY, body, once);
    const other = await t.send("POST", ASSETS, ADMIN_KEY, { ...body, name: "Crane" }, once);
    expect([other.statusCode, other.json().error.code]).toEqual([409, "conflict"]);
  });

  it("belongs to one API key and one path", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { name: "Van", type: "van", project_id };
    const answers = [
      await t.send("POST", ASSETS, ADMIN_KEY, body, once),
      await t.send("POST", ASSETS, await t.key(), body, once),
      await t.send("POST", "/api/v1/keys", ADMIN_KEY, { name: "x", scopes: ["admin"] }, once),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201]);
    expect(t.records.rows.assets.size).toBe(2);
  });

  it("Idempotency-Key may be used again after a request that failed", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const absent = { name: "Van", type: "van", project_id: "absent" };
    const failed = await t.send("POST", ASSETS, ADMIN_KEY, absent, once);
    const body = { name: "Van", type: "van", project_id };
    const worked = await t.send("POST", ASSETS, ADMIN_KEY, body, once);
    expect([failed.statusCode, worked.statusCode]).toEqual([404, 201]);
  });

  it("Idempotency-Key lets a repetition wait for the first request", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const { transaction } = t.records;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    t.records.transaction = async (work) => {
      await gate;
      return await transaction(work);
    };
    const body = { name: "Van", type: "van", project_id };
    const first = t.send("POST", ASSETS, ADMIN_KEY, body, once);
    const second = t.send("POST", ASSETS, ADMIN_KEY, body, once);
    release();
    const [one, two] = await Promise.all([first, second]);
    expect([one.statusCode, two.statusCode]).toEqual([201, 201]);
    expect(one.json().id).toBe(two.json().id);
    expect(t.records.rows.assets.size).toBe(1);
  });

  it("Idempotency-Key refuses a body that is nested 100,000 deep with 400", async () => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const response = await t.app.inject({
      method: "POST",
      url: ASSETS,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        "content-type": "application/json",
        ...once,
      },
      payload: `{"name":"Van","type":"van","project_id":"${project_id}","x":${deep}}`,
    });
    expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_request"]);
  });

  it.each(["", "x".repeat(256)])("Idempotency-Key must have 1 to 255 characters", async (key) => {
    await using t = await openTestApp();
    const { project_id } = await withProject(t);
    const body = { name: "Van", type: "van", project_id };
    const response = await t.send("POST", ASSETS, ADMIN_KEY, body, { "idempotency-key": key });
    expect(response.statusCode).toBe(400);
    expect(t.records.rows.assets.size).toBe(0);
  });
});
