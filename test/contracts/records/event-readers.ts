import { describe, expect, it } from "vitest";
import type { EventSubscription } from "../../../storage/ports/events/event-readers.ts";
import { newEvent } from "../../support/new-event.ts";
import { NOON_MS, type OpenStore } from "./rows.ts";

export function describeEventReaderRecords(current: () => OpenStore): void {
  const readers = () => current().store.eventReaders;
  const newest = () => current().store.events.lastSequence();
  const raise = (...ids: readonly string[]) =>
    current().store.events.append(ids.map((id) => newEvent(id)));

  describe("readers of the outbox", () => {
    it("readers of the outbox begin behind the newest event, and stay where they are when they are opened again", async () => {
      await raise("e1", "e2");
      const first = await readers().open("r1", NOON_MS);
      expect(first).toEqual({ sequence: await newest(), subscriptions: [] });
      await raise("e3");
      expect(await readers().open("r1", NOON_MS + 1)).toEqual(first);
      expect(await readers().find("r1")).toEqual(first);
      expect(await readers().find("r2")).toBeUndefined();
    });

    it("readers of the outbox keep their subscriptions", async () => {
      await readers().open("r1", NOON_MS);
      const subscriptions: readonly EventSubscription[] = [
        { filter: "sites/p1/events/#", qos: 1, from: 7 },
        { filter: "sites/p2/events/+", qos: 0, from: 2 ** 40 },
      ];
      await readers().subscribe("r1", subscriptions);
      await readers().subscribe("gone", subscriptions);
      expect((await readers().find("r1"))?.subscriptions).toEqual(subscriptions);
      expect(await readers().find("gone")).toBeUndefined();
    });

    it("readers of the outbox move forward only, and none is made by moving it", async () => {
      await readers().open("r1", NOON_MS);
      await readers().open("r2", NOON_MS);
      const advance = (...places: readonly (readonly [string, number])[]) =>
        readers().advance(new Map(places), NOON_MS);
      await advance(["r1", 9], ["r2", 2 ** 40], ["gone", 3]);
      await advance(["r1", 8]);
      await advance();
      const placeOf = async (id: string) => (await readers().find(id))?.sequence;
      expect([await placeOf("r1"), await placeOf("r2"), await placeOf("gone")]).toEqual([
        9,
        2 ** 40,
        undefined,
      ]);
    });

    it("readers of the outbox are counted by the beginning of their id, and forgotten on demand or when not seen for long", async () => {
      for (const id of ["mqtt/a/1", "mqtt/a/2", "mqtt/b/1"]) await readers().open(id, NOON_MS);
      expect([await readers().count("mqtt/a/"), await readers().count("mqtt/%")]).toEqual([2, 0]);
      await readers().remove("mqtt/a/1");
      await readers().remove("mqtt/a/9");
      await readers().advance(new Map([["mqtt/b/1", 1]]), NOON_MS + 1);
      expect(await readers().expire(NOON_MS + 1)).toBe(false);
      expect([await readers().count("mqtt/a/"), await readers().count("mqtt/b/")]).toEqual([0, 1]);
    });
  });
}
