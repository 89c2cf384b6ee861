import fastify from "fastify";
import { expect, it } from "vitest";
import { handleErrors } from "../../../api/errors/error-handler.ts";
import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import { ADMIN_KEY, openTestApp } from "../../support/api-app.ts";

/** An app whose one route fails with `error`. */
async function answerTo(error: Error, contract: boolean) {
  await using app = fastify();
  handleErrors(app);
  app.get("/", { config: { contract } }, () => {
    throw error;
  });
  const response = await app.inject("/");
  return { status: response.statusCode, ...response.json().error };
}

it.each<[ErrorCode, number, string]>([
  ["ASSET_NOT_FOUND", 404, "not_found"],
  ["ID_CONFLICT", 409, "id_taken"],
  ["REPORT_CORRECTED", 409, "conflict"],
  ["IDEMPOTENCY_KEY_REUSED", 409, "conflict"],
  ["PARAMETER_INVALID", 400, "invalid_parameter"],
  ["PROJECT_IN_USE", 409, "conflict"],
  ["JOURNAL_FULL", 500, "internal_error"],
  ["STORE_UNAVAILABLE", 500, "internal_error"],
])("answers %s with %i %s", async (code, status, wire) => {
  const answer = await answerTo(new DomainError(code, "details"), false);
  expect(answer).toMatchObject({ status, code: wire });
});

it("the contract's endpoints have no 409", async () => {
  const taken = await answerTo(new DomainError("ID_CONFLICT", "taken"), true);
  expect(taken).toMatchObject({ status: 400, code: "id_taken", message: "taken" });
  const conflict = await answerTo(new DomainError("PROJECT_IN_USE", "in use"), true);
  expect(conflict).toMatchObject({ status: 400, code: "invalid_request", message: "in use" });
});

it("an answer says nothing of an unexpected failure", async () => {
  const answer = await answerTo(new TypeError("password is hunter2"), true);
  expect(answer).toMatchObject({
    status: 500,
    code: "internal_error",
    message: "Internal server error",
  });
});

it("errors are the same for what is absent and for what is another tenant's", async () => {
  const absent = await answerTo(new DomainError("ASSET_NOT_FOUND", "no asset a1"), true);
  const foreign = await answerTo(new DomainError("PROJECT_NOT_FOUND", "not yours"), true);
  expect([absent.message, foreign.message]).toEqual(["Not found", "Not found"]);
});

it("an error names what a parameter and a body field may be", async () => {
  await using t = await openTestApp();
  const query = await t.get("/api/v1/equipment/assets?status=broken", ADMIN_KEY);
  expect(query.json().error.message).toBe("status must be one of active, idle, maintenance");
  const body = await t.send("POST", "/api/v1/equipment/geofences", ADMIN_KEY, {
    ...{ name: "Pit", project_id: "p1", polygon: [] },
    alert_on: ["leave"],
  });
  expect(body.json().error.details).toContainEqual({
    parameter: "alert_on.0",
    message: "must be one of enter, exit, both",
  });
  expect(body.body).not.toContain("anyOf");
});

it.each([
  ["/api/v1/projects", "application/json"],
  ["/api/v1/progress/images", "multipart/form-data"],
])("a request to %s without a Content-Type is answered with the one it takes", async (url, type) => {
  await using t = await openTestApp();
  const answer = await t.app.inject({
    ...{ method: "POST", url, payload: "a=b" },
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({
    code: "invalid_request",
    message: `Content-Type must be ${type}`,
  });
});

it("an error names the parameter of an unknown project", async () => {
  await using t = await openTestApp();
  const asset = await t.send("POST", "/api/v1/equipment/assets", ADMIN_KEY, {
    ...{ name: "Digger 1", type: "excavator", project_id: "south-yard" },
  });
  expect(asset.statusCode).toBe(404);
  expect(asset.json().error).toMatchObject({
    ...{ code: "not_found", message: "Not found" },
    details: [{ parameter: "project_id", message: "names no project that this key may see" }],
  });
});
