import { describe, expect, it } from "vitest";
import { failureOf } from "../../console/api/failure.ts";
import { shortageOf } from "../../console/api/shortage.ts";
import { fillOf, typedQuota } from "../../console/pages/settings/projects/storage-level.ts";

const GIB = 1_024 ** 3;

describe("what a project has stored of its quota", () => {
  it.each([
    [0, 10 * GIB, 0, "free"],
    [8.99 * GIB, 10 * GIB, 89, "free"],
    [9 * GIB, 10 * GIB, 90, "near"],
    // Rounded down: 100 % is said where there is no room, and not before.
    [10 * GIB - 1, 10 * GIB, 99, "near"],
    [10 * GIB, 10 * GIB, 100, "full"],
    // A quota that was made smaller keeps the files.
    [15 * GIB, 10 * GIB, 150, "full"],
    [0, 0, 100, "full"],
    [5, 0, 100, "full"],
  ])("%d bytes of %d are %d %%, %s", (used_bytes, limit_bytes, percent, level) => {
    expect(fillOf({ used_bytes, limit_bytes })).toEqual({ percent, level });
  });

  it("without a quota nothing is full, and no percent is made up", () => {
    expect(fillOf({ used_bytes: 9 * GIB, limit_bytes: null })).toBeUndefined();
  });

  it("a quota is a whole number of MiB, nothing is that of the installation, and anything else is none", () => {
    expect(["2048", " 0 ", "", "  "].map(typedQuota)).toEqual([2_048, 0, null, null]);
    expect(["8.5", "-1", "1e9", "ten", "5 GB"].map(typedQuota)).toEqual(Array(5).fill(undefined));
  });
});

describe("a request that there was no room for", () => {
  const message = "the project has stored 1000 MiB of 1024 MiB; 24 MiB are left";
  const figures = { bytes_needed: 40, bytes_left: 24, bytes_used: 1_000, bytes_limit: 1_024 };
  const answer = (status: number, detail: object) =>
    failureOf(
      { error: { code: "quota_exceeded", message, details: [detail] } },
      { status, headers: new Headers({ "retry-after": "60" }) },
    );

  it.each([507, 429, 500])("says by its figures with status %d what the quota lacks", (status) => {
    const failure = answer(status, { parameter: "project_id", message, ...figures });
    expect(shortageOf(failure)).toEqual({
      room: { neededBytes: 40, leftBytes: 24 },
      quota: { usedBytes: 1_000, limitBytes: 1_024 },
    });
  });

  it("says the disk where no quota is named, also where nothing is left", () => {
    const failure = answer(507, { parameter: "disk", message, bytes_needed: 40, bytes_left: 0 });
    expect(shortageOf(failure)).toEqual({ room: { neededBytes: 40, leftBytes: 0 } });
  });

  it.each([507, 500])("says the disk with status %d also where no figures are known", (status) => {
    expect(shortageOf(answer(status, { parameter: "disk", message }))).toEqual({});
  });

  it("is none that failed for another reason", () => {
    expect(shortageOf(answer(400, { parameter: "images", message }))).toBeUndefined();
    expect(shortageOf({ status: 429, message: "Too many requests" })).toBeUndefined();
    expect(shortageOf({ status: 0, message: "" })).toBeUndefined();
  });
});
