import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { DeviceLink } from "../../../../simulators/fleet/link/device-link.ts";
import { openTrackerLink } from "../../../../simulators/fleet/link/tracker-link.ts";
import { listenToLink, message, soon } from "./link-scene.ts";

const IMEI = "356307042441013";
/** Two bytes of length and 15 digits. */
const HELLO = `000f${Buffer.from(IMEI).toString("hex")}`;

/** A listener that answers when the test says so. */
let server: Server;
let sockets: Socket[];
/** Everything that each connection sent, in hexadecimal. */
let heard: string[];
let link: DeviceLink | undefined;

beforeEach(async () => {
  sockets = [];
  heard = [];
  server = createServer((socket) => {
    const i = sockets.push(socket) - 1;
    heard.push("");
    socket.on("data", (chunk: Buffer) => {
      heard[i] += chunk.toString("hex");
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await link?.close();
  link = undefined;
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function open(log = listenToLink()) {
  const { port } = server.address() as AddressInfo;
  link = openTrackerLink({ ...log.options, host: "127.0.0.1", port, imei: IMEI });
  return { log, opened: link };
}
const answer = (connection: number, ...bytes: number[]) =>
  sockets[connection]?.write(Buffer.of(...bytes));

it("the tracker link says its IMEI, waits for 1, then sends packet by packet as each is answered by its count", async () => {
  const { log, opened } = open();
  opened.send(message("AB", [0, 1]));
  opened.send(message("\xff", [2]));
  await soon(() => heard[0] === HELLO);
  expect([log.sent, opened.isConnected]).toEqual([[], false]);

  answer(0, 1);
  await soon(() => heard[0] === `${HELLO}4142`);
  expect(opened).toMatchObject({ isConnected: true, inFlightCount: 1, queuedCount: 1 });

  // An answer in two pieces.
  answer(0, 0, 0);
  answer(0, 0, 2);
  await soon(() => heard[0] === `${HELLO}4142ff`);
  expect(log.acknowledged).toEqual(["AB"]);
  answer(0, 0, 0, 0, 1);
  await soon(() => log.acknowledged.length === 2);
  expect(opened).toMatchObject({ inFlightCount: 0, queuedCount: 0 });
});

it("the tracker link sends a packet again that was answered by another number, and counts it once", async () => {
  const { log, opened } = open();
  opened.send(message("AB", [0, 1]));
  await soon(() => heard[0] === HELLO);
  answer(0, 1);
  await soon(() => heard[0] === `${HELLO}4142`);
  answer(0, 0, 0, 0, 0);
  await soon(() => heard[0] === `${HELLO}41424142`);
  expect(log.acknowledged).toEqual([]);
  answer(0, 0, 0, 0, 2);
  await soon(() => log.acknowledged.length === 1);
  expect(log.sent).toEqual(["AB"]);
});

it("the tracker link connects again after a break, and sends what was not answered before anything new", async () => {
  const { log, opened } = open();
  opened.send(message("A", [0]));
  await soon(() => heard[0] === HELLO);
  answer(0, 1);
  await soon(() => heard[0] === `${HELLO}41`);
  sockets[0]?.destroy();
  await soon(() => !opened.isConnected);
  opened.send(message("B", [1]));

  await soon(() => heard[1] === HELLO);
  answer(1, 1);
  await soon(() => heard[1] === `${HELLO}41`);
  answer(1, 0, 0, 0, 1);
  await soon(() => heard[1] === `${HELLO}4142`);
  expect([log.sent, log.acknowledged]).toEqual([["A", "B"], ["A"]]);
});

it("the tracker link says that it was refused, and tries again", async () => {
  const { log, opened } = open();
  await soon(() => heard[0] === HELLO);
  answer(0, 0);
  await soon(() => heard[1] === HELLO);
  expect(log.refused).toEqual([expect.stringMatching(`^IMEI ${IMEI} was refused by 127.0.0.1`)]);
  expect(opened.isConnected).toBe(false);
});

it("the tracker link drops its connection when the network goes, and its oldest packet when its memory is full", async () => {
  const { log, opened } = open(listenToLink(2));
  await soon(() => heard[0] === HELLO);
  answer(0, 1);
  await soon(() => opened.isConnected);
  opened.setNetwork(false);
  await soon(() => !opened.isConnected);
  for (const [i, payload] of ["A", "B", "C"].entries()) opened.send(message(payload, [i]));
  expect(log.dropped).toEqual(["A"]);
  expect(sockets).toHaveLength(1);

  opened.setNetwork(true);
  await soon(() => heard[1] === HELLO);
  answer(1, 1);
  await soon(() => heard[1] === `${HELLO}42`);
});
