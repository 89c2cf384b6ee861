import { describe, expect, it } from "vitest";
import type { TelemetryDeadLetter } from "../../../storage/ports/equipment/telemetry-dead-letters.ts";
import { assetId, type OpenStore, projectId } from "./rows.ts";

function letter(number: number, refusedAtMs: number): TelemetryDeadLetter {
  return {
    assetId: assetId("a1"),
    projectId: projectId("p1"),
    fixTimeMs: 1_700_000_000_000 + number,
    line: `telemetry,asset=a1,project=p1 speed_kmh=${number} ${1_700_000_000_000 + number}`,
    reason: "400: field type conflict",
    refusedAtMs,
  };
}

export function describeTelemetryDeadLetters(current: () => OpenStore): void {
  describe("dead letters of telemetry", () => {
    it("the store of dead letters lists them newest first, up to the limit", async () => {
      const { telemetryDeadLetters } = current().store;
      await telemetryDeadLetters.add([letter(1, 10), letter(2, 30)]);
      await telemetryDeadLetters.add([letter(3, 20)]);
      expect(await telemetryDeadLetters.list(2)).toStrictEqual([letter(2, 30), letter(3, 20)]);
    });

    it("the store of dead letters keeps a line that is refused again once, as it was first refused", async () => {
      const { telemetryDeadLetters } = current().store;
      await telemetryDeadLetters.add([letter(1, 10)]);
      await telemetryDeadLetters.add([letter(1, 99), letter(2, 5)]);
      expect(await telemetryDeadLetters.list(10)).toStrictEqual([letter(1, 10), letter(2, 5)]);
    });

    it("the store of dead letters takes a batch that holds a line twice", async () => {
      const { telemetryDeadLetters } = current().store;
      await telemetryDeadLetters.add([letter(1, 10), letter(1, 10)]);
      expect(await telemetryDeadLetters.list(10)).toStrictEqual([letter(1, 10)]);
    });

    it("the store of dead letters expires those refused before the limit and says when none are left", async () => {
      const { telemetryDeadLetters } = current().store;
      await telemetryDeadLetters.add([letter(1, 10), letter(2, 20), letter(3, 30)]);
      expect(await telemetryDeadLetters.expire(20)).toBe(false);
      expect(await telemetryDeadLetters.list(10)).toStrictEqual([letter(3, 30), letter(2, 20)]);
    });
  });
}
