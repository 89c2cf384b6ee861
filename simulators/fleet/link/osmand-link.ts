import { Agent, type ClientRequest, get } from "node:http";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { openOneByOneLink, type Turn, type Wire } from "./one-by-one.ts";

export interface OsmandLinkOptions extends LinkOptions {
  readonly host: string;
  readonly port: number;
}

/** Longest wait for an answer before the request is made anew, ms; that of the Traccar Client app. */
const ANSWER_MS = 15_000;

/**
 * Opens the HTTP side of one phone: a GET for each message, the next after the answer to the last. What
 * is not answered by 200 is kept and sent again.
 */
export function openOsmandLink(options: OsmandLinkOptions): DeviceLink {
  return openOneByOneLink(options, (turn) => requestsOf(options, turn));
}

function requestsOf({ host, port, onRefused }: OsmandLinkOptions, turn: Turn): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let request: ClientRequest | undefined;
  /** HTTP has no connection to speak of: whether the last request was answered by 200. */
  let isConnected = false;

  function pump(): void {
    if (request !== undefined || !turn.isUp) return;
    const message = turn.current();
    if (message === undefined) return;
    let status: number | undefined;
    const asked = get({ host, port, agent, path: `/?${message.payload}`, timeout: ANSWER_MS });
    request = asked;
    asked.on("response", (response) => {
      response.resume();
      // The whole answer, or the connection could not be used again.
      response.on("end", () => {
        status = response.statusCode;
      });
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => undefined);
    asked.on("close", () => {
      request = undefined;
      isConnected = status === 200;
      if (!isConnected) {
        if (status !== undefined) onRefused(`${host}:${port} answered ${status}`);
        turn.retryLater();
        return;
      }
      turn.acknowledge();
      pump();
    });
  }

  return {
    get isConnected() {
      return isConnected;
    },
    open: pump,
    pump,
    cut: () => agent.destroy(),
    async close() {
      agent.destroy();
    },
  };
}
