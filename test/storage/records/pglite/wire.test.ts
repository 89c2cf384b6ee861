import { describe, expect, it } from "vitest";
import {
  answerState,
  joinBytes,
  requestState,
  simpleQuery,
} from "../../../../storage/records/pglite/wire.ts";

/** One protocol message: type, length, body. */
function message(type: string, body: string): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, "latin1")]);
}

const ready = (status: string) => message("Z", status);

describe("protocol messages", () => {
  it("protocol messages are owed an answer after Sync and Query, and gathered before", () => {
    const parse = message("P", "\0SELECT 1\0\0\0");
    const sync = message("S", "");
    expect(requestState(parse)).toBe("gathering");
    expect(requestState(joinBytes([parse, sync]))).toBe("flushed");
    expect(requestState(simpleQuery("SELECT 1"))).toBe("flushed");
    expect(requestState(message("X", ""))).toBe("terminated");
  });

  it("protocol messages that are cut are an error, not a guess", () => {
    const sync = message("S", "");
    const query = simpleQuery("SELECT 1");
    expect(() => requestState(query.subarray(0, -1))).toThrow(/whole protocol messages/);
    expect(() => requestState(joinBytes([query, sync.subarray(0, 3)]))).toThrow();
    expect(() => requestState(Buffer.from([83, 255, 255, 255, 255]))).toThrow();
  });

  it("protocol messages say whether the session is idle, in a transaction, or gone", () => {
    const rows = message("D", "\0\x01\0\0\0\x04text");
    const error = (severity: string) => message("E", `S${severity}\0V${severity}\0C22012\0\0`);
    const stateAfter = (...parts: Uint8Array[]) => answerState(joinBytes(parts));
    expect(stateAfter(rows, ready("I"))).toEqual({ idle: true, dead: false });
    expect(stateAfter(ready("T"))).toEqual({ idle: false, dead: false });
    expect(stateAfter(error("ERROR"), ready("E"))).toEqual({ idle: false, dead: false });
    expect(stateAfter(error("FATAL"))).toEqual({ idle: false, dead: true });
    expect(stateAfter(error("PANIC"), ready("I"))).toEqual({ idle: true, dead: true });
    expect(stateAfter(rows)).toEqual({ idle: false, dead: true });
    expect(stateAfter()).toEqual({ idle: false, dead: true });
  });
});
