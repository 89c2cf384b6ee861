import { truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TelemetryPoint, TelemetryStore } from "../../../../storage/ports/telemetry-store.ts";
import { PERIOD_MS } from "../../../../storage/telemetry/embedded/blocks/period.ts";
import { openEmbeddedTelemetryStore } from "../../../../storage/telemetry/embedded/open.ts";
import { diskFullIsRequired, mountSmallDisk, type SmallDisk } from "../../../support/small-disk.ts";
import { all, NOON_MS, point, rowsOf } from "../../../support/telemetry-points.ts";

const MIB = 1024 ** 2;
const mounted = await mountSmallDisk("tmpfs", 48 * MIB);
const reason = "unavailable" in mounted ? mounted.unavailable : undefined;
const skipped = reason !== undefined && !diskFullIsRequired();

describe.skipIf(skipped)(
  `the embedded telemetry store on a disk that is full${skipped ? ` (skipped: ${reason})` : ""}`,
  () => {
    let disk: SmallDisk;
    let store: TelemetryStore;
    let sequence = 0;

    const open = () =>
      openEmbeddedTelemetryStore({ dir: join(disk.dir, "telemetry"), retryMs: 50 });
    const write = (points: readonly TelemetryPoint[]) =>
      store.write(points, { journalId: "journal-a", sequence: ++sequence });
    /** A point in a period that has no file yet. */
    const elsewhere = (periods: number) => point(NOON_MS + periods * PERIOD_MS, { speed_kmh: 1 });

    beforeAll(async () => {
      if ("unavailable" in mounted) throw new Error(mounted.unavailable);
      disk = mounted;
      store = await open();
      await write([elsewhere(0)]);
      await store.flush();
    });
    afterAll(async () => {
      await store.close();
      await disk.unmount();
    });

    it.each([
      0, 4_096, 8_192, 16_384, 65_536,
    ])("the embedded store with %i bytes free refuses to seal a new period, and seals it when there is space again", async (free) => {
      const period = sequence;
      await write([elsewhere(period)]);
      disk.leave(free);
      await expect(store.flush()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      const series = await store.read(all());
      expect(rowsOf(series)).toHaveLength(period + 1);
      disk.relieve();
      await expect.poll(() => store.durablePosition?.sequence).toBe(sequence);
      await store.close();
      store = await open();
      expect(rowsOf(await store.read(all()))).toHaveLength(period + 1);
    });

    it("the embedded store opens with lock files that have no space of their own, and says so when it cannot", async () => {
      await store.close();
      truncateSync(join(disk.dir, "telemetry", "embedded", "catalog.mdb-lock"), 0);
      disk.leave(0);
      await expect(open()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      disk.relieve();
      store = await open();
      expect(store.durablePosition?.sequence).toBe(sequence);
    });
  },
);
