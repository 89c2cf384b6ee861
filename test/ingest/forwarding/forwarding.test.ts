import { expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { encodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { numbersOf, openForwardSite, upTo } from "../../support/forward-site.ts";
import { answering, openHttpReceiver } from "../../support/http-receiver.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  batchOf,
  FIRST_FIX_MS,
  journalReadings,
  numbered,
  readingOf,
} from "../../support/readings.ts";
import { until } from "../../support/until.ts";

it("a forwarder posts what is acknowledged from now on, in order per asset and one request at a time for each", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const openByAsset = new Map<string, number>();
  let most = 0;
  // The first ones are answered when those of all three assets lie open: none waits for another's.
  let held: (() => void)[] | undefined = [];
  receiver.answer = ({ body }, response) => {
    const { name } = JSON.parse(body).device;
    const now = (openByAsset.get(name) ?? 0) + 1;
    openByAsset.set(name, now);
    most = Math.max(most, now);
    const answer = () => {
      openByAsset.set(name, now - 1);
      response.writeHead(204).end();
    };
    held?.push(answer);
    if (held === undefined) setImmediate(answer);
    if (held?.length === 3) {
      for (const one of held) one();
      held = undefined;
    }
  };
  await site.journalNumbers("a1", [1, 2]);
  site.clock.ms += 1;
  const id = await site.add("f1", receiver.url);
  for (const asset of ["a1", "a2", "a3"]) await site.journalNumbers(asset, upTo(40, 3));
  await until("all", () => receiver.received.length === 120, PATIENT_MS);
  for (const asset of ["a1", "a2", "a3"]) {
    const own = receiver.received.filter(({ body }) => JSON.parse(body).device.name === asset);
    expect(numbersOf(own)).toEqual(upTo(40, 3));
  }
  expect(most).toBe(1);
  expect(receiver.open.most).toBeGreaterThanOrEqual(3);
  const progress = await until(
    "progress",
    async () => {
      const row = await site.progress(id);
      return row.sequence === site.journal.syncedSequence && row;
    },
    PATIENT_MS,
  );
  expect(progress).toEqual({
    forwarderId: "f1",
    journalId: site.journal.id,
    sequence: 122,
    sent: 120,
    skipped: {},
    lastSentAtMs: site.clock.ms,
    lastError: undefined,
    heldSinceMs: undefined,
    behind: undefined,
  });
});

it("a forwarder begins where it was made, however late the ingest process sees it", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  await site.forwarding.stop();
  await site.journalNumbers("a1", [1]);
  site.clock.ms += 1;
  await site.add("f1", receiver.url);
  await site.journalNumbers("a1", [2, 3]);
  await site.restart();
  await until("both", () => receiver.received.length === 2, PATIENT_MS);
  expect(numbersOf(receiver.received)).toEqual([2, 3]);
});

it("a forwarder goes on after a stop with what is left, and sends nothing twice", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const id = await site.add("f1", receiver.url);
  await site.journalNumbers("a1", upTo(30));
  await until("some", () => receiver.received.length >= 10, PATIENT_MS);
  await site.restart();
  await site.journalNumbers("a1", upTo(10, 31));
  await until("all", () => receiver.received.length === 40, PATIENT_MS);
  expect(numbersOf(receiver.received)).toEqual(upTo(40));
  await until("counted", async () => (await site.progress(id)).sent === 40, PATIENT_MS);
});

it("a forwarder loses nothing in a crash and repeats, in order, only what was not stored", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const id = await site.add("f1", receiver.url);
  await site.journalNumbers("a1", upTo(20));
  await until("stored", async () => (await site.progress(id)).sent === 20, PATIENT_MS);
  site.records.away = true;
  await site.journalNumbers("a1", upTo(5, 21));
  await until("sent", () => receiver.received.length === 25, PATIENT_MS);
  await site.restart("crash");
  await until("again", () => receiver.received.length === 30, PATIENT_MS);
  expect(numbersOf(receiver.received)).toEqual([...upTo(25), ...upTo(5, 21)]);
  // What was repeated is not counted twice.
  await until("counted", async () => (await site.progress(id)).sent === 25, PATIENT_MS);
});

