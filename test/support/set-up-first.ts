import { type EvaluatedModules, expect, TestRunner } from "vitest";
import { hasSameBytes } from "./equal-bytes.ts";
import { makeModulesFast } from "./fast-modules.ts";

// Once a process: `expect` keeps its testers for all files.
expect.addEqualityTesters([hasSameBytes]);

/** An error as vitest keeps it for its reporters. */
interface ReportedError {
  readonly name?: string;
  readonly message: string;
}

/** What a clean-up says when the set-up before it failed and left its variables unset. */
const NOTHING_TO_CLEAN = /of undefined|of null|undefined is not|Received undefined$/;

/**
 * The errors of a suite or test without those of a clean-up that only follow from the first one, the cause:
 * an `afterAll` that closes what a failed `beforeAll` never opened.
 */
export function withoutEchoes<T extends ReportedError>(errors: readonly T[]): T[] {
  const [cause, ...rest] = errors;
  if (cause === undefined) return [];
  const isEcho = ({ name, message }: T) => name === "TypeError" && NOTHING_TO_CLEAN.test(message);
  return [cause, ...rest.filter((error) => !isEcho(error))];
}

/** Runs tests as vitest does; a set-up that fails shows its cause and nothing else. */
export default class SetUpFirst extends TestRunner {
  override async importFile(...file: Parameters<TestRunner["importFile"]>): Promise<unknown> {
    const imported = await super.importFile(...file);
    makeModulesFast(evaluatedModules());
    return imported;
  }

  override async onAfterRunSuite(
    suite: Parameters<TestRunner["onAfterRunSuite"]>[0],
  ): Promise<void> {
    await super.onAfterRunSuite(suite);
    keepCauses(suite);
  }

  override onAfterRunTask(test: Parameters<TestRunner["onAfterRunTask"]>[0]): void {
    super.onAfterRunTask(test);
    keepCauses(test);
  }
}

function keepCauses({ result }: { readonly result?: { errors?: ReportedError[] } }): void {
  if (result?.errors !== undefined) result.errors = withoutEchoes(result.errors);
}

/** The modules that this process has evaluated, where the test runner keeps them. */
function evaluatedModules(): ReturnType<EvaluatedModules["idToModuleMap"]["values"]> {
  const { __vitest_worker__: worker } = globalThis as unknown as {
    readonly __vitest_worker__: { readonly evaluatedModules: EvaluatedModules };
  };
  return worker.evaluatedModules.idToModuleMap.values();
}
