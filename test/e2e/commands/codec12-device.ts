/**
 * A Teltonika tracker that takes text commands in Codec 12 over TCP and answers each.
 * Arguments: PORT IMEI LOG DIE_AT DIE_AFTER; points as in paho_device.py, without `acknowledged`.
 */
import { connect, type Socket } from "node:net";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { dieAt, openDeviceLog } from "./device-log.ts";

const [port, imei = "", file = "", point = "never", after = "0"] = process.argv.slice(2);
const log = openDeviceLog(file);
const die = dieAt(point, Number(after));
let received = 0;

function response(text: string): Buffer {
  const bytes = Buffer.from(text);
  const packet = Buffer.alloc(8 + 7 + bytes.length + 1 + 4);
  packet.writeUInt32BE(bytes.length + 8, 4);
  packet.set([0x0c, 1, 6], 8);
  packet.writeUInt32BE(bytes.length, 11);
  bytes.copy(packet, 15);
  packet[15 + bytes.length] = 1;
  packet.writeUInt32BE(crc16(packet, 8, packet.length - 4), packet.length - 4);
  return packet;
}

function take(socket: Socket, packet: Buffer): void {
  received += 1;
  die("received", received);
  const text = packet.toString("latin1", 15, 15 + packet.readUInt32BE(11));
  log.note({ got: text });
  die("logged", received);
  socket.write(response(`done: ${text}`), () => die("answered", received));
}

function open(): void {
  const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
  let heard = Buffer.alloc(0);
  let isLetIn = false;
  socket.on("connect", () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(imei.length);
    socket.write(Buffer.concat([length, Buffer.from(imei)]));
  });
  socket.on("data", (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    if (!isLetIn && heard.length > 0) {
      isLetIn = heard[0] === 1;
      heard = heard.subarray(1);
    }
    while (isLetIn && heard.length >= 12 && heard.length >= 12 + heard.readUInt32BE(4)) {
      const length = 12 + heard.readUInt32BE(4);
      take(socket, heard.subarray(0, length));
      heard = heard.subarray(length);
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => setTimeout(open, 300));
}

open();
