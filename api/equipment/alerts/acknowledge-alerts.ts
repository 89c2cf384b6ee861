import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { ALERT_SEVERITIES } from "../../../domain/equipment/alert.ts";
import { AlertId, AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { AlertFilter } from "../../../storage/ports/equipment/alerts.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import { DetailedError } from "../../errors/detailed-error.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { EVENT_TYPES_PARAMETER } from "../../schemas/event-types.ts";
import { readTimeRange } from "../../schemas/time-range.ts";
import { invalidParameter, ParameterError } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { Note, Severity } from "./alert-schemas.ts";
import { readAlertTypes } from "./alert-types.ts";

/** Most alerts of one request: as many as a page of the list has; the pipeline waits for one transaction. */
const MOST_ALERTS = 1_000;

const Instant = Type.Optional(Type.String({ format: "date-time" }));

const AlertSelection = Type.Object(
  {
    project_id: Type.Optional(ProjectId),
    asset_id: Type.Optional(AssetId),
    geofence_id: Type.Optional(GeofenceId),
    severity: Type.Optional(
      Type.Array(Severity, { minItems: 1, maxItems: ALERT_SEVERITIES.length }),
    ),
    type: EVENT_TYPES_PARAMETER.type,
    from: Instant,
    to: Instant,
  },
  {
    title: "AlertSelection",
    description:
      "Open alerts as in `GET /equipment/alerts`. Give the time at which the person read the list as `to`: what opens later stays open",
  },
);

const Acknowledgements = Type.Object(
  {
    alert_ids: Type.Optional(
      Type.Array(AlertId, { minItems: 1, maxItems: MOST_ALERTS, uniqueItems: true }),
    ),
    filter: Type.Optional(AlertSelection),
    note: Type.Optional(Note),
  },
  { title: "Acknowledgements", description: "Either `alert_ids` or `filter`" },
);

const Acknowledged = Type.Object(
  {
    acknowledged: Type.Array(AlertId, {
      description: "Alerts that this request acknowledged, newest first",
    }),
    unchanged: Type.Integer({
      minimum: 0,
      description:
        "Alerts of `alert_ids` that were acknowledged before; the first acknowledgement stays",
    }),
    has_more: Type.Boolean({
      description: `More than ${MOST_ALERTS} alerts match \`filter\`: send the request again`,
    }),
  },
  { title: "Acknowledged" },
);

export interface AcknowledgeAlertsOptions {
  readonly records: Pick<RecordStore, "alerts" | "apiKeys" | "transaction">;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

/** Several alerts acknowledged at once; mounted at `/api/v1/equipment`. */
const acknowledgeAlerts: FastifyPluginAsyncTypebox<AcknowledgeAlertsOptions> = async (
  app,
  options,
) => {
  const { records, directory, now } = options;

  app.post(
    "/alerts/acknowledge",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "acknowledgeAlerts",
        tags: ["equipment"],
        summary: "Acknowledge alerts by their ids, or the open ones that a filter matches",
        description: `At most ${MOST_ALERTS}, all of them or none. 404: one of \`alert_ids\` is not there; \`details\` names it.`,
        body: Acknowledgements,
        response: { 200: Acknowledged, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { alert_ids: ids, note } = request.body;
      const filter = selectionOf(request, request.body);
      if (ids !== undefined) await requireAll(ids, filter);
      const { keyId } = principal(request);
      const by = {
        keyId,
        keyName: await nameOfKey(records.apiKeys, keyId),
        atMs: now(),
        ...(note === undefined ? {} : { note }),
      };
      return await once(request, reply, records, async ({ alerts }) => {
        const acknowledged = await alerts.acknowledgeSome(filter, by, MOST_ALERTS);
        const isFull = acknowledged.length === MOST_ALERTS;
        const left =
          ids === undefined && isFull
            ? await alerts.list({ ...filter, limit: 1, offset: 0 })
            : undefined;
        return {
          acknowledged: [...acknowledged],
          unchanged: (ids?.length ?? acknowledged.length) - acknowledged.length,
          has_more: left !== undefined && left.total > 0,
        };
      });
    },
  );

  /** What the request is about, within what the key may see. @throws ParameterError, `PROJECT_NOT_FOUND`. */
  function selectionOf(
    request: FastifyRequest,
    { alert_ids: ids, filter }: Static<typeof Acknowledgements>,
  ): AlertFilter {
    if ((ids === undefined) === (filter === undefined)) {
      throw invalidParameter("alert_ids", "or filter must be given, one of the two");
    }
    if (ids !== undefined) return { ids, ...visibleProjects(directory, request, undefined) };
    const { project_id, asset_id, geofence_id, severity, type } = filter ?? {};
    const types = readAlertTypes(type, "filter.type");
    return {
      ...visibleProjects(directory, request, project_id),
      ...(asset_id === undefined ? {} : { assetId: asset_id }),
      ...(geofence_id === undefined ? {} : { geofenceId: geofence_id }),
      ...(severity === undefined ? {} : { severities: severity }),
      ...(types === undefined ? {} : { types }),
      ...withinFilter(() => readTimeRange(filter ?? {})),
      states: ["open"],
    };
  }

  /** @throws DetailedError `ALERT_NOT_FOUND`, also for one that the key may not see. */
  async function requireAll(ids: readonly AlertId[], filter: AlertFilter): Promise<void> {
    const found = await records.alerts.list({ ...filter, limit: ids.length, offset: 0 });
    const known = new Set(found.alerts.map(({ id }) => id));
    const missing = ids.findIndex((id) => !known.has(id));
    if (missing === -1) return;
    throw new DetailedError("ALERT_NOT_FOUND", `no alert ${ids[missing]}`, [
      { parameter: `alert_ids[${missing}]`, message: "names no alert that this key may see" },
    ]);
  }
};

/** Names the fields of the body in what `read` refuses. */
function withinFilter<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    throw new ParameterError(
      error.details.map((detail) => ({ ...detail, parameter: `filter.${detail.parameter}` })),
    );
  }
}

export default acknowledgeAlerts;
