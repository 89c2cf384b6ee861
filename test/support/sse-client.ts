import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from "node:http";

/** One event as a browser's EventSource would hand it out. */
export interface SseMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** An open event stream. */
export interface SseClient {
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly SseMessage[];
  /** Comment lines, without their colon. */
  readonly comments: readonly string[];
  /** What the client would come back with. */
  readonly lastEventId: string;
  /** Whether the server, or `cut`, ended it. */
  readonly isOver: boolean;
  /** Stops reading the socket, or goes on. */
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  cut(): void;
}

export interface SseOptions {
  /** Absent: the request has none. */
  readonly key?: string | undefined;
  /** The `Cookie` header. */
  readonly cookie?: string;
  readonly lastEventId?: string;
  /** Called for each message as it is read. */
  readonly onMessage?: (message: SseMessage) => void;
}

/** The answer of a stream that was refused. */
export class SseRefused extends Error {
  override readonly name = "SseRefused";
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;

  constructor({ statusCode = 0, headers }: IncomingMessage, body: string) {
    super(`${statusCode} ${body}`);
    this.status = statusCode;
    this.body = body;
    this.headers = headers;
  }
}

/** Opens the stream at `url`, over a connection of its own. @throws SseRefused for any answer but 200. */
export async function openSse(url: string, options: SseOptions): Promise<SseClient> {
  const { key, cookie, lastEventId } = options;
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cookie === undefined ? {} : { cookie }),
    accept: "text/event-stream",
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  };
  const sent = request(url, { headers, agent: false });
  sent.end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  answer.setEncoding("utf8");
  if (answer.statusCode !== 200) {
    let body = "";
    for await (const text of answer) body += text;
    throw new SseRefused(answer, body);
  }
  return read(sent, answer, options);
}

/** WHATWG HTML section 9.2.6, for lines that end in LF. */
function read(sent: ClientRequest, answer: IncomingMessage, options: SseOptions): SseClient {
  const messages: SseMessage[] = [];
  const comments: string[] = [];
  let lastEventId = options.lastEventId ?? "";
  let rest = "";
  let isOver = false;

  function takeBlock(block: string): void {
    let event = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const [field, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
      if (field === "") comments.push(value);
      else if (field === "id") lastEventId = value;
      else if (field === "event") event = value;
      else if (field === "data") data.push(value);
    }
    if (data.length === 0) return;
    const message = { id: lastEventId, event, data: data.join("\n") };
    messages.push(message);
    options.onMessage?.(message);
  }

  answer.on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) takeBlock(block);
  });
  const over = () => {
    isOver = true;
  };
  answer.on("error", over);
  answer.on("close", over);
  sent.on("error", over);

  return {
    headers: answer.headers,
    messages,
    comments,
    get lastEventId() {
      return lastEventId;
    },
    get isOver() {
      return isOver;
    },
    pause: () => {
      answer.pause();
    },
    resume: () => {
      answer.resume();
    },
    cut: () => {
      sent.destroy();
    },
  };
}
