import { describe, expect, it } from "vitest";
import { toAnswer } from "../../../domain/equipment/command.ts";
import { asQueued } from "../../../domain/equipment/command-steps.ts";
import {
  codec12Text,
  encodeCodec12,
  readCodec12Response,
} from "../../../ingest/commands/carriers/codec12.ts";
import { refusalIn } from "../../../ingest/commands/carriers/json.ts";
import {
  encodeSparkplugCommand,
  sparkplugValue,
} from "../../../ingest/commands/carriers/sparkplug.ts";
import { metricValue, readSparkplugPayload } from "../../../ingest/decoders/sparkplug/payload.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { readCommand } from "../../e2e/commands/sparkplug-command.ts";

const AT_MS = Date.UTC(2026, 10, 20, 12);
const command = (name: string, parameters: unknown, attempt = 1) => ({
  ...asQueued(newCommand("cmd_1", { name, parameters }), 7),
  attempt,
});

describe("Codec 12", () => {
  it.each([
    ["getinfo", "000000000000000f0c010500000007676574696e666f0100004312"],
    ["getio", "000000000000000d0c010500000005676574696f01000000cb"],
  ])("Codec 12 writes the command %s as Teltonika's own example has it", (text, hex) => {
    expect(encodeCodec12(text).toString("hex")).toBe(hex);
  });

  it("Codec 12 reads the text of Teltonika's own example of a response", () => {
    const hex =
      "00000000000000370c01060000002f4449313a31204449323a30204449333a302041494e313a302041494e323a313639323420444f313a3020444f323a3101000066e3";
    const response = readCodec12Response(Buffer.from(hex, "hex"));

    expect(Buffer.from(response ?? []).toString()).toBe(
      "DI1:1 DI2:0 DI3:0 AIN1:0 AIN2:16924 DO1:0 DO2:1",
    );
  });

  it("Codec 12 takes no command for a response, nor one whose size says more than there is", () => {
    const packet = encodeCodec12("getinfo");
    expect(readCodec12Response(packet)).toBe(undefined);
    packet[10] = 6;
    packet.writeUInt32BE(4_000_000_000, 11);
    expect(readCodec12Response(packet)).toBe(undefined);
  });

  it("Codec 12 joins name and parameters by a blank, and refuses what a tracker cannot read", () => {
    expect(codec12Text({ name: "setdigout", parameters: "1? 60" })).toBe("setdigout 1? 60");
    for (const wrong of [
      { name: "setdigout", parameters: 1 },
      { name: "über", parameters: undefined },
      { name: "x".repeat(200), parameters: "y".repeat(900) },
    ]) {
      expect(() => codec12Text(wrong)).toThrow(
        expect.objectContaining({ code: "PARAMETER_INVALID" }),
      );
    }
  });
});

describe("Sparkplug commands", () => {
  it.each([
    [true, 11, true],
    [-7, 3, -7],
    [3_000_000_000, 4, 3_000_000_000],
    [1.5, 10, 1.5],
    ["on", 12, "on"],
    [{ value: -3, datatype: "Int8" }, 1, -3],
    [{ value: 4_000_000_000, datatype: "UInt32" }, 7, 4_000_000_000],
    [{ value: 0.5, datatype: "Float" }, 9, 0.5],
  ])("Sparkplug commands write %j with the datatype %i", (parameters, datatype, value) => {
    const payload = readSparkplugPayload(
      encodeSparkplugCommand(command("rate", parameters), AT_MS),
    );
    const [metric] = payload.metrics;

    expect(payload.timestampMs).toBe(AT_MS);
    expect(metric).toMatchObject({ name: "rate", datatype, timestampMs: AT_MS });
    expect(metric && metricValue(metric, undefined)).toBe(value);
  });

  it("Sparkplug commands say their id in the payload's uuid and count the attempt in a property", () => {
    const written = readCommand(encodeSparkplugCommand(command("rate", 5, 3), AT_MS));
    expect(written).toEqual({ uuid: "cmd_1", name: "rate", value: 5, attempt: 3 });
  });

  it.each([
    [undefined],
    [{ seconds: 1 }],
    [[1]],
    [{ value: 256, datatype: "UInt8" }],
    [{ value: 1.5, datatype: "Int32" }],
    [{ value: "1", datatype: "Double" }],
    [{ value: 1, datatype: "toString" }],
  ])("Sparkplug commands refuse %j", (parameters) => {
    expect(() => sparkplugValue({ parameters })).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID" }),
    );
  });
});

describe("an answer", () => {
  it("an answer is JSON, text or base64, and is cut at 8 KiB", () => {
    expect(toAnswer(Buffer.from('{"a":1}'))).toEqual({
      encoding: "json",
      value: { a: 1 },
      truncated: false,
    });
    expect(toAnswer(Buffer.from("IGN: 1"))).toMatchObject({ encoding: "text", value: "IGN: 1" });
    expect(toAnswer(Buffer.of(0xff, 0xfe))).toMatchObject({ encoding: "base64", value: "//4=" });
    expect(toAnswer(Buffer.from(""))).toMatchObject({ encoding: "text", value: "" });
    const long = toAnswer(Buffer.from(`x${"ü".repeat(5_000)}`));
    expect(long).toMatchObject({ encoding: "text", truncated: true });
  });

  it("an answer refuses a command by the status failed alone", () => {
    expect(refusalIn({ status: "failed", message: "no such pin" })).toBe("no such pin");
    expect(refusalIn({ status: "failed" })).toBe("the device answered with status failed");
    for (const other of [{ status: "ok" }, { error: 1 }, "failed", null, 7]) {
      expect(refusalIn(other)).toBe(undefined);
    }
  });
});
