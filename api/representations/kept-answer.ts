import type { FastifyReply, FastifyRequest } from "fastify";
import { compressed, type Encoding, encodingFor } from "./compression.ts";
import { tagIsKnown } from "./entity-tag.ts";

/** A body that is sent many times, with its tag. Each of its compressed forms is made once, when it is asked for. */
export class KeptAnswer {
  readonly bytes: Buffer;
  /** Strong, in quotes. */
  readonly etag: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  /** @param hash of the bytes, or of what they are made of */
  constructor(bytes: Buffer, hash: string) {
    this.bytes = bytes;
    this.etag = `"${hash}"`;
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding);
    if (known !== undefined) return known;
    const made = compressed(this.bytes, encoding);
    this.#encoded.set(encoding, made);
    // What failed once, for want of memory, may succeed for the next client.
    made.catch(() => this.#encoded.delete(encoding));
    return made;
  }
}

/** Answers with the bytes in the coding that the client prefers, or with 304 to a client that has them. */
export async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
  type: string,
): Promise<FastifyReply> {
  if (tagIsKnown(request, reply, answer.etag)) return reply.code(304).send();
  reply.type(type);
  const encoding = encodingFor(request, answer.bytes.length);
  if (encoding === undefined) return reply.send(answer.bytes);
  const bytes = await answer.encoded(encoding);
  return reply.header("content-encoding", encoding).send(bytes);
}
