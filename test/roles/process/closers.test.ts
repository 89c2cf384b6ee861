import { describe, expect, it } from "vitest";
import { createClosers } from "../../../roles/process/closers.ts";

describe("the closers of a process", () => {
  it("the closers of a process run the newest first, report each one that has ended, and throw the first failure at the end", async () => {
    const calls: string[] = [];
    const closers = createClosers();
    closers.push(async () => void calls.push("oldest"));
    closers.push(() => {
      calls.push("fails");
      throw new Error("second failure");
    });
    closers.push(() => Promise.reject(new Error("first failure")));

    await expect(closers.close(() => calls.push("ended"))).rejects.toThrow("first failure");

    expect(calls).toEqual(["ended", "fails", "ended", "oldest", "ended"]);
  });

  it("a part that consists of several reports each of them, beside its own end", async () => {
    const calls: string[] = [];
    const closers = createClosers();
    closers.push(async (onEnded) => {
      calls.push("telemetry");
      onEnded();
      calls.push("records");
    });

    await closers.close(() => calls.push("ended"));

    expect(calls).toEqual(["telemetry", "ended", "records", "ended"]);
  });
});
