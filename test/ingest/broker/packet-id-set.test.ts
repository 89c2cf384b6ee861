import { describe, expect, it } from "vitest";
import { PacketIdSet } from "../../../ingest/broker/packet-id-set.ts";
import { seededRandom } from "../../support/seeded-random.ts";

describe("a set of packet identifiers", () => {
  it("holds what a Set holds, over 200,000 random changes of all 65,535 identifiers", () => {
    const random = seededRandom(20_261_123);
    const ids = new PacketIdSet();
    const model = new Set<number>();
    let differences = 0;
    for (let i = 0; i < 200_000; i += 1) {
      const id = 1 + Math.floor(random() * 65_535);
      if (ids.has(id) !== model.has(id)) differences += 1;
      if (random() < 0.6) {
        ids.add(id);
        model.add(id);
      } else {
        ids.delete(id);
        model.delete(id);
      }
    }
    for (let id = 1; id <= 65_535; id += 1) if (ids.has(id) !== model.has(id)) differences += 1;

    expect(model.size).toBeGreaterThan(30_000);
    expect(differences).toBe(0);
  });
});
