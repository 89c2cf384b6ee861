import { expect, it } from "vitest";
import { withoutEchoes } from "../support/set-up-first.ts";

const error = (name: string, message: string) => ({ name, message });
const CAUSE = error("Error", "the disk is full");

it.each([
  "Cannot read properties of undefined (reading 'close')",
  "Cannot read properties of null (reading 'close')",
  'The "path" argument must be of type string or an instance of Buffer or URL. Received undefined',
])("a set-up that fails shows its cause and not what its clean-up says: %s", (message) => {
  expect(withoutEchoes([CAUSE, error("TypeError", message)])).toEqual([CAUSE]);
});

it("a clean-up that fails by itself is reported, alone and behind another failure", () => {
  const own = error("TypeError", "Cannot read properties of undefined (reading 'close')");
  const other = error("Error", "the port is still taken");
  expect(withoutEchoes([own])).toEqual([own]);
  expect(withoutEchoes([CAUSE, other])).toEqual([CAUSE, other]);
  expect(withoutEchoes([])).toEqual([]);
});
