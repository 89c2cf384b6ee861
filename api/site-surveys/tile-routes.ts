import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { isId, SurveyId } from "../../domain/ids.ts";
import { type SiteSurvey, surveyFilesOf } from "../../domain/sites/site-survey.ts";
import { WEEK_MS } from "../../domain/time.ts";
import type { TileAddress } from "../../processing/map-tiles/tile-address.ts";
import { TILE_LAYERS, type TileLayer } from "../../processing/map-tiles/tile-layers.ts";
import type { Files } from "../../storage/open.ts";
import type { SurveyRecords } from "../../storage/ports/sites/surveys.ts";
import { principal } from "../auth/guard.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { FAILURES } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { WaitingClient } from "../long-requests/turns.ts";
import { waitingClient } from "../long-requests/while-open.ts";
import { matchesTag, tagHash } from "../representations/entity-tag.ts";
import { keepValues } from "../representations/kept-values.ts";
import { invalidParameter } from "../validation/validation.ts";
import { compareDatums } from "./compare-datums.ts";
import type { MapTiles } from "./map-tiles.ts";
import { noSurvey, SURVEY_SCOPES, seesSurvey } from "./survey-access.ts";
import { tilesKey, verticalDatumOf } from "./survey-view.ts";

interface TileRoutesOptions {
  readonly surveys: Pick<SurveyRecords, "find">;
  readonly tiles: MapTiles;
  readonly files: Pick<Files, "isSigned">;
  readonly now: () => number;
}

/**
 * Tiles a minute and key, or session: one a person who looks around takes 200. Apart from other requests, which a
 * map would leave nothing for.
 */
const TILES_PER_MINUTE = 10_000;
/**
 * How long a survey's record is used without another look, ms: a map asks for hundreds of tiles of one survey. Longer
 * shows a deleted survey for longer.
 */
const RECORD_MS = 5_000;
const KEPT_RECORDS = 200;
/** How long browsers may keep a tile, s: it never changes, and a signed address ends after a week. */
const AGE_S = WEEK_MS / 1_000;
/** Rises when tiles are drawn otherwise, so that those in browsers are not used any longer. */
const DRAWING = 1;

const TilePath = Type.Object({
  survey_id: SurveyId,
  layer: Type.Enum([...TILE_LAYERS], {
    description:
      "orthophoto; hillshade: relief; heights: in colours; terrain: as numbers (terrarium, lossless)",
  }),
  z: Type.Integer({
    minimum: 0,
    description: "Zoom, within `min_zoom` and `max_zoom` of the layer",
  }),
  x: Type.Integer({ minimum: 0, description: "Column, from 180 degrees west" }),
  tile: Type.String({
    pattern: "^\\d{1,8}(@2x)?\\.webp$",
    description: "Row from north, as `5491.webp`, or `5491@2x.webp` for 512 pixels in place of 256",
  }),
});
type TilePath = Static<typeof TilePath>;

const { survey_id, z, x, tile } = TilePath.properties;
const ChangePath = Type.Object({
  survey_id,
  since_id: Type.Unsafe<SurveyId>({ ...SurveyId, description: "The survey to compare with" }),
  ...{ z, x, tile },
});

/** Colours of changes unless asked for others, metres: a heap of some size, and what two good surveys differ by. */
const USUAL_CHANGE = { topM: 2, noiseM: 0.1 };

const TILE_RESPONSE = {
  200: {
    description: "The tile",
    content: { "image/webp": { schema: Type.Unsafe({ type: "string", format: "binary" }) } },
  },
  ...FAILURES,
};

