import { afterAll, beforeAll } from "vitest";
import { openTestApp, type TestApp } from "./api-app.ts";

/**
 * One app for all tests of a `describe` that leave it as it was, such as those whose requests are refused. It is
 * opened before the first of them: to be called in the body of the `describe`, and read in tests.
 */
export function sharedTestApp(open: () => Promise<TestApp> = openTestApp): { readonly t: TestApp } {
  let opened: TestApp | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return {
    get t() {
      if (opened === undefined) throw new Error("the app is opened before the tests");
      return opened;
    },
  };
}
