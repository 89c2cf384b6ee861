import type { FastifyPluginAsync } from "fastify";
import { Refusal } from "../errors/refusal.ts";
import { sendIsoFailure } from "./failures.ts";
import snapshots, { type SnapshotOptions } from "./snapshots.ts";
import timeSeries, { type TimeSeriesOptions } from "./time-series.ts";

export interface Iso15143Options extends SnapshotOptions, TimeSeriesOptions {}

/**
 * The fleet for programs that read ISO 15143-3 (AEMP 2.0), mounted at `/iso15143-3`. XML unless JSON is
 * asked for, failures too; the key as bearer token or as password of basic authentication.
 */
const iso15143: FastifyPluginAsync<Iso15143Options> = async (app, options) => {
  // Not the options as they are: with them the parts would be mounted at their own prefix once more.
  const { directory, live, telemetry, alerts, now } = options;
  app.setErrorHandler(sendIsoFailure);
  await app.register(snapshots, { directory, live, now });
  await app.register(timeSeries, { directory, telemetry, alerts, now });
  // The API's own answer to an unknown path asks for a bearer token, and is JSON.
  app.all("/*", { config: { access: "any key", basic: true }, schema: { hide: true } }, () => {
    throw new Refusal(404, "not_found", "Not found");
  });
};

export default iso15143;