/** Map tiles of surveys: at `/api/v1` by key or session, below `/files` by signed addresses. */
export function tileRoutes({ surveys, tiles, files, now }: TileRoutesOptions): {
  readonly api: FastifyPluginAsyncTypebox;
  readonly signed: FastifyPluginAsyncTypebox;
} {
  const records = keepValues<SiteSurvey | undefined>({
    most: KEPT_RECORDS,
    // One that is not there yet may be soon.
    weightOf: (survey) => (survey === undefined ? Number.POSITIVE_INFINITY : 1),
  });

  async function recordOf(id: SurveyId): Promise<SiteSurvey> {
    const found = isId(id)
      ? await records.get(`${Math.floor(now() / RECORD_MS)} ${id}`, () => surveys.find(id))
      : undefined;
    if (found === undefined) throw noSurvey(id);
    return found;
  }

  async function visibleRecord(request: FastifyRequest, id: SurveyId): Promise<SiteSurvey> {
    const survey = await recordOf(id);
    if (!seesSurvey(principal(request), survey)) throw noSurvey(id);
    return survey;
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { layer, address }: ReturnType<typeof readTile>,
    survey: SiteSurvey,
  ) {
    const product = surveyFilesOf(survey);
    if (product === undefined) throw noTile();
    const { z, x, y, size } = address;
    return await answer(request, reply, [product.surface, layer, z, x, y, size], (client) =>
      tiles.tile(product, layer, address, client),
    );
  }

  return {
    async api(app) {
      app.get(
        "/surveys/:survey_id/:layer/:z/:x/:tile",
        {
          config: { access: "any key", requestsPerMinute: TILES_PER_MINUTE },
          onRequest: needsOneOf(...SURVEY_SCOPES),
          schema: {
            operationId: "getSurveyTile",
            tags: ["surveys"],
            summary: "A map tile of a survey (web mercator)",
            description:
              "404 where the survey has nothing, and outside of the layer's zooms, which the answer then names. Transparent where there is no data, but for terrain, which has about the survey's lowest height there. Never changes: it may be kept, and has an entity tag. Counted apart from other requests: 10,000 a minute.",
            params: TilePath,
            response: TILE_RESPONSE,
          },
        },
        async (request, reply) => {
          const tile = readTile(textsOf(request.params));
          const survey = await visibleRecord(request, request.params.survey_id);
          return await send(request, reply, tile, survey);
        },
      );

      app.get(
        "/surveys/:survey_id/change/:since_id/:z/:x/:tile",
        {
          config: { access: "any key", requestsPerMinute: TILES_PER_MINUTE },
          onRequest: needsOneOf(...SURVEY_SCOPES),
          schema: {
            operationId: "getSurveyChangeTile",
            tags: ["surveys"],
            summary: "A map tile of what changed between two surveys (web mercator)",
            description:
              "Red removed, blue added, grey within `noise_m`; transparent where one of the surveys has no height. Zooms and keeping as of the layer heights of the survey. 400 where the heights are known to count from different datums.",
            params: ChangePath,
            querystring: Type.Object({
              top_m: Type.Number({
                exclusiveMinimum: 0,
                maximum: 1_000,
                default: USUAL_CHANGE.topM,
                description: "Change that has the darkest colour, metres",
              }),
              noise_m: Type.Number({
                minimum: 0,
                maximum: 1_000,
                default: USUAL_CHANGE.noiseM,
                description: "Changes of up to so much are grey, metres",
              }),
            }),
            response: TILE_RESPONSE,
          },
        },
        async (request, reply) => {
          const { survey_id: id, since_id } = request.params;
          const { top_m: topM, noise_m: noiseM } = request.query;
          const { address } = readAddress(textsOf(request.params));
          const newer = await visibleRecord(request, id);
          const older = await visibleRecord(request, since_id);
          requireOneDatum(newer, older);
          const [product, since] = [surveyFilesOf(newer), surveyFilesOf(older)];
          if (product === undefined || since === undefined) throw noTile();
          const { z, x, y, size } = address;
          const about = [product.surface, since.surface, z, x, y, size, topM, noiseM];
          return await answer(request, reply, about, (client) =>
            tiles.change(product, since, address, { topM, noiseM }, client),
          );
        },
      );
    },

    async signed(app) {
      app.get(
        "/files/map-tiles/:survey_id/:layer/:z/:x/:tile",
        {
          config: { access: "public" },
          schema: { hide: true, params: TilePath },
        },
        async (request, reply) => {
          const { survey_id } = request.params;
          if (!files.isSigned(tilesKey(survey_id), request.query as Record<string, unknown>)) {
            throw new Refusal(403, "forbidden", "The address is not signed, or has expired");
          }
          // Answers contain the addresses, and maps of other sites may show the tiles.
          reply.header("cross-origin-resource-policy", "cross-origin");
          const tile = readTile(textsOf(request.params));
          return await send(request, reply, tile, await recordOf(survey_id));
        },
      );
    },
  };
}

/** A tile, or that the one of `about` is unchanged. @throws Refusal 404 where there is nothing; what `draw` throws */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  about: readonly (string | number)[],
  draw: (client: WaitingClient) => Promise<Uint8Array | undefined>,
) {
  const etag = `"${tagHash([...about, DRAWING].join(" "))}"`;
  if (matchesTag(request.headers["if-none-match"], etag)) {
    return reply.code(304).headers(cached(etag)).send();
  }
  const webp = await draw(waitingClient(request, reply));
  if (webp === undefined) throw noTile();
  return reply.headers(cached(etag)).type("image/webp").send(webp);
}

/** What the path really holds, whatever its schema says. */
const textsOf = <Path extends object>(path: Path) =>
  path as unknown as Readonly<Record<keyof Path, string>>;

/** Of more digits, no zoom has so many. */
const WHOLE = /^\d{1,8}$/;
const TILE = /^(\d{1,8})(@2x)?\.webp$/;

/** Paths are not checked by their schema. @throws ParameterError naming the range */
function readTile(path: Readonly<Record<keyof TilePath, string>>): {
  readonly layer: TileLayer;
  readonly address: TileAddress;
} {
  const layer = TILE_LAYERS.find((one) => one === path.layer);
  if (layer === undefined) {
    throw invalidParameter("layer", `must be one of ${TILE_LAYERS.join(", ")}`);
  }
  return { layer, ...readAddress(path) };
}

/** @throws ParameterError naming the range */
function readAddress(path: Readonly<Record<"z" | "x" | "tile", string>>): {
  readonly address: TileAddress;
} {
  const z = wholeOf(path.z);
  if (Number.isNaN(z)) throw invalidParameter("z", "must be a whole number, 0 or above");
  const last = 2 ** z - 1;
  const x = wholeOf(path.x);
  if (!(x <= last)) throw invalidParameter("x", `must be 0 to ${last} at zoom ${z}`);
  const [, row = "", twice] = TILE.exec(path.tile) ?? [];
  const y = wholeOf(row);
  if (!(y <= last)) {
    throw invalidParameter("tile", `must be a row from 0 to ${last} and .webp or @2x.webp`);
  }
  return { address: { z, x, y, size: twice === undefined ? 256 : 512 } };
}

/** @throws ParameterError where both are known, and differ */
function requireOneDatum(one: SiteSurvey, two: SiteSurvey): void {
  const [a, b] = [verticalDatumOf(one), verticalDatumOf(two)];
  if (compareDatums(a, b) !== "different") return;
  const message = `is a survey whose heights count from another datum (${b.name}, not ${a.name}): they cannot be subtracted`;
  throw invalidParameter("since_id", message);
}

const wholeOf = (text: string): number => (WHOLE.test(text) ? Number(text) : Number.NaN);

const cached = (etag: string) => ({
  etag,
  "cache-control": `private, max-age=${AGE_S}, immutable`,
});

const noTile = () => new Refusal(404, "not_found", "The survey has nothing in this tile");
