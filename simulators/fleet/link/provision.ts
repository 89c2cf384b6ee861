import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { Location } from "../../../domain/geodesy.ts";
import { Shift } from "../../../domain/project.ts";
import { SimulatorError } from "../../simulator-error.ts";
import type { FleetFormat } from "../formats/format.ts";
import type { AssetPlan, ProjectPlan } from "../world.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";

/** What a device logs in with; the password is shown once by the API. */
const Credentials = Type.Object({
  username: Type.String(),
  password: Type.String(),
  topic: Type.String(),
});
export type Credentials = Static<typeof Credentials>;

const withCredentials = Compile(Type.Object({ mqtt: Credentials }));
const projectList = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        location: Location,
        time_zone: Type.String(),
        shift: Shift,
      }),
    ),
  }),
);
const refusal = Compile(Type.Object({ error: Type.Object({ message: Type.String() }) }));

/** Requests at a time; more only queue at a service that stores them one by one. Chosen. */
const PARALLEL = 8;

/**
 * Creates the projects, or takes over those that are there: the service's location, time zone and
 * shift then replace the planned ones, so that the truth speaks of the same days as the service.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionProjects(
  api: ApiClient,
  plans: readonly ProjectPlan[],
): Promise<readonly ProjectPlan[]> {
  const found = new Set<string>();
  for (const plan of plans) {
    const answer = await api.request("POST", "/projects", {
      id: plan.id,
      name: plan.name,
      location: plan.location,
      time_zone: plan.timeZone,
      shift: plan.shift,
    });
    if (answer.status === 409) found.add(plan.id);
    else if (answer.status !== 201) throw refused(`project ${plan.id}`, answer);
  }
  if (found.size === 0) return plans;
  const list = await api.request("GET", "/projects");
  if (!projectList.Check(list.body)) throw refused("the list of projects", list);
  const { data } = list.body;
  return plans.map((plan) => {
    const there = found.has(plan.id) ? data.find(({ id }) => id === plan.id) : undefined;
    if (there === undefined) return plan;
    const { name, location, time_zone: timeZone, shift } = there;
    return { id: plan.id, name, location, timeZone, shift };
  });
}

/**
 * Creates the assets with what their devices speak, in the order of `plans`; one that is there already is
 * given its decoder, its `hardware_id` and new credentials, which closes the session of whoever used the
 * old ones. Yields credentials in the same order.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionAssets(
  api: ApiClient,
  plans: readonly AssetPlan[],
  formats: readonly FleetFormat[],
): Promise<readonly Credentials[]> {
  const credentials: Credentials[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let i = next++; i < plans.length; i = next++) {
      const plan = plans[i];
      const format = formats[i];
      if (plan === undefined || format === undefined) throw new RangeError("a plan without format");
      credentials[i] = await provisionAsset(api, plan, format);
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return credentials;
}

async function provisionAsset(
  api: ApiClient,
  plan: AssetPlan,
  format: FleetFormat,
): Promise<Credentials> {
  const hardwareId = format.hardwareId?.(plan.id);
  const device = {
    decoder: format.name,
    ...(hardwareId !== undefined && { hardware_id: hardwareId }),
  };
  let answer = await api.request("POST", "/equipment/assets", {
    id: plan.id,
    name: plan.name,
    type: plan.spec.type,
    project_id: plan.projectId,
    ...device,
  });
  if (answer.status === 409) {
    const path = `/equipment/assets/${encodeURIComponent(plan.id)}`;
    const changed = await api.request("PATCH", path, device);
    if (changed.status !== 200) throw refused(`asset ${plan.id}`, changed);
    answer = await api.request("POST", `${path}/credentials`, {});
  }
  if (!withCredentials.Check(answer.body)) throw refused(`asset ${plan.id}`, answer);
  return answer.body.mqtt;
}

/** What to throw when the service does not do what was asked. */
export function refused(what: string, { status, body }: ApiAnswer): SimulatorError {
  const reason = refusal.Check(body) ? body.error.message : "an answer of an unknown form";
  return new SimulatorError(`the service refused ${what}: ${status}, ${reason}`);
}
