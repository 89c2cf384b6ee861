import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { readTarget } from "../../outbound/target.ts";

const rules = createAddressRules([]);

describe("addresses", () => {
  it.each([
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "",
    "example.com",
  ])("%j is not allowed", (address) => {
    expect(rules.allows(address, 443)).toBe(false);
  });

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
  ])("%s is allowed on ports 80 and 443 only", (address) => {
    const allowed = [80, 443, 22, 25, 8080, 1883].filter((port) => rules.allows(address, port));
    expect(allowed).toEqual([80, 443]);
  });

  it("addresses that OUTBOUND_ALLOW_CIDRS names are allowed on every port, in every notation of theirs", () => {
    const site = createAddressRules(["10.1.0.0/16", "fd00:1::/32", "192.168.7.9/32"]);
    const ask = (address: string) => site.allows(address, 1234);
    expect(["10.1.2.3", "::ffff:10.1.2.3", "fd00:1::9", "192.168.7.9"].map(ask)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["10.2.0.1", "fd00:2::9", "192.168.7.8", "8.8.8.8", "::1"].map(ask)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

const refusalOf = (url: string) => {
  const target = readTarget(url, rules);
  return "refusal" in target ? target.refusal : undefined;
};

describe("URLs", () => {
  it.each([
    "http://127.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://①②⑦.0.0.1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data/",
    "https://100.64.3.4/",
    "https://10.0.0.1/",
    "https://8.8.8.8:22/",
  ])("%s leads to an address or a port that is not allowed", (url) => {
    expect(refusalOf(url)).toBe("leads to an address or a port that is not allowed");
  });

  it.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "//example.com/hook",
    "example.com/hook",
    "http://",
    "http://exa mple.com/",
    "",
  ])("%j is no absolute http or https URL", (url) => {
    expect(refusalOf(url)).toBe("must be an absolute http or https URL");
  });

  it.each([
    "https://user:secret@example.com/",
    "https://user@example.com/",
    "https://:x@a.test/",
  ])("%s must not hold a user name or a password", (url) => {
    expect(refusalOf(url)).toBe("must not hold a user name or a password");
  });

  it("URLs are cut off at 2,048 characters", () => {
    const url = (length: number) => "https://example.com/".padEnd(length, "x");
    expect([refusalOf(url(2_048)), refusalOf(url(2_049))]).toEqual([
      undefined,
      "must have at most 2048 characters",
    ]);
  });

  it("URLs of the public web are read with their real port", () => {
    const [plain, tls, literal] = [
      "http://example.com/a?b#c",
      "https://example.com",
      "https://[2606:4700::1111]/",
    ].map((url) => readTarget(url, rules));
    expect(plain).toMatchObject({ host: "example.com", port: 80, isTls: false });
    expect(tls).toMatchObject({ host: "example.com", port: 443, isTls: true });
    expect(literal).toMatchObject({ host: "2606:4700::1111", port: 443, isTls: true });
  });
});
