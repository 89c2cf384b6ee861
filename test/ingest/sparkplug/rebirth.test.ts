import { expect, it } from "vitest";
import { readSparkplugPayload } from "../../../ingest/decoders/sparkplug/payload.ts";
import { RebirthRequests } from "../../../ingest/sparkplug/rebirth.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

it("a request for a rebirth is readable, and made once in 10 s", () => {
  const requests = new RebirthRequests();
  const of = { group: "g", edgeNode: "e" };
  const command = requests.request(of, NOW);
  expect(command?.topic).toBe("spBv1.0/g/NCMD/e");
  expect(readSparkplugPayload(command?.payload ?? new Uint8Array())).toMatchObject({
    timestampMs: NOW,
    metrics: [{ name: "Node Control/Rebirth", timestampMs: NOW, datatype: 11, value: true }],
  });
  expect(requests.request(of, NOW + 9_999)).toBeUndefined();
  expect(requests.request(of, NOW + 10_000)).toBeDefined();
});
