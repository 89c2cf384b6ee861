import { describe, expect, it } from "vitest";
import { Acknowledgements } from "../../../ingest/remote-broker/acknowledgements.ts";

const puback = (...ids: number[]): Buffer =>
  Buffer.from(ids.flatMap((id) => [0x40, 2, id >> 8, id & 0xff]));

describe("acknowledgements", () => {
  it("acknowledgements leave in the order in which the messages came, whatever was done first", () => {
    const owed = new Acknowledgements();
    const [first, second, third] = [owed.add(7, 10), owed.add(300, 10), owed.add(1, 10)];
    third.isDone = true;
    expect(owed.takeDue()).toBeUndefined();
    first.isDone = true;
    expect(owed.takeDue()).toEqual(puback(7));
    second.isDone = true;
    expect(owed.takeDue()).toEqual(puback(300, 1));
    expect(owed.outstanding).toBe(0);
  });

  it("acknowledgements are not sent for QoS 0, which takes its turn all the same", () => {
    const owed = new Acknowledgements();
    const [silent, loud] = [owed.add(0, 10), owed.add(9, 10)];
    loud.isDone = true;
    expect(owed.takeDue()).toBeUndefined();
    silent.isDone = true;
    expect(owed.takeDue()).toEqual(puback(9));
  });

  it("acknowledgements stop reading at 4 MiB or 8,000 messages, and no more once some are sent", () => {
    const owed = new Acknowledgements();
    const large = owed.add(1, 4 * 1024 * 1024);
    expect(owed.isFull).toBe(false);
    owed.add(2, 1);
    expect(owed.isFull).toBe(true);
    large.isDone = true;
    owed.takeDue();
    expect(owed.isFull).toBe(false);
    for (let id = 3; id < 8_003; id += 1) owed.add(id, 1);
    expect(owed.isFull).toBe(true);
  });

  it("acknowledgements owe nothing any more when the connection is gone", () => {
    const owed = new Acknowledgements();
    const late = owed.add(1, 10);
    owed.clear();
    late.isDone = true;
    expect(owed.takeDue()).toBeUndefined();
  });
});
