import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import {
  certificateNumber,
  isRevoked,
  readRevocationList,
  subjectName,
} from "../../tls/revocation-list.ts";
import { createAuthority } from "../support/test-authority.ts";

const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
const numberOf = (pem: string) => certificateNumber(new X509Certificate(pem).raw);

it("a revocation list names its authority, its next update and the certificates in it", async () => {
  const authority = await createAuthority();
  const [gone, stays] = await Promise.all([
    authority.issue({ subject: "CN=a1" }),
    authority.issue({ subject: "CN=a2" }),
  ]);
  const nextUpdate = new Date("2051-03-04T05:06:07Z");
  const list = readRevocationList(derOf(await authority.revoke([gone], nextUpdate)));

  expect(list.issuer).toBe(subjectName(new X509Certificate(authority.cert).raw));
  expect(list.nextUpdateMs).toBe(nextUpdate.getTime());
  expect(isRevoked(numberOf(gone.cert), [list])).toBe(true);
  expect(isRevoked(numberOf(stays.cert), [list])).toBe(false);
});

it("a revocation list says nothing about another authority's certificate of the same number", async () => {
  const [authority, other] = await Promise.all([
    createAuthority("CN=One"),
    createAuthority("CN=Two"),
  ]);
  const gone = await authority.issue({ subject: "CN=a1" });
  const list = readRevocationList(derOf(await other.revoke([gone])));

  expect(list.serials.size).toBe(1);
  expect(isRevoked(numberOf(gone.cert), [list])).toBe(false);
});

it("an empty revocation list revokes nothing", async () => {
  const authority = await createAuthority();
  expect(readRevocationList(derOf(await authority.revoke([]))).serials.size).toBe(0);
});

it("bytes that are cut short or changed are an error or a list, and nothing else", async () => {
  const authority = await createAuthority();
  const der = derOf(await authority.revoke([await authority.issue({ subject: "CN=a1" })]));
  for (let length = 0; length < der.length; length += 1) {
    expect(() => readRevocationList(der.subarray(0, length))).toThrow(/DER|revocation list/);
  }
  for (let at = 0; at < der.length; at += 1) {
    const changed = Buffer.from(der);
    changed.writeUInt8((changed.readUInt8(at) + 0x81) & 0xff, at);
    try {
      expect(readRevocationList(changed).serials.size).toBeLessThan(der.length);
    } catch (error) {
      expect(String(error)).toMatch(/DER|revocation list/);
    }
  }
});
