import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { MAX_PAYLOAD_BYTES } from "../../domain/equipment/reading.ts";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import type { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";
import type { DeviceReport } from "../device-log/connections/noted-connections.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { AssetSessions } from "../intake/asset-sessions.ts";
import type { Intake } from "../intake/intake.ts";
import { createCounters } from "../intake/readings/counters.ts";
import { answerText, discardBody, serveDevices } from "../sockets/device-http.ts";
import { listenForDevices } from "../sockets/listen-for-devices.ts";
import { readBody } from "./body.ts";
import { OSMAND_COUNTERS } from "./counters.ts";
import { readMessage } from "./message.ts";

/** How long a sender may take, ms. All chosen. */
interface Times {
  /** From the connection, or the answer before, to the end of the headers. */
  readonly headersMs: number;
  /** To the end of the body. */
  readonly requestMs: number;
  /** Between two requests of a connection: longer than a phone's interval of 30 s. */
  readonly keepAliveMs: number;
  /** How often those three are checked. */
  readonly checkMs: number;
  /** Without a message, until an asset's session is closed. */
  readonly idleMs: number;
}
const TIMES: Times = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  idleMs: 300_000,
};
/**
 * Longest address and headers, bytes; Node answers 431 beyond. Larger lets strangers take memory; smaller could
 * refuse a query with many attributes.
 */
const MAX_HEADER_BYTES = 16 * 1024;
/** Connections at once. More let strangers take memory and sockets; fewer could refuse phones of a large fleet. */
const MAX_CONNECTIONS = 10_000;
/**
 * Requests of one connection without an answer. Chosen: devices wait for each answer, and thousands in one
 * packet would keep all others waiting for as long as they are read.
 */
const MAX_UNANSWERED = 16;
/**
 * How long answers that are under way may take when the service stops, ms. Longer delays a restart; shorter has
 * more readings sent twice.
 */
const LINGER_MS = 1_000;
const RETRY_AFTER_S = "10";

export interface OsmandOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly intake: Intake;
  readonly directory: Pick<AssetDirectory, "findByHardwareId">;
  /** Takes the addresses of senders from balancers. Absent: they are those of the connections. */
  readonly proxyProtocol?: ProxyProtocol | undefined;
  readonly log: Pick<Logger, "error">;
  /** Hears of requests under ids that no asset has; must not throw and must not take long. */
  readonly onConnection?: (report: DeviceReport) => void;
  readonly times?: Partial<Times>;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/**
 * Listens for phones and scripts that report by HTTP, as the OsmAnd protocol has it: GET or POST on any path,
 * answered with 200 when the message is durable. The id is all that a sender proves itself by.
 */
export class OsmandServer {
  readonly #options: OsmandOptions;
  readonly #now: NonNullable<OsmandOptions["now"]>;
  readonly #times: Times;
  readonly #counters = createCounters(OSMAND_COUNTERS);
  readonly #sessions: AssetSessions;
  readonly #unanswered = new WeakMap<Socket, number>();
  #isClosing = false;
  readonly #server: Server;
  #sweep: NodeJS.Timeout | undefined;
  #port = 0;

  /** @throws DomainError `SETTINGS_INVALID` naming the port that cannot be used. */
  static async open(options: OsmandOptions): Promise<OsmandServer> {
    const server = new OsmandServer(options);
    await server.#listen();
    return server;
  }

  private constructor(options: OsmandOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#times = { ...TIMES, ...this.#options.times };
    this.#sessions = new AssetSessions(this.#options.intake, "http", this.#now);
    this.#server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: this.#times.headersMs,
      requestTimeout: this.#times.requestMs,
      keepAliveTimeout: this.#times.keepAliveMs,
      connectionsCheckingInterval: this.#times.checkMs,
      requireHostHeader: false,
    });
    serveDevices(this.#server, (request, response) => {
      if (!this.#letIn(request, response)) return;
      this.#handle(request, response).catch((error: unknown) => {
        // A sender that went away is not an error and gets no answer.
        if (request.destroyed && !request.complete) return;
        this.#options.log.error({ err: error }, "OsmAnd request failed");
        if (!response.headersSent) answerText(response, 500, "");
      });
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  get port(): number {
    return this.#port;
  }

  /** Counters since the start, and the gauge `osmand_sessions`. */
  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, osmand_sessions: this.#sessions.size };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#sweep);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    this.#sessions.close();
    const timer = setTimeout(() => this.#server.closeAllConnections(), LINGER_MS);
    await closed;
    clearTimeout(timer);
  }

  async #listen(): Promise<void> {
    const { host, port, proxyProtocol } = this.#options;
    const { idleMs } = this.#times;
    const place = { host, port };
    this.#port = await listenForDevices(this.#server, "OSMAND_PORT", place, proxyProtocol);
    this.#sweep = setInterval(() => this.#sessions.closeIdle(idleMs), Math.min(60_000, idleMs));
    this.#sweep.unref();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (
      status: number,
      counter: (typeof OSMAND_COUNTERS)[number],
      text: string,
    ): void => {
      this.#counters[counter] += 1;
      if (!request.complete) discardBody(request);
      if (status === 503) response.setHeader("retry-after", RETRY_AFTER_S);
      answerText(response, status, text);
    };
    this.#counters.osmand_requests += 1;
    const { method = "", url = "" } = request;
    if (this.#isClosing) response.setHeader("connection", "close");
    if (method !== "GET" && method !== "POST") {
      response.setHeader("allow", "GET, POST");
      return refuse(405, "osmand_malformed", "GET or POST");
    }
    // Before anything is read: what cannot be stored need not be sent.
    if (!this.#options.intake.accepting)
      return refuse(503, "osmand_unavailable", "not storing now");
    const body = await readBody(request, MAX_PAYLOAD_BYTES);
    if (body === "too_large") {
      return refuse(413, "osmand_oversized", `at most ${MAX_PAYLOAD_BYTES} bytes`);
    }
    const message = readMessage(url, body);
    if (message === undefined) return refuse(400, "osmand_malformed", "no device is named");
    const entry = this.#options.directory.findByHardwareId(message.hardwareId);
    if (entry === undefined) {
      this.#options.onConnection?.({
        listener: "osmand",
        outcome: "unknown_user",
        assetId: undefined,
        hardwareId: message.hardwareId,
        address: plainAddress(request.socket.remoteAddress),
        atMs: this.#now(),
      });
      return refuse(message.unknownStatus, "osmand_unknown_id", "unknown id");
    }
    try {
      await this.#sessions.take(entry, message);
    } catch {
      if (this.#isClosing) response.setHeader("connection", "close");
      return refuse(503, "osmand_unavailable", "not stored");
    }
    this.#counters.osmand_accepted += 1;
    answerText(response, 200, "");
  }

  /** Whether a request may be taken; a sender with too many before it is cut off. */
  #letIn({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // What is left of a packet whose sender was cut off a moment ago.
    if (socket.destroyed) return false;
    const waiting = this.#unanswered.get(socket) ?? 0;
    if (waiting >= MAX_UNANSWERED) {
      this.#counters.osmand_hasty += 1;
      socket.destroy();
      return false;
    }
    this.#unanswered.set(socket, waiting + 1);
    response.once("close", () =>
      this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1),
    );
    return true;
  }
}
