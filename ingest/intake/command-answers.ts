import type { AssetRegistration } from "../../domain/asset.ts";
import type { Delivery } from "./delivery.ts";
import type { TopicRoute } from "./topic-route.ts";

/** Where answers to commands go. */
export interface CommandAnswers {
  /**
   * Stores the answer in `delivery`; resolves when it is durable, with whether a command of the asset took it.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  take(
    asset: AssetRegistration,
    which: NonNullable<TopicRoute["answers"]>,
    delivery: Pick<Delivery, "payload">,
  ): Promise<boolean>;
}
