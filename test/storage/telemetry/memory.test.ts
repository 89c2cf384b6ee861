import { describeTelemetryStore } from "../../contracts/telemetry-store.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";

// The fake that other tests stand on has to behave like the stores it stands for.
describeTelemetryStore("memory", async () => ({
  store: openMemoryTelemetryStore(),
  cleanUp: async () => {},
}));
