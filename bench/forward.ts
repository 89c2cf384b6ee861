/**
 * Readings a second that are passed on from the journal, confirmed by the receiver, over loopback. They
 * go as Traccar's JSON to an HTTP server in a process of its own, and as our JSON to a real Mosquitto with QoS
 * 1. Beside each a bare loop of a client that posts the same bodies, made beforehand: `node:http` with 32
 * requests in flight, and mqtt.js with 256 messages. The methods take turns; medians of the rounds.
 *
 *   tsx bench/forward.ts [rounds]
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { MOSQUITTO_BROKER, startMosquitto } from "../test/support/mosquitto.ts";
import { median } from "./figures/median.ts";
import { bareHttp, bareMqtt } from "./forward/bare-loops.ts";
import { type Filled, filledJournal } from "./forward/filled-journal.ts";
import { passOn } from "./forward/pass-on.ts";
import { serveHttp } from "./forward/serve-http.ts";

const SCRIPT = fileURLToPath(import.meta.url);
const ROUNDS = 3;
const ASSETS = 200;
const READINGS = { http: 6_000, mqtt: 20_000 } as const;

/** Measures each method in turn, and prints the medians. */
async function compare(
  name: string,
  readings: number,
  rounds: number,
  ways: Readonly<Record<string, (filled: Filled) => Promise<void>>>,
): Promise<void> {
  const times = new Map<string, number[]>();
  const filled = await filledJournal(ASSETS, readings);
  // The first round of all warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, run] of Object.entries(ways)) {
      const beginMs = performance.now();
      await run(filled);
      if (round > 0) times.set(way, [...(times.get(way) ?? []), performance.now() - beginMs]);
    }
  }
  await filled.close();
  console.table(
    [...times].map(([way, ms]) => ({
      over: name,
      way,
      "readings/s": Math.round(readings / (median(ms) / 1_000)),
    })),
  );
}

async function measure(rounds: number): Promise<void> {
  const server = fork(SCRIPT, ["serve"], { execArgv: ["--import", "tsx"] });
  const [port] = await once(server, "message");
  const http = `http://127.0.0.1:${String(port)}/positions`;
  await compare("HTTP", READINGS.http, rounds, {
    "plumbline, from the journal": (filled) => passOn(filled, { kind: "traccar_http", url: http }),
    "node:http, bodies made before": ({ traccar }) => bareHttp(http, traccar),
  });
  server.kill();
  if (MOSQUITTO_BROKER.absent !== undefined) throw new Error(MOSQUITTO_BROKER.absent);
  const mosquitto = await startMosquitto();
  await compare("MQTT", READINGS.mqtt, rounds, {
    "plumbline, from the journal": (filled) => passOn(filled, { kind: "mqtt", url: mosquitto.url }),
    "mqtt.js, bodies made before": ({ plumbline }) => bareMqtt(mosquitto.url, plumbline),
  });
  await mosquitto.close();
}

const [mode] = process.argv.slice(2);
if (mode === "serve") await serveHttp();
else await measure(mode === undefined ? ROUNDS : Number(mode));
