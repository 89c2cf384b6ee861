import type { SitePoint } from "../../survey/coordinates/place.ts";
import { createHit, createRay, meet } from "../../survey/render/solid-hit.ts";
import type { Block } from "../../survey/site/solid.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import { buildingBlocks } from "../zone/building-work.ts";
import { designChangeM, type ProjectZone } from "../zone/project-zone.ts";
import { planeM } from "../zone/site-ground.ts";

/** Places along each edge of a zone that are tested. */
const PLACES = 12;

/** Share of a zone's finished surface that no finished building hides from a point, 0 to 1. */
export function visibleShare(plan: ProjectPlan, zone: ProjectZone, from: SitePoint): number {
  const { ground } = plan;
  const { rect } = zone.plan;
  const blocks = plan.zones.flatMap((other) => (other === zone ? [] : finishedBlocks(plan, other)));
  const ray = createRay();
  const hit = createHit();
  let visible = 0;
  for (let i = 0; i < PLACES ** 2; i += 1) {
    const share = (k: number) => (2 * (k + 0.5)) / PLACES - 1;
    const at = {
      alongM: rect.alongM + rect.halfLengthM * share(i % PLACES),
      rightM: rect.rightM + rect.halfWidthM * share(Math.floor(i / PLACES)),
    };
    const place = ground.grid.toSite(at);
    const upM = planeM(ground, place) + designChangeM(zone.plan, at);
    [ray.fe, ray.fn, ray.fu] = [from.eastM, from.northM, from.upM];
    ray.te = place.eastM - from.eastM;
    ray.tn = place.northM - from.northM;
    ray.tu = upM - from.upM;
    // Depths count in lengths of the ray: below 1 is before the place.
    if (!blocks.some((block) => meet(block, ray, hit) && hit.depthM < 1)) visible += 1;
  }
  return visible / PLACES ** 2;
}

function finishedBlocks(
  { ground }: ProjectPlan,
  { plan: { work, rect, code } }: ProjectZone,
): Block[] {
  if (work.kind !== "building") return [];
  const footM = planeM(ground, ground.grid.toSite(rect));
  return buildingBlocks(work, rect, ground.grid, 1, code).works.map((block) => ({
    ...block,
    bottomM: block.bottomM + footM,
    topM: block.topM + footM,
  }));
}
