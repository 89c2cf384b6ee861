import { writeSync } from "node:fs";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import { openRecordStore } from "../../storage/records/open.ts";

/**
 * A process that opens the embedded record store in its first argument, prints `have {checkpoint}
 * {states}`, and then commits one state after the other, printing `ack {sequence}` after each: until
 * it is killed, or as many times as its second argument says, or until the store is away, when it
 * prints `away {reason}`.
 */
const [dir = "", times = "Infinity"] = process.argv.slice(2);
const store = await openRecordStore({ dataDir: dir, databaseUrl: undefined });
const before = (await store.pipeline.checkpoint())?.sequence ?? 0;
say(`have ${before} ${(await store.pipeline.states()).length}`);
try {
  for (let sequence = before + 1; sequence <= before + Number(times); sequence++) {
    await store.pipeline.commit({
      checkpoint: { journalId: "j", sequence },
      states: [{ assetId: `a${sequence}` as AssetId, state: `{"n":${sequence}}` }],
      days: [],
      quarantined: [],
      events: [],
      visits: [],
      alerts: [],
      shared: new Map(),
    });
    say(`ack ${sequence}`);
  }
} catch (error) {
  if (!(error instanceof DomainError) || error.code !== "STORE_UNAVAILABLE") throw error;
  say(`away ${error.message}`);
}
await store.close();

/** Past every buffer of this process: a kill takes back nothing that was said. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
