import type { FastifyReply } from "fastify";

/** Adds names of request headers that the answer depends on; each is there once. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = String(reply.getHeader("vary") ?? "");
  const known = before.split(", ").filter((name) => name !== "");
  const lower = known.map((name) => name.toLowerCase());
  const added = names.filter((name) => !lower.includes(name.toLowerCase()));
  if (added.length > 0) reply.header("vary", [...known, ...added].join(", "));
}
