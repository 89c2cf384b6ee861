/** One line of the end: what has to hold, and whether it did. */
export type Expectation = readonly [name: string, passed: boolean];

interface CheckContext {
  /** Rounds of kills, and how many machines send how much a second meanwhile. */
  readonly rounds: number;
  readonly machines: number;
  readonly rate: number;
  readonly print: (line: string) => void;
}

/** One part of `npm run test:kafka` or `npm run test:cluster`. */
export interface Check {
  readonly name: string;
  readonly purpose: string;
  run(context: CheckContext): Promise<readonly Expectation[]>;
}

/** Runs those that are wanted, all by default, prints what held, and ends the process. */
export async function runChecks(
  checks: readonly Check[],
  options: {
    /** Names, separated by commas. */
    readonly only: string | undefined;
    /** Why servers that they need are not there. */
    readonly absent: readonly (string | undefined)[];
    readonly context: CheckContext;
  },
): Promise<never> {
  const { only, context } = options;
  const absent = options.absent.filter((one) => one !== undefined);
  if (absent.length > 0) {
    console.log(`cannot run: ${absent.join("; ")}`);
    console.log("0 passed, 1 failed");
    process.exit(1);
  }
  const wanted = only?.split(",") ?? checks.map(({ name }) => name);
  const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) throw new Error(`no check ${unknown.join(", ")}`);

  let [passed, failed] = [0, 0];
  for (const check of checks.filter(({ name }) => wanted.includes(name))) {
    console.log(`${check.name}: ${check.purpose}`);
    const found = await check.run(context).catch((error: unknown) => {
      console.error(error);
      return [[`${check.name} came to its end: ${error}`, false] as const];
    });
    for (const [name, isSo] of found) {
      console.log(`${isSo ? "ok  " : "FAIL"} ${check.name}: ${name}`);
      if (isSo) passed += 1;
      else failed += 1;
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
