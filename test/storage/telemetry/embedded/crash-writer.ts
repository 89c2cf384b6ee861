import { openEmbeddedTelemetryStore } from "../../../../storage/telemetry/embedded/open.ts";
import { NOON_MS, point } from "../../../support/telemetry-points.ts";

/** Writes point n of second n for ever and prints every durable position; ended by kill -9. */
const store = await openEmbeddedTelemetryStore({ dir: process.argv[2] ?? "", memoryPoints: 500 });
store.onDurable(({ sequence }) => process.stdout.write(`${sequence}\n`));
for (let n = 0; ; n += 100) {
  const batch = Array.from({ length: 100 }, (_, i) =>
    point(NOON_MS + (n + i) * 1000, { a: n + i }),
  );
  await store.write(batch, { journalId: "journal-a", sequence: n + 100 });
}
