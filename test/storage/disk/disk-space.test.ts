import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import { StorageShortage } from "../../../domain/platform/storage-shortage.ts";
import { type DiskSpaceOptions, openDiskSpace } from "../../../storage/disk/disk-space.ts";
import { meteredStream } from "../../../storage/disk/metered-stream.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** A disk whose free space the test sets: 100 bytes are the reserve, another 100 the margin. */
function smallDisk(freeBytes: number, options: Partial<DiskSpaceOptions> = {}) {
  const state = { freeBytes };
  const disk = openDiskSpace({
    dir: "/disk",
    minFreeBytes: 100,
    marginBytes: 100,
    space: () => ({ freeBytes: state.freeBytes, totalBytes: 1_000 }),
    ...options,
  });
  return { state, disk };
}

const code = (error: unknown) => (error as StorageShortage).code;

describe("the admission of a disk", () => {
  it("the admission of a disk promises what lies above reserve and margin, and not a byte more", async () => {
    const { disk } = smallDisk(250);
    await disk.reserve("file", 50);
    const refusal = await disk.reserve("file", 1).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "DISK_FULL",
      figures: { neededBytes: 1, leftBytes: 0 },
    });
  });

  it("the admission of a disk counts what was promised and is not written yet, so that ten at once do not cross the line together", async () => {
    const { disk } = smallDisk(300);
    const asked = Array.from({ length: 10 }, () => disk.reserve("upload", 30));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(disk.leftBytes("upload")).toBe(10);
  });

  it("the admission of a disk counts a byte that was written once: as free space that is gone, not as a promise", async () => {
    const { state, disk } = smallDisk(300);
    const grant = await disk.reserve("file", 80);
    state.freeBytes -= 60;
    grant.wrote(60);
    expect(disk.leftBytes("file")).toBe(20);
    grant.release();
    grant.release();
    expect([disk.leftBytes("file"), disk.stats().promisedBytes]).toEqual([40, 0]);
  });

  it("the admission of a disk shares its promises with a second thread on the same disk", async () => {
    const first = smallDisk(300);
    const second = smallDisk(300, { promises: first.disk.promises });
    await first.disk.reserve("file", 70);
    await expect(second.disk.reserve("stage_cache", 31)).rejects.toThrow(/0 MiB/);
    await second.disk.reserve("stage_cache", 30);
    expect(first.disk.leftBytes("file")).toBe(0);
  });

  it("the admission of a disk lets rows use half of the margin, because an installation that can write none cannot be helped", async () => {
    const { disk } = smallDisk(200);
    const file = await disk.reserve("file", 1).catch(code);
    await disk.reserve("record", 50);
    const record = await disk.reserve("record", 1).catch(code);
    expect([file, record]).toEqual(["DISK_FULL", "DISK_FULL"]);
  });

  it("the admission of a disk keeps the larger of 1 GiB and 5 % free for intake, and as much again as a margin of at most 10 GiB", () => {
    const keptOf = (totalBytes: number, minFreeBytes?: number, marginBytes?: number) =>
      openDiskSpace({
        dir: "/disk",
        minFreeBytes,
        marginBytes,
        space: () => ({ freeBytes: 0, totalBytes }),
      }).stats().keptBytes;
    expect([keptOf(10 * GIB), keptOf(100 * GIB), keptOf(1_000 * GIB)]).toEqual([
      2 * GIB,
      10 * GIB,
      60 * GIB,
    ]);
    expect([keptOf(10 * GIB, 5), keptOf(10 * GIB, 5, 7)]).toEqual([10, 12]);
  });

  it("the admission of a disk empties caches in their order before it refuses, and only as far as needed", async () => {
    const { state, disk } = smallDisk(210);
    const asked: number[] = [];
    const cache = (bytes: number) => async (wanted: number) => {
      asked.push(wanted);
      state.freeBytes += bytes;
      return bytes;
    };
    disk.addCache(cache(1_000));
    disk.addCache(cache(100 * MIB));
    disk.addCache(cache(100 * MIB));
    await disk.reserve("upload", 5_000);
    expect(asked).toEqual([64 * MIB + 4_990, 64 * MIB + 3_990]);
  });

  it("the admission of a disk refuses when the caches have nothing, and goes on to the next cache when one cannot be emptied", async () => {
    const { state, disk } = smallDisk(200);
    let walks = 0;
    disk.addCache(async () => {
      walks += 1;
      throw new Error("the folder is gone");
    });
    expect(await disk.reserve("upload", 50).catch(code)).toBe("DISK_FULL");
    // Not walked again for each of a row of refused uploads.
    expect(await disk.reserve("upload", 50).catch(code)).toBe("DISK_FULL");
    expect(walks).toBe(1);
    state.freeBytes = 260;
    await disk.reserve("upload", 50);
  });

  it("the admission of a disk reports every refusal and what caches gave up", async () => {
    const { state, disk } = smallDisk(200);
    const seen: unknown[] = [];
    disk.watch({
      refused: (writer, bytes) => seen.push([writer, bytes]),
      evicted: (bytes) => seen.push(bytes),
    });
    await disk.reserve("product", 10).catch(code);
    disk.addCache(async () => {
      state.freeBytes += 30;
      return 30;
    });
    await disk.reserve("product", 10);
    expect(seen).toEqual([["product", 10], 30]);
  });
});

describe("a metered stream", () => {
  /** A disk that loses what is written to it. */
  function fileOn(state: { freeBytes: number }) {
    let bytes = 0;
    const file = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.length;
        state.freeBytes -= chunk.length;
        done();
      },
    });
    return { file, written: () => bytes };
  }

  it("a metered stream stops a body of unknown length in the middle when the disk runs short, above the line", async () => {
    const { state, disk } = smallDisk(20 * MIB, { minFreeBytes: 5 * MIB, marginBytes: 5 * MIB });
    const { file, written } = fileOn(state);
    const endless = Readable.from(
      (function* () {
        for (;;) yield new Uint8Array(64 * 1024);
      })(),
    );
    await expect(pipeline(endless, meteredStream(disk, "upload"), file)).rejects.toThrow(
      StorageShortage,
    );
    expect(written()).toBeGreaterThan(4 * MIB);
    expect(state.freeBytes).toBeGreaterThanOrEqual(10 * MIB);
    expect(disk.stats().promisedBytes).toBe(0);
  });

  it("a metered stream keeps many bodies at once above the line, and lets go of their promises", async () => {
    const { state, disk } = smallDisk(60 * MIB, { minFreeBytes: 5 * MIB, marginBytes: 5 * MIB });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => {
        const body = Readable.from(Array.from({ length: 12 }, () => new Uint8Array(MIB)));
        return pipeline(body, meteredStream(disk, "upload"), fileOn(state).file);
      }),
    );
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
    expect(state.freeBytes).toBeGreaterThanOrEqual(10 * MIB);
    expect(disk.stats().promisedBytes).toBe(0);
  });

  it("a metered stream takes a chunk that is larger than a step, and passes every byte on", async () => {
    const { state, disk } = smallDisk(60 * MIB, { minFreeBytes: 0, marginBytes: 0 });
    const { file, written } = fileOn(state);
    await pipeline(Readable.from([new Uint8Array(9 * MIB)]), meteredStream(disk, "file"), file);
    expect([written(), disk.stats().promisedBytes]).toEqual([9 * MIB, 0]);
  });
});
