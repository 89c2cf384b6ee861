import { expect, it } from "vitest";
import { SCOPES } from "../../domain/api-key.ts";
import { ADMIN_KEY, openTestApp } from "../support/api-app.ts";

const JSON_TYPE = { "content-type": "application/json" };

it("takes an empty body of type application/json for none", async () => {
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
])("answers 400 to %s, which is %s", async (payload) => {
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

it("answers 400 to a required body that is empty", async () => {
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
] as const)("looks for no duplicates in a list that is too long: %s %s %s", async (method, url, name, most) => {
  await using t = await openTestApp();
  const answer = await t.send(method, url, ADMIN_KEY, { [name]: Array(most + 1).fill("a") });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.details).toEqual([
    { parameter: name, message: `must not have more than ${most} items` },
  ]);
});
