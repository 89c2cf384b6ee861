import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import {
  explainViolations,
  isConnectionLost,
  storeError,
} from "../../../../storage/records/sql/pg-errors.ts";

const coded = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

describe("errors of the database", () => {
  it.each([
    ["connection refused", coded("ECONNREFUSED")],
    ["several addresses refused", new AggregateError([coded("ECONNREFUSED")], "")],
    ["host unknown", coded("ENOTFOUND")],
    ["connection failure", coded("08006")],
    ["server shutting down", coded("57P01")],
    ["server starting", coded("57P03")],
    ["statement time-out", coded("57014")],
    ["disk full", coded("53100")],
    ["too many connections", coded("53300")],
    ["deadlock", coded("40P01")],
    ["became a replica", coded("25006")],
    ["hung up", new Error("Connection terminated unexpectedly")],
    ["no answer", new Error("Query read timeout")],
    ["no free connection", new Error("timeout exceeded when trying to connect")],
    ["no connection in time", new Error("Connection terminated due to connection timeout")],
    ["log-in took too long", new Error("timeout expired")],
    ["broken client", new Error("Client has encountered a connection error and is not queryable")],
    ["closed pool", new Error("Cannot use a pool after calling end on the pool")],
  ])("%s is STORE_UNAVAILABLE and costs the connection", (_, error) => {
    expect(storeError(error)).toMatchObject({ code: "STORE_UNAVAILABLE", cause: error });
    expect(isConnectionLost(error)).toBe(true);
  });

  it.each([
    ["broken constraint", coded("23505")],
    ["syntax", coded("42601")],
    ["division by zero", coded("22012")],
    ["mistake in our code", new TypeError("x is not a function")],
    ["meant for the caller", new DomainError("ASSET_NOT_FOUND", "no asset")],
  ])("%s stays what it is", (_, error) => {
    expect(storeError(error)).toBe(error);
    expect(isConnectionLost(error)).toBe(false);
  });

  it("an error of the database names a broken constraint only where the caller said what it means", async () => {
    const unique = { unique: ["ID_CONFLICT", "taken"] } as const;
    await expect(explainViolations(Promise.reject(coded("23505")), unique)).rejects.toMatchObject({
      code: "ID_CONFLICT",
      message: "taken",
    });
    await expect(explainViolations(Promise.reject(coded("23503")), unique)).rejects.toMatchObject({
      code: "23503",
    });
    await expect(explainViolations(Promise.resolve(1), unique)).resolves.toBe(1);
    const byIndex = (constraint: string) => ["ID_CONFLICT", `${constraint} is broken`] as const;
    const broken = Object.assign(coded("23505"), { constraint: "assets_hardware_id" });
    await expect(
      explainViolations(Promise.reject(broken), { unique: byIndex }),
    ).rejects.toMatchObject({ message: "assets_hardware_id is broken" });
  });
});
