import { type Static, Type } from "typebox";
import { CameraId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

/** Corners of an outline, zones of a camera, and beginnings of its images' addresses at most. */
export const CORNERS = { min: 3, max: 200 } as const;
export const MOST_ZONES = 100;
const MOST_PREFIXES = 20;
const MAX_PREFIX_LENGTH = 1_000;

/** What `readOutlines` takes; validation is left to that, which names the corner. */
const OutlinedZones = Type.Array(
  Type.Object({
    zone_id: WorkZoneId,
    outline: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      minItems: CORNERS.min,
      maxItems: CORNERS.max,
      title: "Outline",
      description:
        "Corners [x, y] in the reference view: shares of its width and height from the upper left corner, 0 to 1",
    }),
  }),
  {
    maxItems: MOST_ZONES,
    title: "OutlinedZones",
    description: "Where it sees which zones; those of the metrics image and stages are estimated",
  },
);

const Name = Type.String({ minLength: 1, maxLength: 200 });
const UrlPrefixes = Type.Array(
  Type.String({
    minLength: 8,
    maxLength: MAX_PREFIX_LENGTH,
    pattern: "^https?://",
    description: "Such as https://cams.example/gate-3/",
  }),
  {
    maxItems: MOST_PREFIXES,
    title: "ImageUrlPrefixes",
    description: "Images whose addresses begin so are this camera's; the longest one counts",
  },
);
const ReferenceImage = Type.String({
  description:
    "Zones are outlined in it, and images registered to it: an address of POST /progress/images",
});

export const CameraPath = Type.Object({ camera_id: CameraId });

export const Camera = Type.Object(
  {
    id: CameraId,
    project_id: ProjectId,
    name: Name,
    status: Type.Enum(["active", "suspended"], {
      description:
        "suspended: it no longer points where its reference view does; no estimates until a new one is set",
    }),
    suspended_at: Type.Union([Timestamp, Type.Null()]),
    reference_image: Type.String({
      description: "Address of the reference view, good for some days",
    }),
    reference_sha256: Type.String(),
    reference_set_at: Timestamp,
    zones: OutlinedZones,
    url_prefixes: UrlPrefixes,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Camera" },
);
export type Camera = Static<typeof Camera>;

export const CameraList = listOf("CameraList", Camera);

/** Body of POST /progress/cameras. */
export const NewCamera = Type.Object(
  {
    project_id: ProjectId,
    name: Name,
    reference_image: ReferenceImage,
    zones: Type.Optional(OutlinedZones),
    url_prefixes: Type.Optional(UrlPrefixes),
    id: Type.Optional(CameraId),
  },
  { title: "NewCamera" },
);

/** Body of PATCH /progress/cameras/{id}; absent fields stay as they are. */
export const CameraChange = Type.Object(
  {
    name: Type.Optional(Name),
    reference_image: Type.Optional(ReferenceImage),
    zones: Type.Optional(OutlinedZones),
    url_prefixes: Type.Optional(UrlPrefixes),
  },
  { title: "CameraChange" },
);

/** Fields that the routes read themselves, to say more of what is wrong with them. */
export const READ_BY_ROUTES = ["zones"] as const;
