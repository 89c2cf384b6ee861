import type { FastifyReply, FastifyRequest } from "fastify";
import { compressed, type Encoding, encodingFor } from "./compression.ts";
import { tagIsKnown } from "./entity-tag.ts";

/** A body that is sent many times, with its tag. Each of its compressed forms is made once, when it is asked for. */
export class KeptAnswer {
  readonly bytes: Buffer;
  /** Strong, in quotes. */
  readonly etag: string;
  readonly #encoded = new Map<Encoding, Buffer>();
  readonly #making = new Map<Encoding, Promise<Buffer>>();

  /** @param hash of the bytes, or of what they are made of */
  constructor(bytes: Buffer, hash: string) {
    this.bytes = bytes;
    this.etag = `"${hash}"`;
  }

  /** At once where the form is there: most requests need not wait, and a promise costs each of them. */
  encoded(encoding: Encoding): Buffer | Promise<Buffer> {
    return this.#encoded.get(encoding) ?? this.#making.get(encoding) ?? this.#make(encoding);
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    const making = compressed(this.bytes, encoding);
    this.#making.set(encoding, making);
    try {
      const made = await making;
      this.#encoded.set(encoding, made);
      return made;
    } finally {
      // What failed once, for want of memory, may succeed for the next client.
      this.#making.delete(encoding);
    }
  }
}

/** Answers with the bytes in the coding that the client prefers, or with 304 to a client that has them. */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
  type: string,
): FastifyReply | Promise<FastifyReply> {
  if (tagIsKnown(request, reply, answer.etag)) return reply.code(304).send();
  reply.type(type);
  const encoding = encodingFor(request, answer.bytes.length);
  if (encoding === undefined) return reply.send(answer.bytes);
  const bytes = answer.encoded(encoding);
  const send = (made: Buffer): FastifyReply =>
    reply.header("content-encoding", encoding).send(made);
  return Buffer.isBuffer(bytes) ? send(bytes) : bytes.then(send);
}
