import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import { Location } from "../../../domain/geodesy.ts";
import { Shift } from "../../../domain/project.ts";
import { SimulatorError } from "../../command-line/simulator-error.ts";
import type { Registration } from "../device/device-plan.ts";
import type { ProjectPlan } from "../world/world.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";

/** What a device logs in with; the password is shown once by the API. */
const Credentials = Type.Object({
  username: Type.String(),
  password: Type.String(),
  topic: Type.String(),
});
export type Credentials = Static<typeof Credentials>;

const withCredentials = Compile(Type.Object({ mqtt: Credentials }));
const project = Compile(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    location: Location,
    time_zone: Type.String(),
    shift: Shift,
  }),
);
const refusal = Compile(Type.Object({ error: Type.Object({ message: Type.String() }) }));

/**
 * Requests at a time; more only queue at a service that stores them one by one, fewer leave it idle between
 * them.
 */
const PARALLEL = 8;

/**
 * Creates the projects, or takes over those that are there. The service's location, time zone and
 * shift then replace the planned ones, so that the truth speaks of the same days as the service.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionProjects(
  api: ApiClient,
  plans: readonly ProjectPlan[],
): Promise<readonly ProjectPlan[]> {
  const provisioned: ProjectPlan[] = [];
  for (const plan of plans) {
    const answer = await api.request("POST", "/projects", {
      id: plan.id,
      name: plan.name,
      location: plan.location,
      time_zone: plan.timeZone,
      shift: plan.shift,
    });
    if (answer.status === 201) {
      provisioned.push(plan);
      continue;
    }
    if (answer.status !== 409) throw refused(`project ${plan.id}`, answer);
    const there = await api.request("GET", `/projects/${plan.id}`);
    // Taken by a project that the key may not see: the plan holds, and the service refuses its assets.
    if (there.status === 404) {
      provisioned.push(plan);
      continue;
    }
    if (!project.Check(there.body)) throw refused(`project ${plan.id}`, there);
    const { name, location, time_zone: timeZone, shift } = there.body;
    provisioned.push({ id: plan.id, name, location, timeZone, shift });
  }
  return provisioned;
}

/**
 * Creates the assets, or gives those that are there what is planned of their devices and new credentials,
 * which closes the session of whoever used the old ones. Yields credentials by the id of their asset.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionAssets(
  api: ApiClient,
  registrations: readonly Registration[],
): Promise<ReadonlyMap<string, Credentials>> {
  const credentials = new Map<string, Credentials>();
  let next = 0;
  async function work(): Promise<void> {
    for (let i = next++; i < registrations.length; i = next++) {
      const registration = registrations[i];
      if (registration === undefined) return;
      credentials.set(registration.id, await provisionAsset(api, registration));
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return credentials;
}

async function provisionAsset(
  api: ApiClient,
  { id, name, type, projectId, decoder, hardwareId }: Registration,
): Promise<Credentials> {
  const device = { type, decoder, ...(hardwareId !== undefined && { hardware_id: hardwareId }) };
  const created = { id, name, project_id: projectId, ...device };
  let answer = await api.request("POST", "/equipment/assets", created);
  if (answer.status === 409) {
    const path = `/equipment/assets/${encodeURIComponent(id)}`;
    const changed = await api.request("PATCH", path, device);
    if (changed.status !== 200) throw refused(`asset ${id}`, changed);
    answer = await api.request("POST", `${path}/credentials`, {});
  }
  if (!withCredentials.Check(answer.body)) throw refused(`asset ${id}`, answer);
  return answer.body.mqtt;
}

/**
 * Says how the payloads of a type of assets become readings.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionMapping(
  api: ApiClient,
  type: string,
  mapping: PayloadMapping,
): Promise<void> {
  const path = `/equipment/mappings/${encodeURIComponent(type)}`;
  const answer = await api.request("PUT", path, mapping);
  if (answer.status !== 200) throw refused(`the mapping of ${type}`, answer);
}

/** What to throw when the service does not do what was asked. */
export function refused(what: string, { status, body }: ApiAnswer): SimulatorError {
  const reason = refusal.Check(body) ? body.error.message : "an answer of an unknown form";
  return new SimulatorError(`the service refused ${what}: ${status}, ${reason}`);
}
