import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liveMessage } from "../../console/api/live-messages.ts";
import { SseReader } from "../../console/api/sse-reader.ts";

const STREAM = [
  "retry: 3000\nid: a.-.1.2\n\n",
  'id: a.1.1.2\nevent: snapshot\ndata: {"view":"a","change":1,"rows":[]}\n\n',
  ": ping\nid: a.1.1.3\n\n",
  "event: alert\ndata: {\ndata: }\n\n",
  "data:no space\r\n\r\n",
].join("");

const EXPECTED = [
  { event: "snapshot", data: '{"view":"a","change":1,"rows":[]}', id: "a.1.1.2" },
  { event: "alert", data: "{\n}", id: "a.1.1.3" },
  { event: "message", data: "no space", id: "a.1.1.3" },
];

describe("the reader of server-sent events", () => {
  it("reads the same messages however the network cuts the stream", () => {
    const cuts = fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (unsorted) => {
        const places = [0, ...unsorted.toSorted((a, b) => a - b), STREAM.length];
        const reader = new SseReader();
        const read = places.flatMap((place, index) =>
          reader.read(STREAM.slice(place, places[index + 1] ?? STREAM.length)),
        );
        expect(read).toEqual(EXPECTED);
        expect(reader.lastId).toBe("a.1.1.3");
      }),
    );
  });

  it("keeps the id of a ping, so that a new connection goes on behind what it did not ask for", () => {
    const reader = new SseReader();
    expect(reader.read(": ping\nid: 7\n\n")).toEqual([]);
    expect(reader.lastId).toBe("7");
  });

  it("does not join what a lost connection left with what the next one says", () => {
    const reader = new SseReader();
    reader.read('event: alert\ndata: {"half":');
    reader.restart();
    expect(reader.read("data: whole\n\n")).toEqual([{ event: "message", data: "whole", id: "" }]);
  });
});

it("a kind of message that the console does not know is left out", () => {
  expect(liveMessage("weather", "not even JSON")).toBeUndefined();
  expect(liveMessage("snapshot", '{"view":"a"}')).toEqual({
    kind: "snapshot",
    data: { view: "a" },
  });
});
