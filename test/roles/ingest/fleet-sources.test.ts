import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startFleetSources } from "../../../roles/ingest/fleet-sources.ts";
import { createClosers } from "../../../roles/process/closers.ts";
import { fleet, machine, openFleetSite, SOURCE, section } from "../../support/fleet-site.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Longer than a node waits until it reads the lease again, shorter than a request may take, ms. */
const LEASE_LOOK_MS = 4_000;

// Polls of leases and sources wait by these; `until` does not.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("of several processes the one with the lease polls, and the next one when it stops", async () => {
  await using t = await openFleetSite({ assets: { a: "A" } });
  // The role has the clock of the machine.
  const hours = section("CumulativeOperatingHours", Date.now() - 60_000, "<Hour>1</Hour>");
  t.server.answer = (_request, response) => response.end(fleet([machine("A", hours)]));
  const taken = new Set<string>();
  const node = (holder: string) => {
    const closers = createClosers();
    const { records, directory, intake, outbound, pepper } = t;
    const settings = { retentionDays: 90 };
    const common = { records, directory, outbound, pepper };
    const onTaken = { ...log, info: () => void taken.add(holder) };
    const role = startFleetSources({ settings, log: onTaken, closers }, common, {
      intake,
      holder,
    });
    return { role, close: () => closers.close() };
  };
  const one = node("n1");
  await until("the first poll", () => one.role.stats()["fleet_polls"] === 1, PATIENT_MS);
  const two = node("n2");
  await t.records.fleetSources.requestPoll(SOURCE, Date.now() + 1);
  two.role.changed();
  // A poll that is just ending keeps its source from the next; without its timer nobody looks again.
  const isPolledAgain = () => {
    one.role.changed();
    return one.role.stats()["fleet_polls"] === 2;
  };
  await until("the second poll", isPolledAgain, PATIENT_MS);
  expect(two.role.stats()).toMatchObject({ fleet_polls: 0, fleet_pages: 0 });
  expect(one.role.stats()).toMatchObject({ fleet_readings: 1, fleet_pages: 2 });
  expect(Object.keys(t.taken())).toEqual(["a"]);

  await one.close();
  await t.records.fleetSources.requestPoll(SOURCE, Date.now() + 2);
  // Its look at the lease may be under way, and its timer not yet set.
  const isTaken = () => {
    if (vi.getTimerCount() > 0 && !taken.has("n2")) vi.advanceTimersByTime(LEASE_LOOK_MS);
    return taken.has("n2");
  };
  await until("the lease of the other node", isTaken, PATIENT_MS);
  await until("its poll", () => two.role.stats()["fleet_polls"] === 1, PATIENT_MS);
  // It knows what the first one took.
  expect(two.role.stats()).toMatchObject({ fleet_pages: 1, fleet_readings: 0 });
  await two.close();
});
