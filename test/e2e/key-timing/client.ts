import { Agent, request } from "node:http";

/** Requests per address: the service answers 1,000 refused ones a minute and address as usual. */
const PER_ADDRESS = 800;
/** The first ones on a new connection are slower. */
const WARM_UP = 20;

/** Asks one question at a time and measures how long the answer takes, from changing addresses of loopback. */
export class TimedClient {
  readonly #base: URL;
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #asked = 0;
  #address = 0;

  constructor(base: URL) {
    this.#base = base;
  }

  /** Prepares the address of the next pair, so that both halves use one connection. */
  async prepare(key: string): Promise<void> {
    if (this.#asked % PER_ADDRESS !== 0) return;
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#address += 1;
    for (let i = 0; i < WARM_UP; i += 1) await this.ask(key);
  }

  /** Time from the sending of a request with this key to the end of its answer, ns. */
  ask(key: string): Promise<number> {
    this.#asked += 1;
    return new Promise((fulfil, reject) => {
      const startedNs = process.hrtime.bigint();
      const sent = request(
        {
          agent: this.#agent,
          host: this.#base.hostname,
          port: this.#base.port,
          path: "/api/v1/equipment/assets?limit=1",
          localAddress: `127.1.${Math.floor(this.#address / 250)}.${1 + (this.#address % 250)}`,
          headers: { authorization: `Bearer ${key}` },
        },
        (answer) => {
          answer.resume();
          answer.once("end", () => {
            const tookNs = Number(process.hrtime.bigint() - startedNs);
            if (answer.statusCode === 401) fulfil(tookNs);
            else reject(new Error(`a key of no one was answered with ${answer.statusCode}`));
          });
        },
      );
      sent.once("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
