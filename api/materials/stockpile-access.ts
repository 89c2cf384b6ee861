import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type StockpileId } from "../../domain/ids.ts";
import type { Stockpile } from "../../domain/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/stockpiles.ts";
import { seesProject } from "../auth/principal.ts";
import { principal } from "../plugins/guard.ts";

/**
 * A stockpile that the key may see.
 * @throws DomainError `STOCKPILE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleStockpile(
  stockpiles: StockpileRecords,
  request: FastifyRequest,
  id: StockpileId,
): Promise<Stockpile> {
  // The path is not validated: text that is no id names nothing, and never reaches the database.
  const stockpile = isId(id) ? await stockpiles.find(id) : undefined;
  if (stockpile === undefined || !seesProject(principal(request), stockpile.project_id)) {
    throw new DomainError("STOCKPILE_NOT_FOUND", `no stockpile ${id}`);
  }
  return stockpile;
}
