import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { SURFACE_HEIGHT_M } from "../../../domain/geometry/surface-height.ts";
import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import type { WorkZoneId } from "../../../domain/ids.ts";
import {
  type WorkZone,
  ZONE_SURFACES,
  type ZoneSurface,
  type ZoneSurfaceName,
  zoneFolder,
} from "../../../domain/sites/work-zone.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { WorkZoneRecords } from "../../../storage/ports/sites/work-zones.ts";
import { visibleZone } from "../../access/record-access.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { cutWhenSilent } from "../../long-requests/silent-body.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { SurfaceHeightUnit } from "../../schemas/vertical-datum.ts";
import { withBody } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";
import { ZoneSurfacePath, ZoneWithSurface } from "./zone-schemas.ts";
import { keepAskedSurface, readSurfaceBody, type ZoneFiles } from "./zone-surface-body.ts";
import { type KeptSurface, keepSurfaceFile, MAX_SURFACE_BYTES } from "./zone-surface-file.ts";
import { zoneView } from "./zone-view.ts";

export interface ZoneSurfacesOptions {
  readonly zones: WorkZoneRecords;
  /** Absent: no files are kept, and a surface is one height. */
  readonly files: (ZoneFiles & { readonly store: Pick<FileStore, "list"> }) | undefined;
  readonly surfaceUrl: SurfaceUrl;
  readonly now: () => number;
}

/** Files under way: LandXML is in memory as points and faces, about 100 MiB of the largest file. */
const SURFACES = { what: "surfaces", perOwner: 4, inAll: 16, retryAfterS: 5 };

/** Body of PUT as JSON. */
const GivenSurface = Type.Object(
  {
    height_m: Type.Optional(
      Type.Number({
        minimum: SURFACE_HEIGHT_M.min,
        maximum: SURFACE_HEIGHT_M.max,
        description: "One height, metres; without surface_url",
      }),
    ),
    reference: Type.Optional(
      Type.Enum(["survey", "baseline"], {
        description: "From the heights of the surveys (default), or, for a design, the baseline",
      }),
    ),
    surface_url: Type.Optional(
      Type.String({
        description: "Of a GeoTIFF, as POST /progress/images gave it, or of a surface of this zone",
      }),
    ),
    surface_height_unit: SurfaceHeightUnit,
  },
  { title: "GivenSurface" },
);

const FILE_PARAMETERS = {
  surface_height_unit: SurfaceHeightUnit,
  epsg: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999,
      description: "Of LandXML that names none",
    }),
  ),
  surface: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: "Of LandXML: name of the surface; absent: the first",
    }),
  ),
};

/** Ground before the work, and design, of work zones; mounted at `/api/v1/progress`. */
const zoneSurfaces: FastifyPluginAsyncTypebox<ZoneSurfacesOptions> = async (app, options) => {
  const { zones, files, surfaceUrl, now } = options;
  // JSON is read as everywhere; anything else is a file that the route reads, whatever it is called.
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));

  const slots = createWorkSlots(SURFACES);

  async function keepFile(
    request: FastifyRequest,
    reply: FastifyReply,
    body: Readable,
    zone: WorkZone,
    name: ZoneSurfaceName,
    asked: {
      readonly epsg?: number;
      readonly surface?: string;
      readonly surface_height_unit?: HeightUnit;
    },
  ): Promise<KeptSurface> {
    if (files === undefined) throw new Refusal(400, "invalid_request", "No files are kept here");
    const leave = slots.enter(request, reply);
    const stopWatching = cutWhenSilent(request.raw, () => request.raw.complete);
    try {
      const { epsg, surface, surface_height_unit: heightUnit } = asked;
      return await keepSurfaceFile(body, zone, name, { epsg, surface, heightUnit }, files.store);
    } finally {
      leave();
      stopWatching();
    }
  }

  async function replaceSurface(
    request: FastifyRequest,
    id: WorkZoneId,
    name: ZoneSurfaceName,
    surface: ZoneSurface | undefined,
  ): Promise<WorkZone> {
    const updated_at = new Date(now()).toISOString();
    try {
      return await zones.update(id, (before) => ({ ...before, [name]: surface, updated_at }));
    } catch (error) {
      // It was deleted while the file came in, and its folder before the file was there.
      const isGone = error instanceof DomainError && error.code === "ZONE_NOT_FOUND";
      if (isGone && files !== undefined) deleteFolder(files.store, zoneFolder(id), request.log);
      throw error;
    }
  }

  app.put(
    "/zones/:zone_id/surfaces/:surface",
    {
      config: { access: "progress:write", longBody: true },
      // The body is a stream, or read by the route, to say more of what is wrong with it.
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "putZoneSurface",
        tags: ["progress"],
        summary: "Set the baseline (the ground before work began) or the design of a work zone",
        description: `JSON with one height, or the address of an uploaded GeoTIFF; or the file itself, up to ${MAX_SURFACE_BYTES / 1024 ** 2} MiB: a GeoTIFF of heights, or LandXML with a TIN. It must reach the zone's polygon.`,
        params: ZoneSurfacePath,
        querystring: Type.Object(FILE_PARAMETERS),
        consumes: ["application/json", "image/tiff", "application/xml", "application/landxml+xml"],
        body: GivenSurface,
        response: { 200: ZoneWithSurface, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const zone = await visibleZone(zones, request, request.params.zone_id);
      const name = surfaceName(request.params.surface);
      const body: unknown = request.body;
      const kept =
        body instanceof Readable
          ? await keepFile(request, reply, body, zone, name, request.query)
          : await keepAskedSurface(readSurfaceBody(body, name), zone, name, files);
      const changed = await replaceSurface(request, zone.id, name, kept.surface);
      return { ...zoneView(changed, surfaceUrl), warnings: [...kept.warnings] };
    },
  );

  app.delete(
    "/zones/:zone_id/surfaces/:surface",
    {
      config: { access: "progress:write" },
      schema: {
        operationId: "deleteZoneSurface",
        tags: ["progress"],
        summary: "Remove the baseline or the design of a work zone",
        description: "Without a baseline the next flight makes one, if the declared progress is 0.",
        params: ZoneSurfacePath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleZone(zones, request, request.params.zone_id);
      const name = surfaceName(request.params.surface);
      await replaceSurface(request, id, name, undefined);
      return reply.code(204).send(null);
    },
  );
};

/** @throws DomainError `ZONE_NOT_FOUND`: there is no such place below the zone. */
function surfaceName(surface: string): ZoneSurfaceName {
  const name = ZONE_SURFACES.find((known) => known === surface);
  if (name !== undefined) return name;
  throw new DomainError("ZONE_NOT_FOUND", `a work zone has no surface "${surface}"`);
}

export default zoneSurfaces;
