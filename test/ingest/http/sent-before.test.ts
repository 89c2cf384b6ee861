import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { SentBefore } from "../../../ingest/http/sent-before.ts";
import { hash32 } from "../../../ingest/intake/repeats/payload-hash.ts";
import { PEPPER } from "../../support/fixed-directory.ts";

const BODY = Buffer.from('{"engine_on":true}');

describe("the name of a request", () => {
  it("the name of a request is not that of another tenant's key, also where the key was chosen for its CRC-32", () => {
    const chosen = "abbabaaaaabbabbbbaabaaaaabbbbabbaaaaaaaa";
    expect(hash32(`http/their/plumbline//key/${chosen}`)).toBe(
      hash32("http/a1/plumbline//key/day-1"),
    );
    const sent = new SentBefore(() => 0, PEPPER);
    const nameOf = (asset: string, key: string) =>
      sent.nameOf(asset as AssetId, "plumbline/", BODY, key).senderHash;

    expect(nameOf("their", chosen)).not.toBe(nameOf("a1", "day-1"));
  });

  it("the name of a request is the same after a restart under the same key", () => {
    const nameOf = (sent: SentBefore) =>
      sent.nameOf("a1" as AssetId, "plumbline/", BODY, "day-1").senderHash;

    expect(nameOf(new SentBefore(() => 0, PEPPER))).toBe(nameOf(new SentBefore(() => 0, PEPPER)));
  });
});
