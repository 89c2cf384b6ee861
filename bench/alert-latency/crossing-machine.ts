import { connectAsync, type MqttClient } from "mqtt";
import { type Location, offsetLocation } from "../../domain/geodesy.ts";
import type { DeviceAccess } from "../../test/support/site.ts";

/** Half the side of the machine's fence, m. */
const HALF_SIDE_M = 40;
/** How far beyond the edge it goes, and stops inside: more than one fix needs to be believed. */
const BEYOND_M = 40;
/** From one side to the other in this time is 96 km/h: fast, and believed. */
export const CROSSING_EVERY_MS = 3_000;

/** The corners of the square that a machine at `centre` goes in and out of, `[lat, lng]`. */
export function squareAround(centre: Location, halfSideM = HALF_SIDE_M): readonly number[][] {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  return corners.map(([east, north]) => {
    const corner = offsetLocation(centre, east * halfSideM, north * halfSideM);
    return [corner.latitude, corner.longitude];
  });
}

/** A machine whose every fix is on the other side of its fence. */
export class CrossingMachine {
  readonly #client: MqttClient;
  readonly #topic: string;
  readonly #inside: Location;
  readonly #outside: Location;
  readonly #onPublish: (fixTime: string) => void;
  #isInside = false;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    client: MqttClient,
    topic: string,
    centre: Location,
    onPublish: (fixTime: string) => void,
  ) {
    this.#client = client;
    this.#topic = topic;
    this.#inside = centre;
    this.#outside = offsetLocation(centre, HALF_SIDE_M + BEYOND_M, 0);
    this.#onPublish = onPublish;
  }

  /** Connects. `onPublish` is called with the fix time right before each publish. */
  static async open(
    port: number,
    access: DeviceAccess,
    centre: Location,
    onPublish: (fixTime: string) => void,
  ): Promise<CrossingMachine> {
    const { username, password, topic } = access;
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
      clientId: username,
      username,
      password,
      protocolVersion: 4,
    });
    return new CrossingMachine(client, topic, centre, onPublish);
  }

  /** Starts outside after `delayMs` and crosses with every fix from then on. */
  start(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#publish();
      this.#timer = setInterval(() => this.#publish(), CROSSING_EVERY_MS);
    }, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async close(): Promise<void> {
    this.stop();
    await this.#client.endAsync();
  }

  #publish(): void {
    const { latitude, longitude } = this.#isInside ? this.#inside : this.#outside;
    this.#isInside = !this.#isInside;
    const timestamp = new Date().toISOString();
    const fix = { timestamp, latitude, longitude, accuracy_meters: 3, engine_on: true };
    this.#onPublish(timestamp);
    this.#client.publish(this.#topic, JSON.stringify(fix), { qos: 1 });
  }
}
