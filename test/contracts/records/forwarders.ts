import { describe, expect, it } from "vitest";
import type { ForwarderId } from "../../../domain/ids.ts";
import type { Forwarder, ForwarderProgress } from "../../../storage/ports/events/forwarders.ts";
import { JOURNAL, NOON_MS, type OpenStore, projectId } from "./rows.ts";

const OTHER_JOURNAL = "0d6a1c2e-9f55-4a5e-8c6b-27a0f1f0b511";

const forwarderId = (id: string) => id as ForwarderId;

export function forwarder(id: string, change: Partial<Forwarder> = {}): Forwarder {
  return {
    id: forwarderId(id),
    name: "Leitstand",
    kind: "traccar_http",
    url: "https://example.com/positions?token=1",
    format: "traccar",
    topic: undefined,
    projectIds: undefined,
    credentials: undefined,
    status: "active",
    startAtMs: NOON_MS,
    createdAtMs: NOON_MS,
    updatedAtMs: NOON_MS,
    ...change,
  };
}

function progress(
  id: string,
  sequence: number,
  change: Partial<ForwarderProgress> = {},
): ForwarderProgress {
  return {
    forwarderId: forwarderId(id),
    journalId: JOURNAL,
    sequence,
    sent: 0,
    skipped: {},
    lastSentAtMs: undefined,
    lastError: undefined,
    heldSinceMs: undefined,
    behind: undefined,
    ...change,
  };
}

export function describeForwarderRecords(current: () => OpenStore): void {
  const forwarders = () => current().store.forwarders;
  const missing = { code: "FORWARDER_NOT_FOUND" };

  describe("forwarders", () => {
    it("finds a forwarder with every field it was given, and lists the oldest first", async () => {
      const full = forwarder("f1", {
        kind: "mqtt",
        url: "mqtts://broker.example:8883",
        format: "plumbline",
        topic: "sites/{project}/assets/{asset}/telemetry",
        projectIds: [projectId("p1"), projectId("p2")],
        credentials: new Uint8Array([0, 1, 255]),
        status: "disabled",
        startAtMs: NOON_MS + 2,
        createdAtMs: NOON_MS + 1,
        updatedAtMs: NOON_MS + 3,
      });
      await forwarders().insert(full);
      await forwarders().insert(forwarder("f2", { projectIds: [] }));
      expect(await forwarders().find(forwarderId("f1"))).toStrictEqual(full);
      expect(await forwarders().find(forwarderId("f3"))).toBeUndefined();
      expect(await forwarders().list()).toStrictEqual([forwarder("f2", { projectIds: [] }), full]);
    });

    it("the store of forwarders refuses a taken id with ID_CONFLICT and keeps the first", async () => {
      await forwarders().insert(forwarder("f1"));
      const again = forwarders().insert(forwarder("f1", { name: "other" }));
      await expect(again).rejects.toMatchObject({ code: "ID_CONFLICT" });
      expect(await forwarders().list()).toStrictEqual([forwarder("f1")]);
    });

    it("replaces a forwarder by what a change makes of it, one change after the other", async () => {
      await forwarders().insert(forwarder("f1", { name: "" }));
      const letters = [..."abcdefgh"];
      const changed = await Promise.all(
        letters.map((letter) =>
          forwarders().update(forwarderId("f1"), (before) => ({
            ...before,
            name: before.name + letter,
            credentials: new Uint8Array([7]),
          })),
        ),
      );
      const last = await forwarders().find(forwarderId("f1"));
      expect([...(last?.name ?? "")].sort()).toEqual(letters);
      expect(changed).toContainEqual(last);
    });

    it("leaves a forwarder alone when its change throws, and knows none that is not there", async () => {
      await forwarders().insert(forwarder("f1"));
      const refused = forwarders().update(forwarderId("f1"), () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await forwarders().find(forwarderId("f1"))).toStrictEqual(forwarder("f1"));
      const unknown = forwarderId("f9");
      await expect(forwarders().update(unknown, (before) => before)).rejects.toMatchObject(missing);
      await expect(forwarders().delete(unknown)).rejects.toMatchObject(missing);
    });

    it("keeps the progress of each forwarder in each journal, with every field", async () => {
      for (const id of ["f1", "f2"]) await forwarders().insert(forwarder(id));
      const full = progress("f1", 2 ** 40, {
        sent: 12,
        skipped: { without_position: 3, refused_400: 1 },
        lastSentAtMs: NOON_MS + 1,
        lastError: { atMs: NOON_MS, reason: "connection refused" },
        heldSinceMs: NOON_MS,
        behind: { records: 5, sinceMs: NOON_MS - 5 },
      });
      const other = progress("f1", 1, { journalId: OTHER_JOURNAL });
      await forwarders().record([full, other, progress("f2", 4)]);
      expect(await forwarders().progress(forwarderId("f1"))).toStrictEqual([other, full]);
      expect(await forwarders().progress()).toStrictEqual([other, full, progress("f2", 4)]);
    });

    it("the store of forwarders moves progress forward only, and leaves out forwarders that are gone", async () => {
      await forwarders().insert(forwarder("f1"));
      await forwarders().record([]);
      await forwarders().record([progress("f1", 9), progress("gone", 3)]);
      await forwarders().record([progress("f1", 8, { sent: 1 })]);
      expect(await forwarders().progress()).toStrictEqual([progress("f1", 9)]);
      await forwarders().record([progress("f1", 9, { sent: 2 })]);
      expect(await forwarders().progress()).toStrictEqual([progress("f1", 9, { sent: 2 })]);
    });

    it("deletes a forwarder with its progress", async () => {
      for (const id of ["f1", "f2"]) await forwarders().insert(forwarder(id));
      await forwarders().record([progress("f1", 1), progress("f2", 2)]);
      await forwarders().delete(forwarderId("f1"));
      expect(await forwarders().list()).toStrictEqual([forwarder("f2")]);
      expect(await forwarders().progress()).toStrictEqual([progress("f2", 2)]);
    });
  });
}
