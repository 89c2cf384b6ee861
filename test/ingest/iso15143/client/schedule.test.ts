import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { FleetSourceId } from "../../../../domain/ids.ts";
import { followSources } from "../../../../ingest/iso15143/client/follow-sources.ts";
import { nextPollMs } from "../../../../ingest/iso15143/client/poll-schedule.ts";
import type { FleetSource } from "../../../../storage/ports/equipment/fleet-sources.ts";
import { fleet, NOON_MS, openFleetSite, SOURCE } from "../../../support/fleet-site.ts";
import { answering } from "../../../support/http-receiver.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("when a source is polled", () => {
  const ended = (change: Partial<Parameters<typeof nextPollMs>[0]> = {}, random = 0) =>
    nextPollMs(
      {
        startedAtMs: 0,
        finishedAtMs: 1_000,
        intervalMs: 15 * MINUTE_MS,
        failures: 0,
        isRefusal: false,
        retryAfterMs: undefined,
        ...change,
      },
      random,
    );

  it("the next poll of a source is an interval after the last start, up to a twentieth more, and not before the end", () => {
    expect(ended()).toBe(900_000);
    expect([ended({}, 0.5), ended({}, 1)]).toEqual([922_500, 945_000]);
    expect(ended({ finishedAtMs: HOUR_MS })).toBe(HOUR_MS);
  });

  it("the next poll of a source is a minute after a failure, twice as long after each further one, an hour at most", () => {
    const waits = [1, 2, 3, 6, 7, 50].map((failures) => ended({ failures }) - 1_000);
    expect(waits).toEqual([1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE_MS));
  });

  it("the next poll of a source is not before the server wants it, and an hour after it refused us", () => {
    expect(ended({ failures: 1, retryAfterMs: 5 * MINUTE_MS })).toBe(1_000 + 5 * MINUTE_MS);
    expect(ended({ failures: 3, retryAfterMs: 1 })).toBe(1_000 + 4 * MINUTE_MS);
    expect(ended({ failures: 1, isRefusal: true })).toBe(1_000 + HOUR_MS);
  });
});

it("the poller of sources polls when it is due, backs off from a server that fails, and comes back", async () => {
  await using t = await openFleetSite();
  const polls = () => t.server.received.length;
  const at = async (ms: number) => {
    t.clock.ms = NOON_MS + ms;
    return t.poll();
  };
  t.server.answer = answering(500);
  expect(await at(0)).toMatchObject({ failure: "answered 500", httpStatus: 500 });
  await at(MINUTE_MS - 1);
  expect(polls()).toBe(1);
  expect(await at(MINUTE_MS)).toMatchObject({ consecutiveFailures: 2 });
  await at(3 * MINUTE_MS - 1);
  expect(polls()).toBe(2);
  t.server.answer = answering(429, { "retry-after": "1200" });
  await at(3 * MINUTE_MS);
  await at(23 * MINUTE_MS - 1);
  expect(polls()).toBe(3);
  t.server.answer = (_request, response) => response.end(fleet([]));
  const found = await at(23 * MINUTE_MS);
  expect(found).toMatchObject({ consecutiveFailures: 0, httpStatus: 200 });
  expect(found).not.toHaveProperty("failure");
  await at(38 * MINUTE_MS - 1);
  expect(polls()).toBe(4);
  await at(38 * MINUTE_MS);
  expect(polls()).toBe(5);
  expect(t.counters).toMatchObject({ fleet_polls: 5, fleet_polls_failed: 3 });
});

it("the poller of sources keeps the times over a restart, and is not misled by a clock that was set back", async () => {
  await using t = await openFleetSite();
  t.server.answer = (_request, response) => response.end(fleet([]));
  await t.poll();
  await t.restart();
  t.clock.ms += 15 * MINUTE_MS - 1;
  await t.poll();
  expect(t.server.received).toHaveLength(1);
  t.clock.ms -= 30 * 24 * HOUR_MS;
  await t.poll();
  expect(t.server.received).toHaveLength(2);
});

it("the poller of sources polls at once when somebody asks, or changes the source, and never one that is disabled", async () => {
  await using t = await openFleetSite();
  t.server.answer = (_request, response) => response.end(fleet([]));
  await t.poll();
  await t.records.fleetSources.requestPoll(SOURCE, t.clock.ms + 1);
  await t.poll();
  await t.poll();
  expect(t.server.received).toHaveLength(2);
  await t.change({ intervalS: 60 });
  await t.poll();
  expect(t.server.received).toHaveLength(3);
  await t.change({ status: "disabled" });
  await t.records.fleetSources.requestPoll(SOURCE, t.clock.ms + 2);
  t.clock.ms += HOUR_MS;
  await t.poll();
  expect(t.server.received).toHaveLength(3);
  await t.records.fleetSources.delete(SOURCE);
  await t.poller.poll();
  await t.poller.settled();
  expect(t.server.received).toHaveLength(3);
});

it("the poller of sources polls four sources at once, the longest due first, and each once", async () => {
  await using t = await openFleetSite();
  const [first] = await t.records.fleetSources.list();
  for (let i = 2; i <= 9; i += 1) {
    const source: FleetSource = {
      ...(first?.source as FleetSource),
      id: `src_${i}` as FleetSourceId,
    };
    await t.records.fleetSources.insert({ ...source, createdAtMs: NOON_MS + i });
  }
  const waiting: ServerResponse[] = [];
  t.server.answer = (_request, response) => void waiting.push(response);
  for (const [total, atOnce] of [
    [4, 4],
    [8, 4],
    [9, 1],
  ] as const) {
    await t.poller.poll();
    await t.poller.poll();
    await until("the requests", () => waiting.length === atOnce, PATIENT_MS);
    for (const response of waiting.splice(0)) response.end(fleet([]));
    await t.poller.settled();
    expect(t.server.received).toHaveLength(total);
  }
  expect(t.server.open.most).toBe(4);
});

it("the poller of sources goes on when the record store was away, and notes what was taken as soon as it can", async () => {
  await using t = await openFleetSite();
  t.server.answer = (_request, response) => {
    // After the sources were read, before the outcome is written.
    t.records.away = true;
    response.end(fleet([]));
  };
  await t.poller.poll();
  await t.poller.settled();
  await expect(t.poller.poll()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  t.records.away = false;
  await t.poller.poll();
  await t.poller.settled();
  // It is not polled in a row for that.
  expect(t.server.received).toHaveLength(1);
});

it("a source is polled again on request, and stopping waits for the poll under way", async () => {
  let polls = 0;
  let stops = 0;
  let seen: () => void = () => undefined;
  const poller = {
    async poll() {
      polls += 1;
      seen();
      if (polls === 2) throw new Error("away");
    },
    async stop() {
      stops += 1;
    },
  };
  const warnings: unknown[] = [];
  const polling = followSources(poller, {
    warn: (...given: unknown[]) => void warnings.push(given),
  });
  for (const count of [2, 3]) {
    const polled = new Promise<void>((resolve) => {
      seen = () => {
        if (polls >= count) resolve();
      };
    });
    polling.changed();
    await polled;
  }
  await polling.stop();
  expect([polls, stops, warnings.length]).toEqual([3, 1, 1]);
});
