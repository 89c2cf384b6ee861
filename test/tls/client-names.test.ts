import { expect, it } from "vitest";
import { clientNames } from "../../tls/client-names.ts";

const certificate = (CN: unknown, subjectaltname?: string) =>
  ({ subject: { CN }, subjectaltname }) as Parameters<typeof clientNames>[0];

it.each([
  ["digger-1", ["digger-1"]],
  [
    ["digger-1", "digger-2"],
    ["digger-1", "digger-2"],
  ],
  ["Digger No. 1", []],
  [undefined, []],
])("of the common name %j the asset ids are %j", (name, ids) => {
  expect(clientNames(certificate(name, "DNS:other"), "cn")).toEqual(ids);
});

it.each([
  ["DNS:digger-1", ["digger-1"]],
  [
    "DNS:digger-1, URI:urn:plumbline:asset:digger-2, URI:digger-3",
    ["digger-1", "digger-2", "digger-3"],
  ],
  ["DNS:digger-1, URI:urn:plumbline:asset:digger-1", ["digger-1"]],
  ["DNS:digger-1.example.com, IP Address:10.0.0.1, email:digger-1", []],
  ['URI:"urn:plumbline:asset:x, DNS:digger-1"', []],
  ['DNS:digger-2, URI:"x, DNS:digger-1"', []],
  ["URI:urn:plumbline:asset:", []],
  [undefined, []],
])("of the alternative names %j the asset ids are %j", (line, ids) => {
  expect(clientNames(certificate("cn", line), "san")).toEqual(ids);
});
