import { connect, type Socket } from "node:net";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { openOneByOneLink, type Turn, type Wire } from "./one-by-one.ts";

export interface TrackerLinkOptions extends LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly imei: string;
}

/**
 * Longest wait for an answer before the tracker connects anew, ms; trackers wait about as long. Shorter sends
 * records twice to a busy server, longer keeps them back.
 */
const ANSWER_MS = 30_000;
const ACCEPTED = 1;
/** Bytes of an answer: the number of records that the server took. */
const ANSWER_BYTES = 4;

/**
 * Opens the TCP connection of one Teltonika tracker: its IMEI, then packet by packet. One whose answer is
 * missing or counts other records than it has is sent again, after a break too; a refused IMEI tries again.
 */
export function openTrackerLink(options: TrackerLinkOptions): DeviceLink {
  return openOneByOneLink(options, (turn) => connectionOf(options, turn));
}

function connectionOf({ host, port, imei, onRefused }: TrackerLinkOptions, turn: Turn): Wire {
  let socket: Socket | undefined;
  /** Between the answer to the IMEI and the end of the connection. */
  let isLetIn = false;
  let isWaiting = false;
  let heard = Buffer.alloc(0);

  function open(): void {
    if (!turn.isUp || socket !== undefined) return;
    const opened = connect({ host, port, noDelay: true });
    socket = opened;
    heard = Buffer.alloc(0);
    opened.setTimeout(ANSWER_MS, () => {
      // A tracker with nothing to say keeps its connection.
      if (isWaiting || !isLetIn) opened.destroy();
    });
    opened.on("connect", () => opened.write(handshakeOf(imei)));
    opened.on("data", (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      hear();
    });
    opened.on("error", () => opened.destroy());
    opened.on("close", () => {
      socket = undefined;
      isLetIn = false;
      isWaiting = false;
      turn.retryLater();
    });
  }

  function hear(): void {
    if (!isLetIn) {
      const [answer] = heard;
      if (answer === undefined) return;
      heard = heard.subarray(1);
      if (answer !== ACCEPTED) {
        onRefused(`IMEI ${imei} was refused by ${host}:${port}`);
        socket?.destroy();
        return;
      }
      isLetIn = true;
    }
    while (heard.length >= ANSWER_BYTES) {
      const count = heard.readUInt32BE(0);
      heard = heard.subarray(ANSWER_BYTES);
      isWaiting = false;
      // Any other number asks for the same packet again (wiki, Codec 8).
      if (count === turn.current()?.seqs.length) turn.acknowledge();
    }
    pump();
  }

  function pump(): void {
    if (!isLetIn || isWaiting) return;
    const message = turn.current();
    if (message === undefined) return;
    isWaiting = true;
    socket?.write(message.payload, "latin1");
  }

  return {
    get isConnected() {
      return isLetIn;
    },
    open,
    pump,
    cut: () => socket?.destroy(),
    async close() {
      const closing = socket;
      if (closing === undefined) return;
      await new Promise<void>((resolve) => {
        closing.once("close", () => resolve());
        closing.destroy();
      });
    },
  };
}

/** Length in two bytes, then the digits. */
function handshakeOf(imei: string): Buffer {
  return Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei, "ascii")]);
}
