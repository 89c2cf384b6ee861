import { beforeEach, describe } from "vitest";
import { describeTrackingRecords } from "../../contracts/record-store.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";

describe("record store in memory, which other tests use", () => {
  let store: MemoryRecords = openMemoryRecords();

  beforeEach(() => {
    store = openMemoryRecords();
  });

  describeTrackingRecords(() => ({ store }));
});
