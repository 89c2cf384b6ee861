import { describe, expect, it } from "vitest";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";

const NOON_MS = Date.UTC(2026, 2, 5, 12);
const signer = createFileUrlSigner(new Uint8Array(32).fill(3));
const key = "images/a.jpg";
const query = Object.fromEntries(new URLSearchParams(signer.sign(key, NOON_MS)));

describe("signed addresses of files", () => {
  it("signed addresses of files hold until they expire, for every process of one secret", () => {
    const other = createFileUrlSigner(new Uint8Array(32).fill(3));
    expect([
      signer.isValid(key, query, NOON_MS - 1),
      other.isValid(key, query, NOON_MS - 1),
      signer.isValid(key, query, NOON_MS),
    ]).toEqual([true, true, false]);
  });

  it.each([
    ["another key", "images/b.jpg", query],
    ["a later end", key, { ...query, expires: String(NOON_MS / 1_000 + 60) }],
    ["another spelling of the end", key, { ...query, expires: `0${query["expires"]}` }],
    ["an end that is not a number", key, { ...query, expires: "1e12" }],
    ["no end", key, { signature: query["signature"] }],
    ["no signature", key, { expires: query["expires"] }],
    ["a shorter signature", key, { ...query, signature: query["signature"]?.slice(0, -4) }],
    ["two signatures", key, { ...query, signature: [query["signature"], query["signature"]] }],
  ])("signed addresses of files do not hold for %s", (_, asked, given) => {
    expect(signer.isValid(asked, given, NOON_MS - 1)).toBe(false);
  });

  it("signed addresses of files do not hold under another secret", () => {
    const stranger = createFileUrlSigner(new Uint8Array(32).fill(4));
    expect(stranger.isValid(key, query, NOON_MS - 1)).toBe(false);
  });
});
