import { describe, expect, it } from "vitest";
import { BROKER_COUNTERS } from "../../../ingest/broker/counters.ts";
import { Login, type LoginResult } from "../../../ingest/broker/login.ts";
import { createCounters } from "../../../ingest/intake/readings/counters.ts";
import { assetEntry, fixedDirectory, verifySecret } from "../../support/fixed-directory.ts";

const T0 = Date.parse("2026-06-01T08:00:00Z");
const ADDRESS = "203.0.113.7";
const DEVICES = Array.from({ length: 50 }, (_, i) => `d${i}`);

/** A log-in check over 50 assets, at a time that the test decides. */
function openLogin() {
  const counters = createCounters(BROKER_COUNTERS);
  const barred: unknown[] = [];
  const time = { nowMs: T0 };
  const login = new Login({
    intake: { accepting: true },
    directory: fixedDirectory(DEVICES.map((id) => assetEntry(id))),
    verifySecret,
    authenticateReader: async (key) =>
      key === "right-key" ? { keyId: "k1", allows: () => true } : undefined,
    isTaken: () => false,
    counters,
    now: () => time.nowMs,
    onBarred: (what) => barred.push(what),
  });
  const attempt = (username: string, password: string, address = ADDRESS) =>
    login.check({
      address,
      sessionId: `${username}/client`,
      lacksId: false,
      username,
      password,
    }) as LoginResult;
  return { attempt, login, barred, counters, time };
}

const refusalOf = (result: LoginResult): string | undefined =>
  "refusal" in result ? result.refusal : undefined;

describe("50 devices behind one address, one of them with a wrong password", () => {
  it("50 devices behind one address, one of them with a wrong password lose no log-in of the other 49 in 10 minutes", () => {
    const { attempt, barred, counters, time } = openLogin();
    const [broken = "", ...others] = DEVICES;
    let accepted = 0;
    let refused = 0;
    for (let second = 0; second < 600; second += 1) {
      time.nowMs = T0 + second * 1_000;
      for (let i = 0; i < 5; i += 1) attempt(broken, "old-secret");
      for (const [i, id] of others.entries()) {
        if ((second + i) % 10 !== 0) continue;
        if (refusalOf(attempt(id, `${id}-secret`)) === undefined) accepted += 1;
        else refused += 1;
      }
    }

    expect({ accepted, refused }).toEqual({ accepted: 49 * 60, refused: 0 });
    // One bar, and one line of the log, a minute: 10 failures take 2 s, the bar 60 s.
    expect(barred).toHaveLength(10);
    expect(new Set(barred.map((what) => JSON.stringify(what))).size).toBe(1);
    expect(barred[0]).toEqual({ address: ADDRESS, username: broken });
    expect(counters.login_failed).toBe(100);
    expect(counters.login_blocked).toBe(3_000 - 100);
  });

  it("a device is let in with the right password while its own name is barred", () => {
    const { attempt } = openLogin();
    for (let i = 0; i < 20; i += 1) attempt("d0", "old-secret");

    expect(refusalOf(attempt("d0", "old-secret"))).toBe("barred");
    expect(refusalOf(attempt("d0", "d0-secret"))).toBeUndefined();
  });
});

describe("an address with 1,000 wrong passwords in a minute", () => {
  it("an address with 1,000 wrong passwords in a minute is barred for wrong passwords of any name, and right ones are let in", () => {
    const { attempt, barred, time } = openLogin();
    for (let i = 0; i < 1_000; i += 1) {
      time.nowMs = T0 + i * 50;
      attempt(`stranger-${i}`, "guess");
    }

    expect(barred).toEqual([{ address: ADDRESS }]);
    expect(refusalOf(attempt("d1", "guess"))).toBe("barred");
    expect(refusalOf(attempt("d1", "d1-secret"))).toBeUndefined();
    expect(refusalOf(attempt("d1", "guess", "203.0.113.8"))).toBe("wrong_password");
    time.nowMs += 60_000;
    expect(refusalOf(attempt("d1", "guess"))).toBe("wrong_password");
  });

  it("one customer's network of IPv6 counts as one address", () => {
    const { attempt } = openLogin();
    for (let i = 0; i < 10; i += 1) attempt("d1", "guess", `2001:db8:1:2::${i}`);

    expect(refusalOf(attempt("d1", "guess", "2001:db8:1:2:ffff::1"))).toBe("barred");
    expect(refusalOf(attempt("d1", "guess", "2001:db8:1:3::1"))).toBe("wrong_password");
  });

  it("an address with 1,000 wrong passwords in a minute still lets a reader in with the right key", async () => {
    const { login } = openLogin();
    const read = (password: string) =>
      login.check({
        address: ADDRESS,
        sessionId: "apikey/x",
        lacksId: false,
        username: "apikey",
        password,
      });
    for (let i = 0; i < 1_100; i += 1) await read(`wrong-${i}`);

    expect(await read("wrong")).toEqual({ refusal: "barred" });
    expect(await read("right-key")).toMatchObject({ principal: { kind: "reader" } });
  });
});
