import { existsSync, readFileSync } from "node:fs";

/**
 * The end of `.ci/run`: every failure by name, as whoever reads the end of a log sees nothing else, then the totals.
 *
 *     node .ci/totals.mjs FILE-OF-FAILURES PASSED FAILED REPORT...
 *
 * PASSED and FAILED count what scripts said. A suite with a report of Vitest has been counted as one failure when it
 * failed, also when it ended without a report.
 */
const [failures, passed, failed, ...reports] = process.argv.slice(2);
const totals = { passed: Number(passed), failed: Number(failed), skipped: 0 };
const LONGEST_MESSAGE = 1_500;
const say = (line) => process.stdout.write(`${line}\n`);

for (const file of reports.filter((name) => existsSync(name))) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  totals.passed += report.numPassedTests;
  totals.failed += Math.max(0, report.numFailedTests - 1);
  totals.skipped += report.numPendingTests + report.numTodoTests;
  for (const { name, message, assertionResults } of report.testResults) {
    const failedTests = assertionResults.filter(({ status }) => status === "failed");
    for (const { fullName, failureMessages } of failedTests) {
      const text = failureMessages.join("\n").slice(0, LONGEST_MESSAGE);
      say(`FAILED ${name}: ${fullName}\n${text}\n`);
    }
    // A file that could not be loaded, or whose hooks failed, has no failed test.
    if (message && failedTests.length === 0) {
      say(`FAILED ${name}\n${message.slice(0, LONGEST_MESSAGE)}\n`);
    }
  }
}
if (existsSync(failures)) say(readFileSync(failures, "utf8"));
say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
