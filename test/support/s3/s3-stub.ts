import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A stand-in for faults that a real server does not make when a test wants them. It keeps whole files of one bucket
 * and checks nothing: what the protocol asks for is tested on `versitygw.ts`.
 */
export interface S3Stub {
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Answers the next requests with that status, as a service in trouble does. */
  failNext(count: number, status: number, code?: string): void;
  /** Does what the next requests ask, and ends their connections without an answer. */
  loseNext(count: number): void;
  close(): Promise<void>;
}

export async function startS3Stub(): Promise<S3Stub> {
  const objects = new Map<string, Buffer>();
  let failing = { count: 0, status: 500, code: "InternalError" };
  let losing = 0;

  /** What a request with that body is answered. */
  function serve(request: IncomingMessage, response: ServerResponse, sent: Buffer): void {
    const { pathname } = new URL(request.url ?? "/", "http://s3.test");
    const key = decodeURIComponent(pathname).split("/").slice(2).join("/");
    if (request.method === "PUT") objects.set(key, sent);
    if (request.method === "DELETE") objects.delete(key);
    const object = objects.get(key);
    if (request.method === "HEAD" && key !== "") {
      if (object === undefined) response.statusCode = 404;
      else response.setHeader("content-length", object.length);
    }
    if (losing > 0) {
      losing -= 1;
      request.socket.destroy();
      return;
    }
    response.end(request.method === "GET" ? object : undefined);
  }

  const server = createServer((request, response) => {
    void buffer(request).then(
      (sent) => {
        if (failing.count === 0) {
          serve(request, response, sent);
          return;
        }
        failing.count -= 1;
        response.writeHead(failing.status, { "content-type": "application/xml" });
        response.end(`<Error><Code>${failing.code}</Code><Message>no</Message></Error>`);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    failNext(count, status, code = "InternalError") {
      failing = { count, status, code };
    },
    loseNext(count) {
      losing = count;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
