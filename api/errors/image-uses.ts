import { type Static, Type } from "typebox";
import { IMAGE_USES, type ImageUse } from "../../domain/sites/image-use.ts";

/** What became of each image of a survey. */
export const ImageUses = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      use: Type.Enum([...IMAGE_USES]),
      reason: Type.Union([Type.String(), Type.Null()]),
    },
    { title: "ImageUse" },
  ),
  { description: "Every image that was sent, with its outcome" },
);
export type ImageUses = Static<typeof ImageUses>;

/** What became of an image, as JSON keeps it. */
export interface ListedUse {
  readonly name: string;
  readonly use: ImageUse["use"];
  readonly reason?: string | undefined;
}

/** Images with what became of each, as answers list them. */
export function imageUsesView(uses: readonly ListedUse[]): ImageUses {
  return uses.map(({ name, use, reason }) => ({ name, use, reason: reason ?? null }));
}
