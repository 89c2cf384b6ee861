import type { FastifyRequest } from "fastify";
import { Type } from "typebox";

/** The preference of RFC 7240 not to wait for the work. */
export const RESPOND_ASYNC = "respond-async";

/** Headers of a route that can be asked not to wait. */
export const PREFER = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description: `\`${RESPOND_ASYNC}\`: answer with the job, 202; others are ignored`,
    }),
  ),
});

/** Whether the request has the preference; `Prefer` may have several, with values and parameters. */
export function prefersAsync({ headers }: FastifyRequest): boolean {
  const preferences = [headers["prefer"] ?? []].flat().join(",").split(",");
  return preferences.some((one) => one.split(/[;=]/)[0]?.trim().toLowerCase() === RESPOND_ASYNC);
}
