import { connect } from "node:net";
import { expect, it } from "vitest";
import { createMinuteWindow } from "../../../api/rate-limit/minute-window.ts";
import { ADMIN_KEY, NOON_MS, openTestApp } from "../../support/api-app.ts";

const ASSETS = "/api/v1/equipment/assets";

it("the rate limit answers the 1,001st request in a minute with 429 and Retry-After, over all areas", async () => {
  await using t = await openTestApp();
  const key = await t.key({ scopes: ["equipment:read"] });
  // 15 s into the minute; errors and unknown routes count too.
  t.clock.ms = NOON_MS + 15_000;
  const urls = [ASSETS, "/api/v1/projects", `${ASSETS}?hours=x&status=x`, "/nothing"];
  for (let i = 0; i < 999; i += 1) await t.get(urls[i % urls.length] ?? ASSETS, key);

  const last = await t.get(ASSETS, key);
  const refused = await t.get(ASSETS, key);
  const forbidden = await t.send("POST", ASSETS, key, {});
  t.clock.ms = NOON_MS + 60_000;
  const nextMinute = await t.get(ASSETS, key);

  expect(last.statusCode).toBe(200);
  expect(last.headers["x-ratelimit-remaining"]).toBe("0");
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({
    "retry-after": "45",
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(NOON_MS / 1_000 + 60),
  });
  expect(refused.json().error.code).toBe("rate_limit_exceeded");
  expect(forbidden.statusCode).toBe(429);
  expect(nextMinute.statusCode).toBe(200);
  expect(nextMinute.headers["x-ratelimit-remaining"]).toBe("999");
});

it("the rate limit gives every key its own window, and an enterprise key 10,000", async () => {
  await using t = await openTestApp();
  const first = await t.key();
  const second = await t.key({ plan: "enterprise" });
  await t.get(ASSETS, first);
  await t.get(ASSETS, first);
  const answer = await t.get(ASSETS, second);
  expect(answer.headers["x-ratelimit-limit"]).toBe("10000");
  expect(answer.headers["x-ratelimit-remaining"]).toBe("9999");
});

it("the rate limit refuses an address after 1,000 wrong keys in a minute, and never a valid key from it", async () => {
  await using t = await openTestApp();
  const statuses: number[] = [];
  for (let i = 0; i < 1_001; i += 1) {
    statuses.push((await t.get(ASSETS, i % 2 === 0 ? undefined : `wrong ${i}`)).statusCode);
  }
  const refused = await t.get(ASSETS, "wrong");
  const valid = await t.get(ASSETS, ADMIN_KEY);
  const probe = await t.get("/health/live", undefined);

  expect(statuses.filter((status) => status === 401)).toHaveLength(1_000);
  expect(statuses.at(-1)).toBe(429);
  expect(refused.headers).toMatchObject({
    "retry-after": "60",
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
  });
  expect([valid.statusCode, valid.headers["x-ratelimit-remaining"]]).toEqual([200, "9999"]);
  expect(probe.statusCode).toBe(200);
});

it("the rate limit counts a window's callers together once its table is full, and forgets all at the minute", () => {
  const window = createMinuteWindow(2);
  const counts = ["a", "b", "c", "d", "a"].map((caller) => window.take(caller, NOON_MS));
  expect(counts).toEqual([1, 1, 1, 2, 2]);
  expect(window.used("e", NOON_MS)).toBe(2);
  expect(window.take("c", NOON_MS + 60_000)).toBe(1);
});

/** Sends raw bytes and returns all that comes back. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

it.each([
  ["20 KiB of headers", `GET ${ASSETS} HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`],
  ["no HTTP at all", "\x16\x03\x01 hello\r\n\r\n"],
  ["an unknown method", "FETCH / HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["a tunnel", "CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["no Host", "GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n"],
])("the API answers %s with 400 in our form, and goes on", async (_name, bytes) => {
  await using t = await openTestApp();
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  const address = t.app.server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const answer = await exchange(port, bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/x-ratelimit-limit: 1000/);
  expect(JSON.parse(body).error.code).toBe("invalid_request");
  const next = await fetch(`http://127.0.0.1:${port}/health/live`);
  expect(next.status).toBe(200);
});

it("the API ignores an unknown expectation", async () => {
  await using t = await openTestApp();
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  const address = t.app.server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const answer = await exchange(
    port,
    `GET ${ASSETS} HTTP/1.1\r\nhost: x\r\nexpect: coffee\r\nconnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(answer).toMatch(/x-ratelimit-remaining: 999\r\n/);
});
