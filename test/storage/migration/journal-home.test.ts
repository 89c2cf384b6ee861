import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  homeState,
  type JournalHome,
  refuseSharedStart,
  refuseSingleStart,
  removeFolderNote,
  writeFolderNote,
} from "../../../storage/migration/journal-home.ts";

const PAIR = { journalId: "j", topic: "plumbline.records", topicId: "t" };
const MOVING_OUT: JournalHome = {
  ...PAIR,
  at: "moving",
  to: "kafka",
  places: { processed: 0, archived: 0, forwarders: [], passed: 0 },
  begins: [],
  atMs: 0,
};
const MOVING_BACK: JournalHome = { ...PAIR, at: "moving", to: "folder", begin: 0, spans: [] };

describe("where the journal is", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "plumbline-home-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const store = (home: JournalHome | undefined) => ({
    shared: async () => (home === undefined ? new Map<string, string>() : homeState(home)),
  });
  const refusal = (start: Promise<void>): Promise<string> =>
    start.then(
      () => "",
      (error: Error) => error.message,
    );

  it.each<[string, JournalHome | undefined, RegExp, RegExp]>([
    ["never moved", undefined, /^$/, /^$/],
    ["in Kafka", { ...PAIR, at: "kafka" }, /is in Kafka, topic plumbline.records/, /^$/],
    ["in a folder", { ...PAIR, at: "folder" }, /^$/, /brought back from Kafka/],
    ["on its way out", MOVING_OUT, /to Kafka did not end/, /to Kafka did not end/],
    ["on its way back", MOVING_BACK, /a data folder did not end/, /a data folder did not end/],
  ])("a journal that is %s starts nobody on the other side", async (_, home, single, shared) => {
    expect(await refusal(refuseSingleStart(dir, store(home)))).toMatch(single);
    expect(await refusal(refuseSharedStart(store(home)))).toMatch(shared);
  });

  it("a data folder whose journal has moved starts no service, whatever its own records say", async () => {
    const note = { topic: "plumbline.records", topicId: "t" };
    await writeFolderNote(dir, { state: "kafka", ...note });
    expect(await refusal(refuseSingleStart(dir, store(undefined)))).toMatch(/migrate-data --to/);
    await writeFolderNote(dir, { state: "moving", ...note });
    expect(await refusal(refuseSingleStart(dir, store(undefined)))).toMatch(/did not end/);
    await removeFolderNote(dir);
    expect(await refusal(refuseSingleStart(dir, store(undefined)))).toBe("");
  });
});
