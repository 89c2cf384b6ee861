import type { FastifyRequest } from "fastify";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";

type Named = Pick<AssetRegistration, "decoder" | "hardware_id">;

/**
 * A device behind a Sparkplug edge node gets what the edge node says of it, by its name alone. So only keys
 * that see an edge node may name devices below it. Only a key that sees all devices already named below an
 * edge node may register it.
 * @throws DomainError `ID_CONFLICT`, the same words as for a name that another asset has.
 */
export function requireOwnGateway(
  directory: AssetDirectory,
  request: FastifyRequest,
  named: Named,
): void {
  const name = sparkplugName(named);
  if (name === undefined) return;
  const key = principal(request);
  for (const { asset } of directory.entries()) {
    const other = sparkplugName(asset);
    if (other === undefined || seesProject(key, asset.project_id)) continue;
    if (isBelow(name, other) || isBelow(other, name)) {
      throw new DomainError("ID_CONFLICT", "hardware_id is taken by another asset");
    }
  }
}

const sparkplugName = ({ decoder, hardware_id }: Named): string | undefined =>
  decoder === "sparkplug" ? hardware_id : undefined;

/** Whether `device` is the name of something behind `gateway`. */
const isBelow = (device: string, gateway: string): boolean => device.startsWith(`${gateway}/`);
