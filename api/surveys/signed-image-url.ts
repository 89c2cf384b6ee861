import { Type } from "typebox";

/** Where an image that was sent can be seen; `FileLinks.uploadedImage` gives it. */
export const SignedImageUrl = Type.Union([Type.String({ format: "uri" }), Type.Null()], {
  title: "SignedImageUrl",
  description:
    "The uploaded image, which opens without a header; with `&w=160`, 320, 640 or 1280 as a WebP that wide. null: sent in another way, not readable, or older than uploads are kept (7 days)",
});
