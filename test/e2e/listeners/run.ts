/**
 * Kills the whole program again and again while trackers send Codec 8 Extended over TCP, phones report by
 * the OsmAnd protocol and senders post NDJSON to HTTP ingest (half of them without times, under an
 * Idempotency-Key). Then compares what they heard acknowledged with what is stored: nothing
 * lost, stored twice or invented. The same against listeners that acknowledge first must find losses, or
 * the test proves nothing.
 *
 *   npm run test:listeners -- [rounds] [devices of each kind]      default 10 and 20
 */
import { seededRandom } from "../../support/seeded-random.ts";
import type { MessageTally } from "../crash/message-tally.ts";
import { createControlTarget } from "./control-target.ts";
import { createPlumblineTarget } from "./plumbline-target.ts";
import { runListenerRounds, type Tallies } from "./rounds.ts";
import type { ListenerTarget } from "./target.ts";

/** A quarter of a second is lost in each. */
const CONTROL_ROUNDS = 2;

const rounds = Number(process.argv[2] ?? 10);
const devices = Number(process.argv[3] ?? 20);

async function run(target: ListenerTarget, count: number): Promise<Tallies> {
  try {
    const tallies = await runListenerRounds(target, {
      rounds: count,
      devices,
      random: seededRandom(1),
      onRound: (round, acked) =>
        console.log(`${target.name}: round ${round}/${count}, ${acked} records acknowledged`),
    });
    console.log(`${target.name}:`, JSON.stringify(tallies));
    return tallies;
  } finally {
    await target.dispose();
  }
}

const control = await run(await createControlTarget(), CONTROL_ROUNDS);
const plumbline = await run(await createPlumblineTarget(), rounds);

const checksOf = (name: string, tally: MessageTally, lost: MessageTally) =>
  [
    [`${name}: every record that was acknowledged is stored`, isWhole(tally)],
    [`${name}: none is stored twice`, tally.twice === 0],
    [`${name}: none is stored that was never sent`, tally.invented === 0],
    [`${name}: of listeners that acknowledge first records are lost`, lost.lost > 0],
  ] as const;
const isWhole = ({ acked, stored, lost }: MessageTally): boolean =>
  acked > rounds && lost === 0 && stored === acked;

const checks = [
  ...checksOf("Codec 8", plumbline.teltonika, control.teltonika),
  ...checksOf("OsmAnd", plumbline.osmand, control.osmand),
  ...checksOf("HTTP ingest", plumbline.http, control.http),
];
for (const [name, isSo] of checks) console.log(`${isSo ? "ok  " : "FAIL"} ${name}`);
const failed = checks.filter(([, isSo]) => !isSo).length;
console.log(`\n${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