it("a forwarder keeps the journal for a receiver that is away, and sends all of it in order", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const others = site.journal.cursor("pipeline");
  await receiver.pause();
  const id = await site.add("f1", receiver.url);
  for (const from of [1, 61, 121]) {
    await site.journalNumbers("a1", upTo(60, from));
    others.advance(site.journal.syncedSequence);
  }
  const held = await until(
    "held",
    async () => {
      const row = await site.progress(id);
      return row.heldSinceMs !== undefined && row;
    },
    PATIENT_MS,
  );
  expect(held).toMatchObject({
    sent: 0,
    lastError: { reason: "connection refused" },
    behind: { records: 180 },
  });
  // No segment behind it is deleted, whatever the other reader has passed.
  const hold = site.journal.cursor("forwarding");
  expect(hold.sequence).toBe(0);
  // What it has read is in its memory as well, until it ends.
  await site.restart();
  await receiver.resume();
  await until("all", () => receiver.received.length === 180, PATIENT_MS);
  expect(numbersOf(receiver.received)).toEqual(upTo(180));
  await until("let go", async () => (await site.progress(id)).behind === undefined, PATIENT_MS);
  await site.forwarding.refresh();
  expect(hold.sequence).toBe(180);
});

it("forwarding reports what was lost when a receiver was away for longer than the journal keeps", async () => {
  await using receiver = await openHttpReceiver();
  // Two segments of 4 KiB.
  await using site = await openForwardSite({ heldBytes: 8_192 });
  const others = site.journal.cursor("pipeline");
  const id = await site.add("f1", receiver.url);
  await site.journalNumbers("a1", [1]);
  await until("the first", async () => (await site.progress(id)).sent === 1, PATIENT_MS);
  await receiver.pause();
  for (const from of upTo(5)) {
    await site.journalNumbers("a1", upTo(60, from * 60));
    others.advance(site.journal.syncedSequence);
  }
  await until("deleted", () => site.journal.oldestSequence > 150, PATIENT_MS);
  // What it had read is in its memory; whoever starts again finds it gone.
  await site.forwarding.stop();
  await receiver.resume();
  await site.restart();
  const last = site.journal.syncedSequence;
  const row = await until(
    "at the end",
    async () => {
      const found = await site.progress(id);
      return found.sequence === last && found;
    },
    PATIENT_MS,
  );
  const gone = row.skipped["no_longer_kept"] ?? 0;
  expect(gone).toBeGreaterThan(100);
  // Number 1, and record 2 on: numbers 60 to 359, of which the first are gone.
  expect(numbersOf(receiver.received)).toEqual([1, ...upTo(300 - gone, 60 + gone)]);
  expect(row.sent + gone).toBe(last);
  expect(row.lastError?.reason).toContain(`${gone} records`);
});

it("a forwarder goes on behind records that a journal has lost altogether", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  await site.forwarding.stop();
  const id = await site.add("f1", receiver.url);
  const journalId = site.journal.id;
  await site.records.forwarders.record([
    {
      forwarderId: id,
      journalId,
      sequence: 10,
      sent: 10,
      skipped: {},
      lastSentAtMs: undefined,
      lastError: undefined,
      heldSinceMs: undefined,
      behind: undefined,
    },
  ]);
  // Some store had come to record 50, of which the journal knows nothing.
  await site.journal.passOver(50);
  await site.restart();
  await site.journalNumbers("a1", [1]);
  await until("the next one", () => receiver.received.length === 1, PATIENT_MS);
  await until("stored", async () => (await site.progress(id)).sequence === 51, PATIENT_MS);
  expect(await site.progress(id)).toMatchObject({ sent: 11, skipped: { no_longer_kept: 40 } });
});

it("a forwarder does not let a receiver that never answers hold up another, or read on without bound", async () => {
  await using fast = await openHttpReceiver();
  await using stuck = await openHttpReceiver();
  stuck.answer = () => undefined;
  await using site = await openForwardSite();
  const stuckId = await site.add("stuck", stuck.url);
  await site.add("fast", fast.url, { projectIds: ["p2" as ProjectId] });
  for (const asset of ["a1", "a2", "a3", "a4"]) await site.journalNumbers(asset, upTo(300));
  await site.journalNumbers("a5", upTo(30), "p2");
  await until("all of the fast one", () => fast.received.length === 30, PATIENT_MS);
  expect(numbersOf(fast.received)).toEqual(upTo(30));
  // It has read 512 messages, and what one read adds to them: of a1, a2 and at most a3.
  expect(stuck.received.length).toBeLessThanOrEqual(3);
  expect(await site.progress(stuckId)).toMatchObject({ sequence: 0, behind: { records: 1_230 } });
});

