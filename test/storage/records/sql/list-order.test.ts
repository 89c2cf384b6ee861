import { expect, it } from "vitest";
import { orderBy } from "../../../../storage/records/sql/list-order.ts";

it("a list is read from its other end with every term turned round", () => {
  expect(orderBy("opened_at_ms DESC, id")).toBe("ORDER BY opened_at_ms DESC, id");
  expect(orderBy("opened_at_ms DESC, id", true)).toBe("ORDER BY opened_at_ms, id DESC");
});
