import { slowness } from "../../support/slowness.ts";
import { KEEPALIVE_S } from "./scenario.ts";
import type { TwoTenantsFindings } from "./two-tenants.ts";

type Check = readonly [name: string, passed: boolean, found: unknown];

/** What has to hold of two tenants on one small disk. */
export function checksOfTwoTenants(
  findings: TwoTenantsFindings,
  { messages, reserveBytes }: { readonly messages: number; readonly reserveBytes: number },
): readonly Check[] {
  const { acked, ackedWhenRefused, cuts, refusals, withheld, statuses, tally } = findings;
  const others = Object.keys(statuses).filter((status) => status !== "201" && status !== "507");
  return [
    [`${messages} messages are acknowledged beside the uploads`, acked >= messages, acked],
    ["half of them while uploads are refused", 2 * ackedWhenRefused >= acked, ackedWhenRefused],
    ["PUBACKs withheld = 0", withheld === 0 && cuts === 0, { withheld, cuts }],
    ["no device is refused", refusals === 0, refusals],
    [
      "PUBACKs never stop for as long as a keep-alive",
      findings.longestPauseMs < KEEPALIVE_S * 1_000 * slowness(),
      `${findings.longestPauseMs} ms`,
    ],
    ["the service stays ready", findings.reasons.length === 0, findings.reasons],
    [
      "uploads are stored, then refused with 507, and nothing else",
      (statuses[201] ?? 0) > 0 && (statuses[507] ?? 0) > 0 && others.length === 0,
      statuses,
    ],
    [
      "every 507 says how many bytes are left",
      findings.silentRefusals === 0,
      findings.silentRefusals,
    ],
    [
      "free space never falls to intake's reserve",
      findings.leastFreeBytes > reserveBytes,
      `${Math.round(findings.leastFreeBytes / 1024 ** 2)} MiB`,
    ],
    ["refused uploads leave no file", findings.leftovers === 0, findings.leftovers],
    ["freed space is used again", findings.storedAfterFreeing > 0, findings.storedAfterFreeing],
    ["acknowledged - stored = 0", tally.lost === 0, tally],
    ["stored twice = 0", tally.twice === 0, tally.twice],
  ];
}

/** What has to be seen where somebody writes without admission: the checks above can fail. */
export function checksOfControl({
  cuts,
  refusals,
  withheld,
  reasons,
}: TwoTenantsFindings): readonly Check[] {
  return [
    [
      "a writer that asks for no admission stops the other tenant's PUBACKs",
      withheld + cuts + refusals > 0 && reasons.some((why) => /full/.test(why)),
      { withheld, cuts, refusals, reasons },
    ],
  ];
}
