import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApiClient } from "../../support/api-client.ts";
import type { EventReceiver } from "./event-parties.ts";
import { ADMIN_KEY } from "./plumbline-target.ts";

/** An HTTP server that is always up, outside of the program that is killed, with a webhook to it. */
export function createWebhookReceiver(http: string): EventReceiver {
  const receiver: EventReceiver = {
    name: "webhook",
    onEvent: () => undefined,
    wants: () => true,
    async begin() {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/events`;
      await createApiClient(http, ADMIN_KEY).post("/webhooks", { url });
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      receiver.onEvent(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
  });
  return receiver;
}
