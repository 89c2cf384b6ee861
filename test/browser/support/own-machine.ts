import { openDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import type { DeviceAccess } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import type { Served } from "./console-browser.ts";

/** Degrees, WGS 84. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Least time between two reports, ms: 44 m in less are no way that a machine drives, and the service ignores such. */
const PACE_MS = 3_000;

/** A machine that a story drives: a real asset that reports to the service's own intake. */
export interface OwnMachine {
  readonly id: string;
  readonly name: string;
  /** Reports that it is there now, 1 m exact; resolves when the reading is on disk. */
  readonly report: (place: Place) => Promise<void>;
}

interface NewMachine {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
}

/** Registers a machine in a project of the demo; it reports over HTTP. */
export async function registerMachine(served: Served, machine: NewMachine): Promise<OwnMachine> {
  const { password } = await register(served, machine);
  const login = `Bearer ${machine.id}.${password}`;
  const publish = (reading: object) =>
    send(`${served.origin}/api/v1/ingest/plumbline`, login, reading);
  return { id: machine.id, name: machine.name, report: reporter(publish) };
}

/** The same with a device that is connected to the service's broker; it reports over MQTT. */
export async function connectMachine(
  served: Served,
  machine: NewMachine,
): Promise<OwnMachine & AsyncDisposable> {
  const access = await register(served, machine);
  const config = await fetch(`${served.origin}/api/v1/console/config`, {
    headers: { authorization: `Bearer ${served.key}` },
  });
  const { devices } = (await config.json()) as {
    readonly devices: { readonly mqtt_port: number };
  };
  const device = await openDevice({ access, port: devices.mqtt_port });
  if (device.returnCode !== 0) throw new Error(`the broker answered ${device.returnCode}`);
  const publish = (reading: object) => device.publish({ payload: JSON.stringify(reading), qos: 1 });
  return {
    id: machine.id,
    name: machine.name,
    report: reporter(publish),
    [Symbol.asyncDispose]: () => device.disconnect(),
  };
}

async function register({ origin, key }: Served, machine: NewMachine): Promise<DeviceAccess> {
  const { id, name, projectId } = machine;
  const answer = await send(`${origin}/api/v1/equipment/assets`, `Bearer ${key}`, {
    ...{ id, name, project_id: projectId, type: "excavator" },
  });
  return ((await answer.json()) as { readonly mqtt: DeviceAccess }).mqtt;
}

/** Reports places no faster than a machine drives. */
function reporter(publish: (reading: object) => Promise<unknown>): OwnMachine["report"] {
  let reportedMs = 0;
  return async (place) => {
    await until("the machine has driven", () => Date.now() - reportedMs >= PACE_MS, PATIENT_MS);
    reportedMs = Date.now();
    await publish({ timestamp: new Date().toISOString(), ...place, accuracy_meters: 1 });
  };
}

/** A request as programs send it, with a key; for what a story needs and no page does. */
export async function send(url: string, authorization: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
