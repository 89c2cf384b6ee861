import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { FenceFileError, MOST_FEATURES } from "../../../processing/fence-import/fence-feature.ts";
import { readGeoJson } from "../../../processing/fence-import/read-geojson.ts";
import { readKml } from "../../../processing/fence-import/read-kml.ts";
import { createEventLoopPauses } from "../../../processing/uploads/event-loop-pauses.ts";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProject } from "../../access/asset-access.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { letFollow } from "../../writes/follow.ts";
import { once } from "../../writes/once.ts";
import { importedFences } from "./imported-fences.ts";

export interface GeofenceImportOptions {
  readonly records: Pick<RecordStore, "geofences" | "transaction">;
  readonly directory: AssetDirectory;
  readonly fences: ApiDependencies["fences"];
  /** Admits the rows, where the records are on a disk of ours. */
  readonly recordsDisk: DiskSpace;
  readonly now: () => number;
}

/** Largest file, MiB: 5,000 fences of 50 corners with all their digits. It is in memory, as text, while it is read. */
const MOST_MIB = 8;
/** Files under way; all of them together are in memory. */
const IMPORTS = { what: "imports of fences", perOwner: 1, inAll: 4, retryAfterS: 5 };
/** What a fence becomes in the database: its row, the log of it, and a share of an index. */
const COPIES = 3;
const MEDIA_TYPES = [
  "application/geo+json",
  "application/vnd.google-earth.kml+xml",
  "application/json",
  "application/xml",
] as const;

const GeofenceImport = Type.Object(
  {
    project_id: ProjectId,
    imported: Type.Integer({ description: "Number of fences; all features of the file" }),
    data: Type.Array(
      Type.Object({
        feature: Type.Integer({ description: "Place in the file, from 0" }),
        id: GeofenceId,
        name: Type.String(),
        area_sqm: Type.Number(),
      }),
    ),
    ignored_properties: Type.Array(Type.String(), {
      description: "Names of properties that no fence has; the first 50",
    }),
  },
  { title: "GeofenceImport" },
);

/** Import of fences from files of GIS programs; mounted at `/api/v1/equipment`. */
const geofenceImport: FastifyPluginAsyncTypebox<GeofenceImportOptions> = async (app, options) => {
  const { records, directory, fences, recordsDisk, now } = options;
  // Whatever its declared type, the body is a file whose content decides its format.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body: Buffer, done) => {
    const text = textOf(body);
    if (text === undefined) {
      return done(new Refusal(400, "invalid_request", "The body must be a text in UTF-8"));
    }
    return done(null, text);
  });

  const slots = createWorkSlots(IMPORTS);
  /** Files are read one after the other: each takes a good part of a core while it is. */
  let turn: Promise<unknown> = Promise.resolve();

  app.post(
    "/geofences/import",
    {
      config: { access: "equipment:write", once: "transaction" },
      bodyLimit: MOST_MIB * 1024 ** 2,
      validatorCompiler: withBody(Type.Unknown()),
      // Before the body is read: bodies are what takes memory.
      onRequest: (request, reply, done) => {
        const leave = slots.enter(request, reply);
        reply.raw.once("finish", leave);
        reply.raw.once("close", leave);
        done();
      },
      schema: {
        operationId: "importGeofences",
        tags: ["equipment"],
        summary: "Import fences from GeoJSON or KML, all of them or none",
        description: `The file itself as the body, up to ${MOST_MIB} MiB and ${MOST_FEATURES} features: a GeoJSON FeatureCollection, or KML. A Polygon is a fence; a Point with the property \`radius_m\` is a circle, a LineString with \`width_m\` a corridor. The properties \`kind\`, \`alert_on\`, \`exit_buffer_m\`, \`confirm_fixes\` and \`min_dwell_s\` mean what they mean on POST /geofences; \`alert_on\` may be \`none\`. What is wrong is listed in \`error.details\` by feature and position, and nothing is imported.`,
        querystring: Type.Object({
          project_id: ProjectId,
          name_property: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: "The property that has the names of the fences; absent: `name`",
            }),
          ),
        }),
        consumes: [...MEDIA_TYPES],
        body: Type.String({ format: "binary" }),
        response: { 201: GeofenceImport, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id, name_property = "name" } = request.query;
      const project = visibleProject(directory, request, project_id);
      const body: unknown = request.body;
      if (typeof body !== "string" || body === "") {
        throw new Refusal(400, "invalid_request", "The body must be a GeoJSON or KML file");
      }
      const nowMs = now();
      const given = { projectId: project.id, nameProperty: name_property, nowMs };
      const reading = turn.then(() => readFences(body, given));
      turn = reading.catch(() => undefined);
      const { fences: read, ignoredProperties } = await reading;
      if (read.length === 0) throw invalidParameter("features", "has no feature");
      const bytes = read.reduce((sum, { ring }) => sum + bytesOf(ring.length), 0);
      const grant = await recordsDisk.reserve("record", COPIES * bytes);
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.geofences.insertAll(read, nowMs);
        return {
          project_id: project.id,
          imported: read.length,
          data: read.map(({ id, name, area_sqm }, feature) => ({ feature, id, name, area_sqm })),
          ignored_properties: [...ignoredProperties],
        };
      }).finally(() => grant.release());
      await letFollow(fences);
      return reply.send(answer);
    },
  );
};

/** A row without its ring, and a corner of the ring as JSON, bytes. */
const bytesOf = (corners: number): number => 500 + 32 * corners;

/** @throws ParameterError for a file of another format; DetailedError for flaws of its features. */
async function readFences(text: string, given: Parameters<typeof importedFences>[1]) {
  const pauses = createEventLoopPauses();
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "<") {
    const what = text.startsWith("PK") ? "a ZIP (KMZ); unpack it and send the KML" : "neither";
    throw invalidParameter("body", `must be GeoJSON or KML, and is ${what}`);
  }
  try {
    const features = await (first === "{" ? readGeoJson(text, pauses) : readKml(text, pauses));
    return await importedFences(features, given, pauses);
  } catch (error) {
    if (!(error instanceof FenceFileError)) throw error;
    throw invalidParameter("body", error.message);
  }
}

/** `undefined`: it is not UTF-8. A byte order mark is left out. */
function textOf(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

export default geofenceImport;
