import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import type { Served } from "./console-browser.ts";

/** Degrees, WGS 84. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Least time between two reports, ms: 44 m in less are no way that a machine drives, and the service ignores such. */
const PACE_MS = 3_000;

/** A machine that a story drives: a real asset that reports over the service's own HTTP intake. */
export interface OwnMachine {
  readonly id: string;
  readonly name: string;
  /** Reports that it is there now, 1 m exact; resolves when the reading is on disk. */
  readonly report: (place: Place) => Promise<void>;
}

/** Registers a machine in a project of the demo. */
export async function registerMachine(
  { origin, key }: Served,
  machine: { readonly id: string; readonly name: string; readonly projectId: string },
): Promise<OwnMachine> {
  const { id, name, projectId } = machine;
  const answer = await send(`${origin}/api/v1/equipment/assets`, `Bearer ${key}`, {
    ...{ id, name, project_id: projectId, type: "excavator" },
  });
  const { mqtt } = (await answer.json()) as { readonly mqtt: { readonly password: string } };
  const login = `Bearer ${id}.${mqtt.password}`;
  let reportedMs = 0;
  return {
    id,
    name,
    async report(place) {
      await until("the machine has driven", () => Date.now() - reportedMs >= PACE_MS, PATIENT_MS);
      reportedMs = Date.now();
      const reading = { timestamp: new Date().toISOString(), ...place, accuracy_meters: 1 };
      await send(`${origin}/api/v1/ingest/plumbline`, login, reading);
    },
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
