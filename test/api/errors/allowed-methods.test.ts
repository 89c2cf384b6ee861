import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t[Symbol.asyncDispose]());

it.each([
  ["DELETE", "/api/v1/projects", "GET, HEAD, POST"],
  ["POST", "/api/v1/equipment/assets/none", "DELETE, GET, HEAD, PATCH"],
  ["PUT", "/api/v1/equipment/geofences/preview", "DELETE, GET, HEAD, PATCH, POST"],
  ["DELETE", "/health/live?why=not", "GET, HEAD"],
  // Assets can be made as well as listed: the path is not the contract's alone.
  ["PATCH", "/api/v1/equipment/assets", "GET, HEAD, POST"],
] as const)("answers %s %s with 405 and the methods that there are", async (method, url, allow) => {
  const answer = await t.send(method, url, ADMIN_KEY, {});
  expect([answer.statusCode, answer.headers["allow"]]).toEqual([405, allow]);
  expect(answer.json().error).toMatchObject({
    code: "invalid_request",
    message: `${method} is not a method of this path, which has ${allow}`,
  });
});

it.each([
  ["a body of a type that no route reads", "PUT", "/api/v1/projects", 405, "text/plain"],
  ["a body that is not JSON", "PUT", "/api/v1/projects", 405, "application/json"],
  ["a method that asks for a type", "QUERY", "/api/v1/projects", 405, undefined],
  ["no such path", "POST", "/api/v1/nothing", 404, "text/plain"],
] as const)("answers as without a route before it reads a body: %s", async (_, method, url, status, type) => {
  const answer = await t.app.inject({
    method: method as "PUT",
    url,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(type && { "content-type": type }) },
    ...(type && { payload: "{" }),
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([
    status,
    status === 404 ? "not_found" : "invalid_request",
  ]);
});

it("keeps the contract's statuses on paths that are the contract's alone", async () => {
  const url = "/api/v1/equipment/assets/x/location";
  const answer = await t.send("POST", url, ADMIN_KEY, {});
  expect([answer.statusCode, answer.headers["allow"]]).toEqual([404, undefined]);
});

it("says nothing of its paths to whoever has no key", async () => {
  const answer = await t.send("DELETE", "/api/v1/projects", undefined, {});
  expect([answer.statusCode, answer.headers["allow"]]).toEqual([401, undefined]);
});
