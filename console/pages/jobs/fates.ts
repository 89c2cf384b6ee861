import type { JobDetail, Measurement, readCapture } from "./requests.ts";

/** What became of one image. */
export interface Fate {
  readonly name: string;
  readonly isUsed: boolean;
  /** In the service's words; `undefined` where it was used. */
  readonly reason: string | undefined;
  /** Signed address; `undefined`: it is not there any more, or could not be read. */
  readonly url: string | undefined;
}

type Capture = Extract<Awaited<ReturnType<typeof readCapture>>, { value: unknown }>["value"];

export const fatesOfMeasurement = ({ image_uses = [] }: Measurement): readonly Fate[] =>
  image_uses.map(({ name, use, reason, signed_url }) => ({
    name,
    isUsed: use === "used",
    reason: reason ?? undefined,
    url: signed_url ?? undefined,
  }));

export const fatesOfCapture = ({ images }: Capture): readonly Fate[] =>
  images.map(({ url, status, reason, signed_url }) => ({
    name: url.split("/").at(-1) ?? url,
    isUsed: status === "used",
    reason: reason ?? undefined,
    url: signed_url ?? undefined,
  }));

/** Of a survey that a gate refused. */
export const fatesOfFailure = ({ error }: JobDetail): readonly Fate[] =>
  (error?.details ?? []).flatMap(({ image_uses = [] }) =>
    image_uses.map(({ name, use, reason }) => ({
      name,
      isUsed: use === "used",
      reason: reason ?? undefined,
      url: undefined,
    })),
  );

/** The last parts of a path: `/api/v1/materials/stockpiles/a/measurements/b` has `a` and `b`. */
export function idsOfPath(path: string): { readonly owner: string; readonly id: string } {
  const parts = path.split("/");
  return { owner: parts.at(-3) ?? "", id: parts.at(-1) ?? "" };
}
