import type { FastifyRequest } from "fastify";
import type { StockpileId } from "../../domain/ids.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import { visibleRecord } from "./visible-record.ts";

/**
 * A stockpile that the key may see.
 * @throws DomainError `STOCKPILE_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export function visibleStockpile(
  stockpiles: StockpileRecords,
  request: FastifyRequest,
  id: StockpileId,
): Promise<Stockpile> {
  return visibleRecord(request, id, {
    find: (known) => stockpiles.find(known),
    projectOf: (found) => found.project_id,
    notFound: "STOCKPILE_NOT_FOUND",
    noun: "stockpile",
  });
}
