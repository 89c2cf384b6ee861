import { type Static, Type } from "typebox";

/** The lists of AVL ids by which a Teltonika tracker may number its values; the first is the usual one. */
const TELTONIKA_IDS = ["fmb", "fmx6"] as const;

/** What a decoder has to know of an asset's device that its payloads do not say. */
export const DecoderOptions = Type.Object(
  {
    teltonika_ids: Type.Optional(
      Type.Enum([...TELTONIKA_IDS], {
        description:
          "Numbering of AVL ids, for the decoders teltonika and teltonika-codec8: fmb (FMB, FMC and FMM trackers and everything else; the default) or fmx6 (professional trackers FM6300, FMB630, FMx640, FMx650), which give the same ids to other values",
      }),
    ),
  },
  {
    title: "DecoderOptions",
    description:
      "What the decoder cannot know from payloads; options of other decoders have no effect",
  },
);
export type DecoderOptions = Static<typeof DecoderOptions>;
