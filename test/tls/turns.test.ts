import { expect, it } from "vitest";
import { Turns } from "../../tls/turns.ts";

const LIMITS = { atOnce: 3, atOnceByAddress: 2, waiting: 3 };

it("an address that ends nothing leaves room for others, and waits for itself", () => {
  const started: string[] = [];
  const turns = new Turns<string>(LIMITS, (one) => started.push(one));
  for (const one of ["a1", "a2", "a3"]) expect(turns.add(one, "a")).toBe(true);
  expect(turns.add("b1", "b")).toBe(true);

  expect(started).toEqual(["a1", "a2", "b1"]);
});

it("whoever waited longest starts when one of its address ends", () => {
  const started: string[] = [];
  const turns = new Turns<string>(LIMITS, (one) => started.push(one));
  for (const one of ["a1", "a2", "a3", "a4"]) turns.add(one, "a");
  turns.end("a");
  turns.end("a");

  expect(started).toEqual(["a1", "a2", "a3", "a4"]);
});

it("an end makes room for another address where all places were taken", () => {
  const started: string[] = [];
  const turns = new Turns<string>(LIMITS, (one) => started.push(one));
  for (const one of ["a1", "a2", "a3"]) turns.add(one, "a");
  for (const one of ["b1", "b2"]) turns.add(one, "b");
  turns.end("b");

  expect(started).toEqual(["a1", "a2", "b1", "b2"]);
});

it("more than may wait are refused, and one that left makes room", () => {
  const turns = new Turns<string>(LIMITS, () => undefined);
  for (const one of ["a1", "a2", "a3", "a4", "a5"]) turns.add(one, "a");
  expect(turns.add("a6", "a")).toBe(false);
  expect(turns.cancel("a4", "a")).toBe(true);
  expect(turns.cancel("a1", "a")).toBe(false);

  expect(turns.add("a6", "a")).toBe(true);
});