it("a forwarder passes on readings of its projects, by the project that the asset was in", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  await site.add("f1", receiver.url, { projectIds: ["p2" as ProjectId] });
  await site.journalNumbers("a1", [1], "p1");
  await site.journalNumbers("a1", [2], "p2");
  // Moved back before its reading is passed on: it was taken in p2.
  site.directory.change("a1", assetEntry("a1", "p1"));
  await site.journalNumbers("a1", [3], "p1");
  await site.journalNumbers("a2", [4], "p2");
  await until("both", () => receiver.received.length === 2, PATIENT_MS);
  const forwarded = receiver.received.map(
    ({ body }) => JSON.parse(body).device.attributes.project_id,
  );
  expect(numbersOf(receiver.received)).toEqual([2, 4]);
  expect(forwarded).toEqual(["p2", "p2"]);
});

it("forwarding skips and counts what it cannot send: no position yet, a deleted asset, an unreadable record", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const id = await site.add("f1", receiver.url);
  const silent = readingOf({ engine_on: 1 }, FIRST_FIX_MS);
  const later = readingOf({ engine_on: 0 }, FIRST_FIX_MS + 60_000);
  await journalReadings(site.journal, batchOf("a1", [silent, numbered(2), later]));
  // The fix was older than the reading of 1970, so it says nothing of it.
  await journalReadings(site.journal, batchOf("a1", [readingOf({ engine_on: 1 }, 5)]));
  await journalReadings(site.journal, batchOf("gone", [numbered(3), numbered(4)]));
  await new Promise<void>((resolve) => {
    site.journal.append(1, FIRST_FIX_MS, Uint8Array.of(200, 1), () => resolve());
  });
  await until("at the end", async () => (await site.progress(id)).sequence === 4, PATIENT_MS);
  expect(await site.progress(id)).toMatchObject({
    sent: 2,
    skipped: { without_position: 2, asset_deleted: 2, unreadable: 1 },
  });
  const outdated = receiver.received.map(({ body }) => JSON.parse(body).position.outdated);
  expect(outdated).toEqual([false, true]);
});

it("a forwarder is worked by each ingest process for its own journal, without what another one handed over", async () => {
  await using receiver = await openHttpReceiver();
  await using first = await openForwardSite();
  await using second = await openForwardSite({ records: first.records });
  await first.add("f1", receiver.url);
  await second.forwarding.refresh();
  await first.journalNumbers("a1", [1]);
  const [record] = await first.journal.read(1, { records: 1, bytes: 1_000 });
  if (record === undefined) throw new Error("nothing was journalled");
  const origin = { journalId: first.journal.id, sequence: record.sequence };
  await new Promise<void>((resolve) => {
    const body = encodeHandedOver({ origin, record });
    second.journal.append(RECORD_KIND.handedOver, FIRST_FIX_MS, body, () => resolve());
  });
  await second.journalNumbers("a2", [2]);
  const done = await until(
    "both journals",
    async () => {
      await Promise.all([first.forwarding.refresh(), second.forwarding.refresh()]);
      const rows = await first.records.forwarders.progress();
      return rows.every(({ behind }) => behind === undefined) && rows;
    },
    PATIENT_MS,
  );
  expect([...numbersOf(receiver.received)].sort()).toEqual([1, 2]);
  expect(new Map(done.map(({ journalId, sent }) => [journalId, sent]))).toEqual(
    new Map([
      [first.journal.id, 1],
      [second.journal.id, 1],
    ]),
  );
});

it("a forwarder repeats the asset's newest fix until it has seen one itself", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  site.fixes.set("a1", {
    latitude: 48.1,
    longitude: 11.5,
    accuracyMeters: 3,
    accuracySource: "reported",
    speedSource: "reported",
    headingSource: "reported",
    speedKmh: 18.52,
    heading: 45,
    fixTimeMs: FIRST_FIX_MS - 1_000,
    timeSource: "device",
    receivedAtMs: FIRST_FIX_MS,
  });
  await site.add("f1", receiver.url);
  // The fix came later than this one.
  const before = readingOf({ engine_on: 0 }, FIRST_FIX_MS - 2_000);
  await journalReadings(site.journal, batchOf("a1", [before, readingOf({ engine_on: 1 })]));
  await until("one", () => receiver.received.length === 1, PATIENT_MS);
  expect(JSON.parse(receiver.received[0]?.body ?? "{}").position).toMatchObject({
    outdated: true,
    latitude: 48.1,
    speed: 10,
    deviceTime: "2026-03-05T12:00:00.000+0000",
    fixTime: "2026-03-05T11:59:59.000+0000",
  });
});

