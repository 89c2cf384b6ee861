import type {
  TelemetryDeadLetter,
  TelemetryDeadLetters,
} from "../../../storage/ports/equipment/telemetry-dead-letters.ts";
import { removeWhere } from "./rows.ts";

/** Dead letters in memory. */
export function createMemoryTelemetryDeadLetters(): TelemetryDeadLetters {
  const letters: TelemetryDeadLetter[] = [];
  return {
    async add(added) {
      for (const letter of added) {
        if (!letters.some(({ line }) => line === letter.line)) letters.push(letter);
      }
    },
    list: async (limit) =>
      letters.toSorted((a, b) => b.refusedAtMs - a.refusedAtMs).slice(0, limit),
    async expire(beforeMs) {
      removeWhere(letters, ({ refusedAtMs }) => refusedAtMs < beforeMs);
      return false;
    },
  };
}
