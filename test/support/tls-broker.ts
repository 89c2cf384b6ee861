import type { TlsFailure } from "../../tls/failure.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "./open-broker.ts";
import type { PemFolder } from "./test-authority.ts";
import { certificateOf } from "./tls-folder.ts";

type BrokerOptions = NonNullable<Parameters<typeof openBrokerUnderTest>[0]>;

/** A broker with MQTT and WebSocket over TLS alone, and the handshakes that failed so far. */
export async function openTlsBroker(
  folder: Pick<PemFolder, "path">,
  options: Pick<BrokerOptions, "settings" | "tlsRun"> = {},
): Promise<{ readonly world: BrokerUnderTest; readonly failures: readonly TlsFailure[] }> {
  const { settings } = options;
  const world = await openBrokerUnderTest({
    ...options,
    settings: { mqttPort: undefined, mqttWssPort: 0, ...certificateOf(folder), ...settings },
  });
  const failures: TlsFailure[] = [];
  world.tls?.onFailure((failure) => failures.push(failure));
  return { world, failures };
}
