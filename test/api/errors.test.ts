import fastify from "fastify";
import { expect, it } from "vitest";
import { handleErrors } from "../../api/plugins/errors.ts";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";

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
  ["ID_CONFLICT", 409, "conflict"],
  ["IDEMPOTENCY_KEY_REUSED", 409, "conflict"],
  ["PARAMETER_INVALID", 400, "invalid_parameter"],
  ["PROJECT_IN_USE", 409, "conflict"],
  ["JOURNAL_FULL", 500, "internal_error"],
  ["STORE_UNAVAILABLE", 500, "internal_error"],
])("answers %s with %i %s", async (code, status, wire) => {
  const answer = await answerTo(new DomainError(code, "details"), false);
  expect(answer).toMatchObject({ status, code: wire });
});

it("has no 409 on an endpoint of the contract", async () => {
  const answer = await answerTo(new DomainError("ID_CONFLICT", "taken"), true);
  expect(answer).toMatchObject({ status: 400, code: "invalid_request", message: "taken" });
});

it("says nothing of an unexpected failure", async () => {
  const answer = await answerTo(new TypeError("password is hunter2"), true);
  expect(answer).toMatchObject({
    status: 500,
    code: "internal_error",
    message: "Internal server error",
  });
});

it("says the same of what is absent and of what is another tenant's", async () => {
  const absent = await answerTo(new DomainError("ASSET_NOT_FOUND", "no asset a1"), true);
  const foreign = await answerTo(new DomainError("PROJECT_NOT_FOUND", "not yours"), true);
  expect([absent.message, foreign.message]).toEqual(["Not found", "Not found"]);
});
