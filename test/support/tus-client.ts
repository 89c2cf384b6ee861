import { type ClientRequest, type IncomingHttpHeaders, request } from "node:http";

/** What a request of the upload protocol was answered. */
export interface TusAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A client of tus 1.0.0 that can be as wrong as a test wants. */
export interface TusClient {
  send(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: Uint8Array,
  ): Promise<TusAnswer>;
  /** Begins an upload and yields its path. */
  begin(lengthBytes: number, name?: string, query?: string): Promise<string>;
  /** Bytes that are there. */
  offset(path: string): Promise<number>;
  patch(path: string, offset: number, body: Uint8Array): Promise<TusAnswer>;
  /** Announces all of `body`, sends its first bytes, and leaves the connection open. */
  hold(path: string, offset: number, body: Uint8Array, sentBytes: number): Promise<ClientRequest>;
  /** The same, and destroys the connection. */
  cut(path: string, offset: number, body: Uint8Array, sentBytes: number): Promise<void>;
}

export function createTusClient(url: string, key: string): TusClient {
  const usual = { authorization: `Bearer ${key}`, "tus-resumable": "1.0.0" };
  const bytesType = { "content-type": "application/offset+octet-stream" };

  const send: TusClient["send"] = (method, path, headers = {}, body = new Uint8Array()) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        { method, headers: { "content-length": String(body.length), ...usual, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.once("error", reject);
          response.once("end", () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
          });
        },
      );
      sent.once("error", reject);
      sent.end(body);
    });

  const hold: TusClient["hold"] = async (path, offset, body, sentBytes) => {
    const sent = request(`${url}${path}`, {
      method: "PATCH",
      headers: {
        ...usual,
        ...bytesType,
        "upload-offset": String(offset),
        "content-length": String(body.length),
      },
    });
    sent.on("error", () => undefined);
    await new Promise<void>((resolve) => {
      sent.once("error", () => resolve());
      sent.write(body.subarray(0, sentBytes), () => resolve());
    });
    return sent;
  };

  return {
    send,
    async begin(lengthBytes, name = "a.jpg", query = "") {
      const { status, headers, body } = await send("POST", `/api/v1/uploads${query}`, {
        "upload-length": String(lengthBytes),
        "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
      });
      if (status !== 201) throw new Error(`not begun: ${status} ${body}`);
      return String(headers.location);
    },
    async offset(path) {
      const { status, headers } = await send("HEAD", path);
      if (status !== 200) throw new Error(`no offset: ${status}`);
      return Number(headers["upload-offset"]);
    },
    patch: (path, offset, body) =>
      send("PATCH", path, { ...bytesType, "upload-offset": String(offset) }, body),
    hold,
    async cut(path, offset, body, sentBytes) {
      const sent = await hold(path, offset, body, sentBytes);
      if (sent.destroyed) return;
      // A destroyed request reports an error before it closes.
      const closed = new Promise<void>((resolve) => {
        sent.once("close", () => resolve());
      });
      sent.destroy();
      await closed;
    },
  };
}
