import { expect, it } from "vitest";
import { planKills } from "./kills.ts";

it("the kill schedule kills once for each share passed, one after the other, and passes on what a restart threw", async () => {
  let release = () => {};
  let killed = 0;
  const kills = planKills(
    2,
    () => 0.5,
    async () => {
      killed += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      if (killed === 2) throw new Error("no restart");
    },
  );
  // Shares 0.05 + 0.9 * 0.25 = 0.275 and 0.725.
  kills.pass(0.27);
  expect(killed).toBe(0);
  kills.pass(0.28);
  kills.pass(0.9);
  expect(killed).toBe(1);
  release();
  await kills.done();
  kills.pass(0.9);
  expect([killed, kills.count]).toEqual([2, 2]);
  release();
  await expect(kills.done()).rejects.toThrow("no restart");
});
