import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import {
  count,
  expectedCrossings,
  missingNumbers,
  recordedCrossings,
  surplus,
} from "../cluster/evidence.ts";
import type { Expectation } from "./check.ts";
import type { PatientFleet } from "./patient-fleet.ts";
import type { KafkaSite } from "./site.ts";

/** Longest wait for what was acknowledged to be in its place, ms: a guard against hanging. */
const SETTLE_MS = 4 * PATIENT_MS;

/** Everything that was acknowledged is stored, and every crossing published, once. */
export async function expectTruth(
  site: KafkaSite,
  fleet: PatientFleet,
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
