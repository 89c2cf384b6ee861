import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { SCOPES } from "../../../domain/platform/api-key.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";
import { expectCheaperThanParsing } from "../../support/body-cost.ts";

const JSON_TYPE = { "content-type": "application/json" };

it("a request with an empty body of type application/json has no body", async () => {
  await using t = await openTestApp();
  const asset = await t.asset({ project_id: await t.project() });
  const answer = await t.app.inject({
    method: "POST",
    url: `/api/v1/equipment/assets/${asset}/credentials`,
    headers: { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` },
    payload: "",
  });
  expect(answer.statusCode).toBe(201);
});

it.each([
  ['{"name":', "not complete"],
  ['{"__proto__":{"admin":true},"name":"x"}', "reaching for the prototype"],
])("a request is answered with 400 to %s, which is %s", async (payload) => {
  await using t = await openTestApp();
  const answer = await t.app.inject({
    method: "POST",
    url: "/api/v1/projects",
    headers: { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` },
    payload,
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.code).toBe("invalid_request");
});

it("a request is answered with 400 to a required body that is empty", async () => {
  await using t = await openTestApp();
  const answer = await t.app.inject({
    method: "POST",
    url: "/api/v1/projects",
    headers: { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` },
    payload: "",
  });
  expect(answer.statusCode).toBe(400);
});

it.each([
  ["POST", "/api/v1/forwarders", "project_ids", 1_000],
  ["PATCH", "/api/v1/forwarders/fwd_1", "project_ids", 1_000],
  ["POST", "/api/v1/webhooks", "types", 100],
  ["POST", "/api/v1/keys", "scopes", SCOPES.length],
] as const)("duplicates are not searched in a list that is too long: %s %s %s", async (method, url, name, most) => {
  await using t = await openTestApp();
  const answer = await t.send(method, url, ADMIN_KEY, { [name]: Array(most + 1).fill("a") });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.details).toEqual([
    { parameter: name, message: `must not have more than ${most} items` },
  ]);
});

it("a client that sends 16 MiB before it reads gets the answer that this is too much, or that the path has no route", async () => {
  await using t = await openTestApp();
  await t.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = t.app.server.address() as AddressInfo;
  const body = Buffer.alloc(16 * 1024 ** 2, " ");
  for (const [path, status, code] of [
    ["equipment/geofences", 400, "payload_too_large"],
    ["materials/stockpiles/s1/measure", 400, "payload_too_large"],
    ["nothing", 404, "not_found"],
  ]) {
    const client = connect(port, "127.0.0.1").pause();
    await once(client, "connect");
    client.write(
      `POST /api/v1/${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((sent, failed) => {
      client.once("error", failed);
      client.write(body, () => sent());
    });
    client.end();
    const answer = await text(client);
    expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"code":"${code}"`);
  }
});

const MIB = 1024 ** 2;
/** As much of it as fits into the largest body. */
const filled = (before: string, repeated: string, after: string) =>
  before +
  repeated.repeat(Math.floor((MIB - before.length - after.length) / repeated.length)) +
  after;
const manyKeys = Array.from({ length: 80_000 }, (_, i) => `"k${i}":0`).join(",");

it.each([
  ["arrays that are never closed", filled("", "[", "")],
  ["arrays in each other", "[".repeat(MIB / 2) + "]".repeat(MIB / 2)],
  ["objects in each other", filled("", '{"a":', "")],
  ["empty objects", filled("[", "{},", "{}]")],
  ["80,000 keys", `{${manyKeys}}`],
  ["one key 80,000 times", `{"id":0${',"id":1'.repeat(80_000)}}`],
  ["numbers above any", filled("[", "1e400,", "1]")],
  ["keys that reach for the prototype", filled("[", '{"__proto__":1},', "{}]")],
])("a body of 1 MiB of %s is refused for less than parsing it would cost", async (_what, payload) => {
  await using t = await openTestApp();
  const send = () =>
    t.app.inject({
      method: "POST",
      url: "/api/v1/projects",
      headers: { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` },
      payload,
    });
  await expectCheaperThanParsing(payload, async () => {
    const answer = await send();
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.code).toBe("invalid_request");
  });
});
