import { MUTES_PER_ASSET } from "../equipment/alert.ts";
import { OPEN_COMMANDS_PER_ASSET, OPEN_COMMANDS_PER_PROJECT } from "../equipment/command.ts";
import { DomainError } from "../errors.ts";
import type { ProjectId } from "../ids.ts";

/**
 * Most records of a kind. Webhooks and forwarders are counted by each project that they name, so that one
 * customer's leave room for another's; those of every project count by themselves. Each webhook costs a lane
 * and each forwarder a reader of the whole journal. Fleet sources and mappings are for keys that see every
 * project, and belong to the whole installation.
 */
export const RECORD_LIMITS = {
  webhooks: 100,
  forwarders: 20,
  "fleet sources": 100,
  mappings: 500,
} as const;
type Kind = keyof typeof RECORD_LIMITS;

/** A record that speaks of projects; `undefined`: of every one. */
interface Subscription {
  readonly projectIds: readonly ProjectId[] | undefined;
}

/**
 * Whether a webhook or forwarder fits in beside the others.
 * @throws DomainError `LIMIT_REACHED` naming a project of which there are as many as may be.
 */
export function requireRoomByProject(
  kind: "webhooks" | "forwarders",
  { projectIds }: Subscription,
  others: readonly Subscription[],
): void {
  const most = RECORD_LIMITS[kind];
  if (projectIds === undefined) {
    const count = others.filter((other) => other.projectIds === undefined).length;
    if (count >= most) throw reached(`There are ${most} ${kind} of every project already`);
    return;
  }
  for (const id of projectIds) {
    const count = others.filter((other) => other.projectIds?.includes(id)).length;
    if (count >= most) throw reached(`There are ${most} ${kind} of the project ${id} already`);
  }
}

/** @throws DomainError `LIMIT_REACHED` when there are `count` others, as many as may be. */
export function requireRoom(kind: Kind, count: number): void {
  const most = RECORD_LIMITS[kind];
  if (count >= most) throw reached(`There are ${most} ${kind} already`);
}

/** @throws DomainError `LIMIT_REACHED` when the asset or the project has as many open commands as may be. */
export function requireRoomForCommand(open: {
  readonly ofAsset: number;
  readonly ofProject: number;
}): void {
  const advice = "cancel some, or wait until they are confirmed or expire";
  if (open.ofAsset >= OPEN_COMMANDS_PER_ASSET) {
    throw reached(`The asset has ${OPEN_COMMANDS_PER_ASSET} open commands already; ${advice}`);
  }
  if (open.ofProject >= OPEN_COMMANDS_PER_PROJECT) {
    throw reached(`The project has ${OPEN_COMMANDS_PER_PROJECT} open commands already; ${advice}`);
  }
}

/** @throws DomainError `LIMIT_REACHED` when the asset has as many mutes in force as may be. */
export function requireRoomForMute(inForce: number): void {
  if (inForce >= MUTES_PER_ASSET) {
    throw reached(`The asset has ${MUTES_PER_ASSET} mutes in force already; end some of them`);
  }
}

const reached = (message: string): DomainError => new DomainError("LIMIT_REACHED", message);