it("a forwarder stops when it is disabled and catches up when it is enabled, or leaves out what it missed", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const id = await site.add("f1", receiver.url);
  await site.journalNumbers("a1", [1]);
  await until("the first", async () => (await site.progress(id)).sent === 1, PATIENT_MS);
  await site.change(id, { status: "disabled" });
  expect(site.forwarding.progress).toEqual([]);
  await site.journalNumbers("a1", [2]);
  await site.change(id, { status: "active" });
  await until("the missed one", () => receiver.received.length === 2, PATIENT_MS);
  await until("stored", async () => (await site.progress(id)).sent === 2, PATIENT_MS);
  await site.change(id, { status: "disabled" });
  await site.journalNumbers("a1", [3]);
  site.clock.ms += 1;
  await site.change(id, { status: "active", startAtMs: site.clock.ms });
  await site.journalNumbers("a1", [4]);
  await until("the newest", () => receiver.received.length === 3, PATIENT_MS);
  expect(numbersOf(receiver.received)).toEqual([1, 2, 4]);
});

it("a forwarder ends at once when it is deleted", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const id = await site.add("f1", receiver.url);
  await site.journalNumbers("a1", [1]);
  await until("the first", () => receiver.received.length === 1, PATIENT_MS);
  await site.records.forwarders.delete(id);
  await site.forwarding.refresh();
  await site.journalNumbers("a1", [2]);
  await site.forwarding.refresh();
  expect(site.forwarding.progress).toEqual([]);
  expect(receiver.received).toHaveLength(1);
});

it("a forwarder opens no connection to an address that is not allowed, whatever name it has", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite({
    allowCidrs: [],
    names: { "inside.example": ["127.0.0.1"] },
  });
  const urls = [
    receiver.url,
    `http://inside.example:${receiver.port}/`,
    `mqtt://127.1:${receiver.port}`,
    `mqtt://inside.example:${receiver.port}`,
    `mqtts://inside.example:${receiver.port}`,
  ];
  for (const [i, url] of urls.entries()) {
    const isMqtt = url.startsWith("mqtt");
    await site.add(`f${i}`, url, isMqtt ? { kind: "mqtt", topic: "t", format: "plumbline" } : {});
  }
  await site.journalNumbers("a1", [1]);
  await until(
    "all are held",
    () =>
      site.forwarding.progress.filter(({ lastError }) => lastError?.reason.includes("not allowed"))
        .length === urls.length,
    PATIENT_MS,
  );
  expect(receiver.connections).toBe(0);
});

it("a forwarder logs in with the credentials it was given, and holds everything while they are refused", async () => {
  await using receiver = await openHttpReceiver();
  await using site = await openForwardSite();
  const basic = `Basic ${Buffer.from("traccar:secret").toString("base64")}`;
  receiver.answer = (request, response) => {
    answering(request.headers.authorization === basic ? 200 : 401)(request, response);
  };
  const sealed = (text: object) => site.seal.seal("f1", JSON.stringify(text));
  const id = await site.add("f1", receiver.url, {
    credentials: sealed({ username: "traccar", password: "wrong" }),
  });
  await site.journalNumbers("a1", [1]);
  await until("held", async () => (await site.progress(id)).heldSinceMs !== undefined, PATIENT_MS);
  expect((await site.progress(id)).lastError?.reason).toBe("the receiver answered 401");
  await site.change(id, { credentials: sealed({ username: "traccar", password: "secret" }) });
  await until("sent", async () => (await site.progress(id)).sent === 1, PATIENT_MS);
  await site.change(id, { credentials: new Uint8Array([1, 2, 3]) });
  await until(
    "unreadable",
    async () => (await site.progress(id)).lastError?.reason.includes("credentials cannot be read"),
    PATIENT_MS,
  );
});
