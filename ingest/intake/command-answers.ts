import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { InboundMessage } from "./inbound-message.ts";
import type { TopicRoute } from "./topic-route.ts";

/** Where answers to commands go. */
export interface CommandAnswers {
  /**
   * Stores the answer in `inbound`; resolves when it is durable, with whether a command of the asset took it.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  take(
    asset: AssetRegistration,
    which: NonNullable<TopicRoute["answers"]>,
    inbound: Pick<InboundMessage, "payload">,
  ): Promise<boolean>;
}
