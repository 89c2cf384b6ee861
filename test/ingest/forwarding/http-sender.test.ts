import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { sendResultOf } from "../../../ingest/forwarding/http-answer.ts";
import { HttpSender } from "../../../ingest/forwarding/http-sender.ts";
import type { Sender, Settled } from "../../../ingest/forwarding/sender.ts";
import { createAddressRules } from "../../../outbound/address-rules.ts";
import { type OutboundClient, openOutboundClient } from "../../../outbound/client.ts";
import { answering, type HttpReceiver, openHttpReceiver } from "../../support/http-receiver.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const NOON_MS = Date.UTC(2026, 2, 5, 12);
const QUICK = { firstMs: 1, longestMs: 4, holdMs: 4 };

let receiver: HttpReceiver;
let outbound: OutboundClient;
let sender: Sender;
let troubles: string[];
/** `{body}: sent`, or why it was skipped, in the order of settling. */
let settled: string[];

beforeEach(async () => {
  receiver = await openHttpReceiver();
  outbound = openOutboundClient({
    rules: createAddressRules(["127.0.0.0/8"]),
    resolve: async () => ["127.0.0.1"],
  });
  troubles = [];
  settled = [];
});

afterEach(async () => {
  await sender.stop();
  outbound.close();
  await receiver[Symbol.asyncDispose]();
});

function start(backOff = QUICK): void {
  sender = new HttpSender({
    url: receiver.url,
    headers: { "x-api-key": "k" },
    outbound,
    onTrouble: (reason) => troubles.push(reason),
    now: () => NOON_MS,
    random: () => 1,
    backOff,
    mostTries: 3,
    stopMs: 100,
  });
}

const nameOf = (end: Settled): string => (end === "sent" ? end : end.skipped);

function add(assetId: string, ...bodies: readonly string[]): void {
  for (const body of bodies) {
    const message = { assetId: assetId as AssetId, topic: undefined, body };
    sender.add({ message, settle: (end) => settled.push(`${body}: ${nameOf(end)}`) });
  }
}

const allSettled = () => until("all settled", () => sender.pending === 0, PATIENT_MS);

it("the HTTP sender posts JSON with the headers that it was given", async () => {
  start();
  add("a1", '{"n":1}');
  await allSettled();
  expect(receiver.received).toMatchObject([
    { body: '{"n":1}', headers: { "content-type": "application/json", "x-api-key": "k" } },
  ]);
  expect(settled).toEqual(['{"n":1}: sent']);
});

it("the HTTP sender skips what is refused for good and goes on with the next of the same asset", async () => {
  receiver.answer = (request, response) =>
    answering(request.body === "bad" ? 400 : 200)(request, response);
  start();
  add("a1", "1", "bad", "2");
  await allSettled();
  expect(settled).toEqual(["1: sent", "bad: refused_400", "2: sent"]);
  expect(troubles).toEqual([]);
});

it("the HTTP sender tries again what fails for now, before anything later of the same asset", async () => {
  const failing = [500, 408, 503, 500, 502, 500];
  receiver.answer = (request, response) => {
    answering(failing.shift() ?? 200)(request, response);
  };
  start();
  add("a1", "1", "2");
  await allSettled();
  expect(receiver.received.map(({ body }) => body)).toEqual([
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "2",
  ]);
  expect(settled).toEqual(["1: sent", "2: sent"]);
  expect(troubles).toContain("the receiver answered 503");
});

it("the HTTP sender gives up one message that always fails while others get through, and no other", async () => {
  receiver.answer = (request, response) =>
    answering(request.body === "poison" ? 500 : 200)(request, response);
  start();
  add("a1", "poison", "after");
  // Alone it may be the receiver: it is never given up.
  await until("many tries", () => receiver.received.length > 6, PATIENT_MS);
  expect(settled).toEqual([]);
  add("a2", "other");
  await allSettled();
  expect(settled).toEqual(["other: sent", "poison: refused_500", "after: sent"]);
});

it("the HTTP sender asks a receiver that is down by one request at a time, and sends all once it is back", async () => {
  await receiver.pause();
  start();
  for (let i = 0; i < 20; i += 1) add(`a${i}`, String(i));
  await until("down", () => troubles.length >= 24, PATIENT_MS);
  receiver.open.most = 0;
  let most = 0;
  receiver.answer = (request, response) => {
    most = Math.max(most, receiver.open.now);
    setTimeout(() => answering(503)(request, response), 1);
  };
  await receiver.resume();
  await until("asked", () => receiver.received.length >= 3, PATIENT_MS);
  expect(most).toBe(1);
  receiver.answer = answering(204);
  await allSettled();
  expect(settled).toHaveLength(20);
});

it("the HTTP sender leaves a receiver alone for as long as it asks", async () => {
  receiver.answer = answering(429, { "retry-after": "3600" });
  start();
  add("a1", "1");
  await until("asked", () => troubles.length === 1, PATIENT_MS);
  receiver.answer = answering(204);
  add("a2", "2");
  // Enough for 10 tries at this back-off, had it not asked.
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(receiver.received).toHaveLength(1);
  expect(settled).toEqual([]);
});

it.each([
  401, 403, 407, 410, 302,
])("the HTTP sender holds everything while it is answered %i, and loses none of it", async (status) => {
  receiver.answer = answering(status, { location: "http://127.0.0.1:1/" });
  start();
  add("a1", "1");
  add("a2", "2");
  await until("tried often", () => troubles.length > 8, PATIENT_MS);
  expect(settled).toEqual([]);
  receiver.answer = answering(200);
  await allSettled();
  expect(settled.sort()).toEqual(["1: sent", "2: sent"]);
});

it("the HTTP sender waits at its stop for the answers that come soon, and gives up the rest", async () => {
  let answerSoon: () => void = () => undefined;
  receiver.answer = (request, response) => {
    if (request.body === "soon") answerSoon = () => answering(204)(request, response);
  };
  start();
  add("a1", "soon", "never sent");
  add("a2", "hangs");
  await until("both asked", () => receiver.received.length === 2, PATIENT_MS);
  const stopped = sender.stop();
  answerSoon();
  await stopped;
  expect(settled).toEqual(["soon: sent"]);
  expect(receiver.received).toHaveLength(2);
});

describe("verdictOf", () => {
  const kindOf = (status: number) => sendResultOf({ status, retryAfter: undefined }, NOON_MS).kind;

  it("the HTTP sender knows what to do with every status", () => {
    const kinds = [200, 204, 301, 400, 404, 408, 422, 425, 429, 500, 503, 599].map(kindOf);
    expect(kinds).toEqual([
      ...["sent", "sent", "hold", "refused", "refused", "retry", "refused"],
      ...["retry", "retry", "retry", "retry", "retry"],
    ]);
  });

  it("names no address and reads Retry-After as seconds or as a date", () => {
    expect(sendResultOf({ failure: "blocked" }, NOON_MS)).toMatchObject({
      kind: "hold",
      reason: "the address or the port is not allowed",
    });
    expect(sendResultOf({ failure: "stopped" }, NOON_MS)).toEqual({ kind: "stopped" });
    expect(sendResultOf({ status: 503, retryAfter: "7" }, NOON_MS)).toMatchObject({
      retryAfterMs: 7_000,
    });
  });
});
