import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What stores nothing, so that a repetition does no harm; a session makes its cookie anew. */
const NEED_NO_KEY = [
  "/api/v1/equipment/dry-run",
  "/api/v1/equipment/geofences/preview",
  "/api/v1/materials/stockpiles/{stockpile_id}/preview-volume",
  "/api/v1/session",
  "/api/v1/surveys/{survey_id}/volume",
  // The dry run: what an import would match.
  "/api/v1/progress/projects/{project_id}/schedule",
  // Images are named by their content: the same one again is the same file.
  "/api/v1/progress/images",
];

const CONSOLE = fileURLToPath(new URL("../../console", import.meta.url));

/** Every POST of the console: its file, and the text of the call. */
const POSTS = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const [, ...calls] = readFileSync(join(CONSOLE, file), "utf8").split(".POST(");
    return calls.map((text) => ({ file, call: argumentsIn(text) }));
  });

/** Text up to the parenthesis that closes the call. */
function argumentsIn(text: string): string {
  let depth = 1;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "(") depth += 1;
    if (text[i] === ")") depth -= 1;
    if (depth === 0) return text.slice(0, i);
  }
  return text;
}

describe("a POST of the web console", () => {
  it("has an Idempotency-Key unless it stores nothing: a second press does one thing", () => {
    expect(POSTS.length).toBeGreaterThanOrEqual(13);
    const without = POSTS.filter(
      ({ call }) =>
        !NEED_NO_KEY.some((path) => call.includes(`"${path}"`)) &&
        !call.includes('"Idempotency-Key"'),
    );
    expect(without).toEqual([]);
  });
});
