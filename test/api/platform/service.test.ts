import { Readable } from "node:stream";
import { Gauge } from "prom-client";
import { expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import { ADMIN_KEY, NOON_MS, openTestApp } from "../../support/api-app.ts";

const SERVICE = "/api/v1/service";

it("the service says what it does not know as null, and why it is not ready", async () => {
  await using t = await openTestApp();
  t.reasons.push("the disk is full");
  const response = await t.get(SERVICE, ADMIN_KEY);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({
    as_of: new Date(NOON_MS).toISOString(),
    readiness: { status: "not_ready", reasons: ["the disk is full"] },
    journal: { bytes: null, free_bytes: null, unprocessed_records: null, unstored_records: null },
    jobs: { queued: 0, running: 0 },
    disk: { free_bytes: null, kept_bytes: null },
    backup: { offered: true, last_at: null },
  });
});

it("the service has the figures of the journal of its process, each reader's backlog by itself", async () => {
  await using t = await openTestApp();
  const registers = [t.metrics];
  const help = "of the journal";
  new Gauge({ name: "plumbline_journal_bytes", help, registers }).set(8_400);
  new Gauge({ name: "plumbline_journal_free_bytes", help, registers }).set(91_000);
  const lag = new Gauge({
    ...{ name: "plumbline_journal_lag_records", help, registers },
    labelNames: ["reader"],
  });
  lag.set({ reader: "telemetry" }, 12);
  lag.set({ reader: "pipeline" }, 0);
  expect((await t.get(SERVICE, ADMIN_KEY)).json().journal).toEqual({
    ...{ bytes: 8_400, free_bytes: 91_000, unprocessed_records: 0, unstored_records: 12 },
  });
});

it("the service does not know its queue while the records are away, and says the rest", async () => {
  await using t = await openTestApp();
  t.records.jobs.load = async () => {
    throw new DomainError("STORE_UNAVAILABLE", "away");
  };
  const response = await t.get(SERVICE, ADMIN_KEY);
  expect(response.json()).toMatchObject({
    readiness: { status: "ready" },
    jobs: { queued: null, running: null },
  });
});

it("the service knows of a backup that was read to its end", async () => {
  const backups = { create: async () => Readable.from([Buffer.from("archive")]) };
  await using t = await openTestApp({ backups });
  expect((await t.get(SERVICE, ADMIN_KEY)).json().backup).toEqual({ offered: true, last_at: null });
  t.clock.ms += 60_000;
  await t.get("/api/v1/backup", ADMIN_KEY);
  expect((await t.get(SERVICE, ADMIN_KEY)).json().backup).toEqual({
    offered: true,
    last_at: new Date(NOON_MS + 60_000).toISOString(),
  });
});
