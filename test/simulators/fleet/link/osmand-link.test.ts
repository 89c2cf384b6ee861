import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { DeviceLink } from "../../../../simulators/fleet/link/device-link.ts";
import { openOsmandLink } from "../../../../simulators/fleet/link/osmand-link.ts";
import { listenToLink, message, soon } from "./link-scene.ts";

/** A listener that answers when the test says so. */
let server: Server;
let asked: { readonly request: string; readonly port: number; readonly response: ServerResponse }[];
let link: DeviceLink | undefined;

beforeEach(async () => {
  asked = [];
  server = createServer(({ method, url, socket }, response) => {
    asked.push({ request: `${method} ${url}`, port: socket.remotePort ?? 0, response });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await link?.close();
  link = undefined;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(log = listenToLink()) {
  const { port } = server.address() as AddressInfo;
  link = openOsmandLink({ ...log.options, host: "127.0.0.1", port });
  return { log, opened: link };
}
const answer = (i: number, status: number) => asked[i]?.response.writeHead(status).end();

it("the OsmAnd link sends one GET at a time over one connection, the next when the last was answered by 200", async () => {
  const { log, opened } = open();
  opened.send(message("id=a&speed=1", [0]));
  opened.send(message("id=a&speed=2", [1]));
  await soon(() => asked.length === 1);
  expect(opened).toMatchObject({ inFlightCount: 1, queuedCount: 1 });
  answer(0, 200);
  await soon(() => asked.length === 2);
  expect(log.acknowledged).toEqual(["id=a&speed=1"]);
  answer(1, 200);
  await soon(() => log.acknowledged.length === 2);

  expect(asked.map(({ request }) => request)).toEqual(["GET /?id=a&speed=1", "GET /?id=a&speed=2"]);
  expect(asked[1]?.port).toBe(asked[0]?.port);
  expect(opened).toMatchObject({ isConnected: true, inFlightCount: 0, queuedCount: 0 });
});

it("the OsmAnd link keeps what is answered by another status or not at all, says so, and sends it again", async () => {
  const { log, opened } = open();
  opened.send(message("id=a", [0]));
  await soon(() => asked.length === 1);
  answer(0, 503);
  await soon(() => log.refused.length === 1);
  expect(log.refused).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ answered 503$/)]);
  // A new message does not jump the pause.
  opened.send(message("id=b", [1]));
  await soon(() => asked.length === 2);
  asked[1]?.response.destroy();
  await soon(() => asked.length === 3);
  answer(2, 200);
  await soon(() => asked.length === 4);

  expect(asked.map(({ request }) => request)).toEqual([
    ...["GET /?id=a", "GET /?id=a", "GET /?id=a", "GET /?id=b"],
  ]);
  expect([log.sent, log.acknowledged]).toEqual([["id=a", "id=b"], ["id=a"]]);
});

it("the OsmAnd link is silent while the network is away, and goes on with what had no answer", async () => {
  const { log, opened } = open();
  opened.send(message("id=a", [0]));
  await soon(() => asked.length === 1);
  opened.setNetwork(false);
  await soon(() => asked[0]?.response.destroyed === true);
  opened.send(message("id=b", [1]));
  expect(asked).toHaveLength(1);

  opened.setNetwork(true);
  await soon(() => asked.length === 2);
  expect(asked[1]?.request).toBe("GET /?id=a");
  answer(1, 200);
  await soon(() => log.acknowledged.length === 1);
});
