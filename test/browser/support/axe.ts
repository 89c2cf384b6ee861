import axe from "axe-core";
import type { Page } from "playwright-core";

interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly places: readonly string[];
}

/** What axe-core finds on a page that WCAG 2.2 A and AA forbid, of the two worst kinds. */
export async function seriousFindings(page: Page): Promise<readonly Finding[]> {
  // As a script of the debugger: the policy of the page lets nobody else's scripts in.
  await page.evaluate(axe.source);
  return await page.evaluate(`
    axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, impact, nodes }) => ({
          rule: id, impact, places: nodes.map(({ target, failureSummary }) => target + ": " + failureSummary),
        })))
  `);
}
