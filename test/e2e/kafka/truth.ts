import type { ApiClient } from "../../support/api-client.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import { until } from "../../support/until.ts";
import {
  count,
  expectedCrossings,
  missingNumbers,
  recordedCrossings,
  surplus,
} from "../cluster/evidence.ts";
import type { Sent } from "../cluster/fleet.ts";
import type { Expectation } from "./check.ts";

/** Longest wait for what was acknowledged to be in its place, ms: a guard against hanging. */
const SETTLE_MS = 4 * PATIENT_MS;

/** Everything that was acknowledged is stored, and every crossing published, once. */
export async function expectTruth(
  site: {
    readonly api: { readonly api: ApiClient };
    readonly postgres: { readonly url: string };
    readonly startMs: number;
  },
  fleet: { readonly sent: readonly Sent[] },
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const { api, postgres, startMs } = site;
  const sent = fleet.sent.reduce((sum, one) => sum + one.count, 0);
  const missing = async () => count(await missingNumbers(api.api, fleet.sent, startMs));
  await until("all are stored", async () => (await missing()) === 0, SETTLE_MS).catch(
    () => undefined,
  );
  const expected = expectedCrossings(fleet.sent, startMs);
  const recorded = () => recordedCrossings(postgres.url);
  await until(
    "every crossing is recorded",
    async () => surplus(expected, (await recorded()).crossings).length === 0,
    SETTLE_MS,
  ).catch(() => undefined);
  const lost = await missing();
  const { crossings, withdrawn, revised } = await recorded();
  const unrecorded = surplus(expected, crossings);
  const invented = surplus(crossings, expected);
  print(`${expected.length} crossings, ${revised} of them revised`);
  for (const [what, found] of Object.entries({ unrecorded, invented, withdrawn })) {
    if (found.length > 0) print(`${what}: ${found.slice(0, 20).join("; ")}`);
  }
  return [
    [`acknowledged - stored = ${lost} of ${sent}`, lost === 0],
    [`crossings that are not recorded: ${unrecorded.length}`, unrecorded.length === 0],
    [`crossings recorded twice, or never made: ${invented.length}`, invented.length === 0],
    [`crossings published and withdrawn: ${withdrawn.length}`, withdrawn.length === 0],
  ];
}

export function noneGaveUp({ output }: Pick<ServiceProcess, "output">): Expectation {
  const fatal = output.filter((line) => line.includes('"level":60'));
  return [`no pipeline gave up ${fatal[0] ?? ""}`, fatal.length === 0];
}
