import { describeTelemetryStore } from "../../contracts/telemetry-store.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";

// The fake that other tests use has to behave like the stores it replaces.
describeTelemetryStore("memory", async () => ({
  store: openMemoryTelemetryStore(),
  cleanUp: async () => {},
}));
