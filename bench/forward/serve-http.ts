import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A receiver that reads every body and answers 200; sends its parent the port. */
export async function serveHttp(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.send?.((server.address() as AddressInfo).port);
}
