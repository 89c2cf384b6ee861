import { describe, expect, it } from "vitest";
import { RECORD_LIMITS } from "../../../domain/platform/record-limits.ts";
import { source } from "./fleet-sources.ts";
import { forwarder } from "./forwarders.ts";
import { type OpenStore, projectId } from "./rows.ts";
import { webhook } from "./webhook-rows.ts";

/** How many of some calls were refused, all of which begin at once. */
async function refusedOf(calls: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(calls);
  const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of reasons) expect(reason).toMatchObject({ code: "LIMIT_REACHED" });
  return reasons.length;
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Limits count what other customers have by itself, and hold when many ask at once. */
export function describeRecordLimits(current: () => OpenStore): void {
  const store = () => current().store;
  const [first, second] = [projectId("p1"), projectId("p2")];

  describe("limits", () => {
    it("forwarders of one project leave room for those of another, and never exceed their limit", async () => {
      const most = RECORD_LIMITS.forwarders;
      const make = (name: string, projects: readonly (typeof first)[] | undefined) => (i: number) =>
        store().forwarders.insert(forwarder(`${name}${i}`, { projectIds: projects }));
      expect(await refusedOf(times(most + 3, make("a", [first])))).toBe(3);
      expect(await refusedOf(times(most, make("b", [second])))).toBe(0);
      expect(await refusedOf(times(most + 1, make("c", undefined)))).toBe(1);
      await expect(make("d", [second, first])(0)).rejects.toMatchObject({
        message: `There are ${most} forwarders of the project p2 already`,
      });
    });

    it("a forwarder cannot move to a project that has as many as may be", async () => {
      const most = RECORD_LIMITS.forwarders;
      const ids = [first];
      await Promise.all(
        times(most, (i) => store().forwarders.insert(forwarder(`f${i}`, { projectIds: ids }))),
      );
      const other = forwarder("other", { projectIds: [second] });
      await store().forwarders.insert(other);
      const moved = store().forwarders.update(other.id, (before) => ({
        ...before,
        projectIds: ids,
      }));
      await expect(moved).rejects.toMatchObject({ code: "LIMIT_REACHED" });
      const renamed = await store().forwarders.update(forwarder("f0").id, (before) => ({
        ...before,
        name: "new",
      }));
      expect(renamed.name).toBe("new");
    });

    it("webhooks and fleet sources never exceed their limits when many are made at once", async () => {
      const webhooks = times(RECORD_LIMITS.webhooks + 2, (i) =>
        store().webhooks.insert(webhook(`w${i}`, { projectIds: [first] })),
      );
      expect(await refusedOf(webhooks)).toBe(2);
      await store().webhooks.insert(webhook("other", { projectIds: [second] }));
      const sources = times(RECORD_LIMITS["fleet sources"] + 2, (i) =>
        store().fleetSources.insert(source(`s${i}`)),
      );
      expect(await refusedOf(sources)).toBe(2);
    });
  });
}
