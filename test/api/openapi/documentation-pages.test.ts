import { expect, test } from "vitest";
import { openTestApp } from "../../support/api-app.ts";

const STYLES = "/docs/static/swagger-ui.css";

test("a page of the documentation is not sent again to who has it, and HEAD says how long it is", async () => {
  await using t = await openTestApp();
  const first = await t.get(STYLES, undefined);

  const again = await t.get(STYLES, undefined, { "if-none-match": String(first.headers.etag) });
  const head = await t.app.inject({ method: "HEAD", url: STYLES });

  expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 304, ""]);
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(String(first.rawPayload.length));
});

test("below the documentation is nothing else, and what is not there is answered as everywhere", async () => {
  await using t = await openTestApp();

  const missing = await t.get("/docs/nothing", undefined);
  const above = await t.get("/docs/static/%2e%2e/package.json", undefined);

  expect([missing.statusCode, above.statusCode]).toEqual([404, 404]);
  expect(missing.json().error.code).toBe("not_found");
});
