import { isIP } from "node:net";
import { Connection, ResponseError } from "@platformatic/kafka";
import type { KafkaOptions } from "./options.ts";

/** Longest wait for a connection with its log-in, ms. Longer delays the turn to another broker; shorter fails over slow networks. */
const CONNECT_MS = 5_000;

/** Where a broker listens. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * One connection to one broker, made when it is needed and made again after it failed. A broker answers the
 * requests of a connection one after the other, so what waits at the broker has a link of its own.
 */
export class BrokerLink {
  readonly #address: BrokerAddress;
  readonly #options: KafkaOptions;
  readonly #closing = new AbortController();
  #connecting: Promise<Connection> | undefined;

  constructor(address: BrokerAddress, options: KafkaOptions) {
    this.#address = address;
    this.#options = options;
  }

  /**
   * Asks the broker. Whatever fails but an answer that is an error ends the connection: an answer that comes
   * late must not be taken for that of a later request.
   * @throws Error when there is no answer within `timeoutMs`, or none at all; `ResponseError` for an answer
   * that is an error.
   */
  async call<T>(ask: (connection: Connection) => Promise<T>, timeoutMs: number): Promise<T> {
    this.#closing.signal.throwIfAborted();
    this.#connecting ??= this.#connect();
    const connecting = this.#connecting;
    try {
      const connection = await this.#within(connecting, 2 * CONNECT_MS);
      return await this.#within(ask(connection), timeoutMs);
    } catch (error) {
      if (!(error instanceof ResponseError)) this.#drop(connecting);
      throw error;
    }
  }

  /** Who waits for an answer has an error. */
  close(): void {
    this.#closing.abort(new Error("the connection is closed"));
    if (this.#connecting !== undefined) this.#drop(this.#connecting);
  }

  async #connect(): Promise<Connection> {
    const { host, port } = this.#address;
    const { clientId, tls, sasl } = this.#options;
    const connection = new Connection(clientId, {
      connectTimeout: CONNECT_MS,
      ...(tls === undefined ? {} : { tls: withoutAbsent({ ...tls, ...serverName(host) }) }),
      ...(sasl === undefined ? {} : { sasl: { ...sasl } }),
    });
    // What fails is reported by the request that it fails.
    connection.on("error", () => undefined);
    try {
      await connection.connect(host, port);
    } catch (error) {
      connection.socket?.destroy();
      throw error;
    }
    return connection;
  }

  async #within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
    const { host, port } = this.#address;
    const { signal } = this.#closing;
    let giveUp: () => void = () => undefined;
    const none = new Promise<never>((_, reject) => {
      const late = () => reject(new Error(`no answer of ${host}:${port} in ${timeoutMs} ms`));
      const ended = () => reject(signal.reason);
      const timer = setTimeout(late, timeoutMs);
      signal.addEventListener("abort", ended, { once: true });
      giveUp = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", ended);
      };
    });
    try {
      return await Promise.race([answer, none]);
    } finally {
      giveUp();
    }
  }

  #drop(connecting: Promise<Connection>): void {
    if (this.#connecting === connecting) this.#connecting = undefined;
    connecting.then(
      (connection) => connection.socket.destroy(),
      () => undefined,
    );
  }
}

/** TLS has names of hosts, not addresses (RFC 6066 section 3). */
const serverName = (host: string): { readonly servername?: string } =>
  isIP(host) === 0 ? { servername: host } : {};

function withoutAbsent<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
