import { openDevice } from "../../support/mqtt-device.ts";
import { type Place, reportPlaces } from "../../support/report-places.ts";
import type { DeviceAccess } from "../../support/site.ts";
import type { Served } from "./console-browser.ts";

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
  return { id: machine.id, name: machine.name, report: reportPlaces(publish) };
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
    report: reportPlaces(publish),
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
