import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Clean } from "typebox/value";
import { MAX_TYPE_LENGTH } from "../../../domain/equipment/asset.ts";
import { MaintenancePlan, planProblems } from "../../../domain/equipment/maintenance.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { PlanDirectory } from "../../../ingest/directories/plan-directory.ts";
import type { PlanInForce } from "../../../ingest/directories/plan-timeline.ts";
import type { HeldPlan, PlanScope } from "../../../storage/ports/equipment/maintenance.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset, visibleProject } from "../../access/asset-access.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { invalidParameter, ParameterError } from "../../validation/validation.ts";
import { letFollow } from "../../writes/follow.ts";
import { noteState, requireMatch } from "../../writes/resource-tag.ts";
import { AssetPath } from "../assets/asset-schemas.ts";
import { AssetPlan, StoredPlan, TypePlanPath } from "./maintenance-schemas.ts";

export interface MaintenancePlansOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly plans: PlanDirectory;
  readonly now: () => number;
}

/** After every version that there is: a version may begin a few ms after it was put. */
const NEWEST_MS = Number.MAX_SAFE_INTEGER;

/** What is watched on an asset, or on every asset of a type; mounted at `/api/v1/equipment`. */
const maintenancePlans: FastifyPluginAsyncTypebox<MaintenancePlansOptions> = async (
  app,
  { records, directory, plans, now },
) => {
  /** Within the transaction of a change. @throws Refusal 412 */
  const checking = (request: FastifyRequest) => (before: HeldPlan | undefined) =>
    requireMatch(
      request,
      before && { plan: JSON.parse(before.plan), validFromMs: before.validFromMs },
    );

  async function put(
    request: FastifyRequest,
    scope: PlanScope,
    plan: MaintenancePlan,
  ): Promise<PlanInForce> {
    const text = JSON.stringify(plan);
    await records.maintenance.putPlan(scope, text, now(), checking(request));
    await plans.refresh();
    const held = kept(scope);
    noteState(request, ownState(held));
    return held;
  }

  /** @throws DomainError `PLAN_NOT_FOUND` */
  function kept(scope: PlanScope): PlanInForce {
    const held = plans.ofScope(scope, NEWEST_MS);
    if (held === undefined) throw new DomainError("PLAN_NOT_FOUND", "no maintenance plan");
    return held;
  }

  async function remove(request: FastifyRequest, scope: PlanScope): Promise<void> {
    kept(scope);
    await records.maintenance.putPlan(scope, undefined, now(), checking(request));
    await letFollow(plans);
  }

  app.put(
    "/assets/:asset_id/maintenance-plan",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "putAssetMaintenancePlan",
        tags: ["equipment"],
        summary: "Set an asset's own plan, which replaces that of its type as a whole",
        params: AssetPath,
        body: MaintenancePlan,
        response: { 200: AssetPlan, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const plan = readPlan(request.body);
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      return assetPlanView(await put(request, { assetId: asset.id }, plan));
    },
  );

  app.get(
    "/assets/:asset_id/maintenance-plan",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getAssetMaintenancePlan",
        tags: ["equipment"],
        summary: "The plan that holds for an asset: its own, else that of its type",
        params: AssetPath,
        response: { 200: AssetPlan, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const held = plans.inForce(asset.id, asset.project_id, NEWEST_MS);
      if (held === undefined) throw new DomainError("PLAN_NOT_FOUND", "no maintenance plan");
      // That of its type is not what a change of its own would overwrite.
      noteState(request, held.source === "asset" ? ownState(held) : held);
      return assetPlanView(held);
    },
  );

  app.delete(
    "/assets/:asset_id/maintenance-plan",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "deleteAssetMaintenancePlan",
        tags: ["equipment"],
        summary: "Remove an asset's own plan; that of its type holds again",
        params: AssetPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      await remove(request, { assetId: asset.id });
      return reply.code(204).send(null);
    },
  );

  app.put(
    "/projects/:project_id/maintenance-plans/:type",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "putTypeMaintenancePlan",
        tags: ["equipment"],
        summary: "Set the plan of every asset of a type in a project that has none of its own",
        params: TypePlanPath,
        body: MaintenancePlan,
        response: { 200: StoredPlan, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { project_id, type } = request.params;
      const plan = readPlan(request.body);
      if (type.length < 1 || type.length > MAX_TYPE_LENGTH || type.includes("\0")) {
        throw invalidParameter("type", `must have 1 to ${MAX_TYPE_LENGTH} characters`);
      }
      const project = visibleProject(directory, request, project_id);
      const scope = { projectId: project.id, assetType: type };
      return storedPlanView(await put(request, scope, plan));
    },
  );

  app.get(
    "/projects/:project_id/maintenance-plans/:type",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getTypeMaintenancePlan",
        tags: ["equipment"],
        summary: "The plan of a type of assets in a project",
        params: TypePlanPath,
        response: { 200: StoredPlan, ...FAILURES },
      },
    },
    async (request) => {
      const { project_id, type } = request.params;
      const project = visibleProject(directory, request, project_id);
      const held = kept({ projectId: project.id, assetType: type });
      noteState(request, ownState(held));
      return storedPlanView(held);
    },
  );

  app.delete(
    "/projects/:project_id/maintenance-plans/:type",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "deleteTypeMaintenancePlan",
        tags: ["equipment"],
        summary: "Remove the plan of a type; assets keep their own plans",
        params: TypePlanPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id, type } = request.params;
      const project = visibleProject(directory, request, project_id);
      await remove(request, { projectId: project.id, assetType: type });
      return reply.code(204).send(null);
    },
  );
};

/** The plan without fields that it has no meaning for. @throws ParameterError naming each entry that is wrong. */
function readPlan(body: MaintenancePlan): MaintenancePlan {
  const problems = planProblems(body);
  if (problems.length > 0) throw new ParameterError(problems);
  // The body has passed the schema; cleaning takes fields away only.
  return Clean(MaintenancePlan, structuredClone(body)) as MaintenancePlan;
}

/** What is stored of a plan, as `checking` reads it. */
const ownState = ({ plan, validFromMs }: PlanInForce) => ({ plan, validFromMs });

const storedPlanView = ({ plan, validFromMs }: PlanInForce): StoredPlan => ({
  ...plan,
  valid_from: new Date(validFromMs).toISOString(),
});

const assetPlanView = (held: PlanInForce): AssetPlan => ({
  ...storedPlanView(held),
  source: held.source,
});

export default maintenancePlans;
