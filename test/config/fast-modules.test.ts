import { setFlagsFromString } from "node:v8";
import { expect, it } from "vitest";
import * as quantile from "../../processing/numeric/quantile.ts";
import { makeModulesFast } from "../support/fast-modules.ts";

/** Whether V8 keeps an object's names at fixed places: a hash table otherwise. */
function hasFixedPlaces(object: object): boolean {
  setFlagsFromString("--allow-natives-syntax");
  try {
    return new Function("object", "return %HasFastProperties(object)")(object);
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
}

it("modules that a test imports have their names at fixed places", () => {
  expect(hasFixedPlaces(quantile)).toBe(true);
});

it("exports defined one by one have no fixed places until they are made fast", () => {
  const exports = Object.create(null);
  for (const name of ["first", "second"]) {
    Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => name });
  }
  expect(hasFixedPlaces(exports)).toBe(false);
  makeModulesFast([{ exports }, { exports: undefined }, {}]);
  expect(hasFixedPlaces(exports)).toBe(true);
  expect(exports.second).toBe("second");
});
