import mqtt, { type IPublishPacket } from "mqtt-packet";
import { expect, it } from "vitest";
import { PublishWindow } from "../../../ingest/mqtt-client/publish-window.ts";

function windowWith(size: number, ...payloads: readonly string[]) {
  const window = new PublishWindow(size);
  for (const payload of payloads) window.add({ topic: "t", payload });
  return window;
}

/** What is due now: packet ids and payloads. */
function due(window: PublishWindow<{ readonly topic: string; readonly payload: string }>) {
  const packets: string[] = [];
  const parser = mqtt.parser();
  parser.on("packet", (packet) => {
    const { messageId, payload, dup } = packet as IPublishPacket;
    packets.push(`${messageId} ${payload}${dup ? " again" : ""}`);
  });
  parser.parse(window.takeDue() ?? Buffer.alloc(0));
  return packets;
}

it("the publish window has as many without PUBACK as it has places, and sends the next one for each PUBACK", () => {
  const window = windowWith(2, "a", "b", "c", "d");
  expect(due(window)).toEqual(["1 a", "2 b"]);
  expect(due(window)).toEqual([]);
  expect(window.acknowledged(2)).toEqual({ topic: "t", payload: "b" });
  expect(window.acknowledged(2)).toBeUndefined();
  expect(due(window)).toEqual(["3 c"]);
  expect([window.inFlightCount, window.waitingCount]).toEqual([2, 1]);
});

it("the publish window sends what the lost connection left without PUBACK first, in order, as new messages", () => {
  const window = windowWith(3, "a", "b", "c", "d");
  due(window);
  window.acknowledged(2);
  window.lost();
  expect(due(window)).toEqual(["4 a", "5 c", "6 d"]);
});
