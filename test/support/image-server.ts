import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { SurveySet } from "./survey-sets.ts";

/** A web server of a site office on 127.0.0.1: images of surveys, a page that is not an image, and 404s. */
export interface ImageServer extends AsyncDisposable {
  readonly port: number;
  /** Puts a survey's images on show and yields their addresses, in the order of the flight. */
  show(set: Pick<SurveySet, "images">): readonly string[];
  /** Puts bytes on show under a name and yields their address; the same name again replaces them. */
  serve(name: string, bytes: Uint8Array): string;
  /** An address that answers with a web page. */
  readonly page: string;
  /** An address that answers 404. */
  absent(name: string): string;
}

export async function openImageServer(): Promise<ImageServer> {
  const pathByUrl = new Map<string, string>();
  const bytesByUrl = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    const path = pathByUrl.get(url);
    const bytes = bytesByUrl.get(url);
    if (path !== undefined) {
      createReadStream(path).pipe(response.writeHead(200, { "content-type": "image/jpeg" }));
    } else if (bytes !== undefined) {
      response.writeHead(200, { "content-type": "image/jpeg" }).end(bytes);
    } else if (url === "/login.jpg") {
      response.writeHead(200, { "content-type": "image/jpeg" });
      response.end("<!doctype html><title>Please log in</title>");
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  let shown = 0;
  return {
    port,
    page: `${base}/login.jpg`,
    absent: (name) => `${base}/absent/${name}`,
    show({ images }) {
      shown += 1;
      return images.map((path) => {
        const url = `/survey-${shown}/${basename(path)}`;
        pathByUrl.set(url, path);
        return `${base}${url}`;
      });
    },
    serve(name, bytes) {
      bytesByUrl.set(`/files/${name}`, bytes);
      return `${base}/files/${name}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
