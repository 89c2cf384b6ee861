import { describe, expect, it } from "vitest";
import { createClosers } from "../../roles/closers.ts";

describe("the closers of a process", () => {
  it("end the newest first, tell of each one that has ended, and throw the first failure at the end", async () => {
    const told: string[] = [];
    const closers = createClosers();
    closers.push(async () => void told.push("oldest"));
    closers.push(() => {
      told.push("fails");
      throw new Error("second failure");
    });
    closers.push(() => Promise.reject(new Error("first failure")));

    await expect(closers.close(() => told.push("ended"))).rejects.toThrow("first failure");

    expect(told).toEqual(["ended", "fails", "ended", "oldest", "ended"]);
  });
});
