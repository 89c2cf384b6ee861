import { type Static, Type } from "typebox";
import { AssetId, GeofenceId, MeasurementId, StockpileId, VisitId } from "../../../domain/ids.ts";
import { LOAD_CONFIDENCES, LOAD_KINDS } from "../../../processing/reconciliation/weigh-stay.ts";
import { Pagination } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

/** A value and half of its 95 % interval. */
function withUncertainty(unit: string, description: string) {
  return Type.Object(
    { value: Type.Number(), uncertainty_95: Type.Number() },
    { description: `${description}, ${unit}; uncertainty_95: half of the 95 % interval` },
  );
}
const Interval95 = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description: "Low and high end of the 95 % interval",
});
const tonnes = (description: string) => withUncertainty("tonnes", description);
const cubicMetres = (description: string) => withUncertainty("cubic metres", description);

/** One stay of a machine in the fence, and what it moved. */
const Load = Type.Object(
  {
    asset_id: AssetId,
    entered_at: Timestamp,
    exited_at: Timestamp,
    kind: Type.Enum([...LOAD_KINDS], {
      description:
        "brought to the pile, taken from it, none: the load did not change, unknown: not weighed",
    }),
    tonnes: Type.Optional(
      Type.Number({ description: "Carried in less carried out; absent: unknown" }),
    ),
    uncertainty_95_tonnes: Type.Optional(
      Type.Number({
        description: "Half of the 95 % interval, without the scale error of the machine",
      }),
    ),
    payload_before_kg: Type.Optional(Type.Number({ description: "Median before the entry" })),
    payload_after_kg: Type.Optional(Type.Number({ description: "Median after the exit" })),
    readings_before: Type.Integer({ description: "Readings of payload_kg in that median" }),
    readings_after: Type.Integer(),
    confidence: Type.Enum([...LOAD_CONFIDENCES]),
    remarks: Type.Array(Type.String(), { description: "Why the confidence is not good" }),
    spans_from_measurement: Type.Boolean({
      description: "It came before the first measurement and left after it: counted here",
    }),
    visit_ids: Type.Array(VisitId, {
      description: "More than one where the machine was away for at most a minute",
    }),
  },
  { title: "Load" },
);
export type Load = Static<typeof Load>;

const Epoch = Type.Object(
  {
    measurement_id: MeasurementId,
    measured_at: Timestamp,
    volume_m3: Type.Number(),
    uncertainty_95_m3: Type.Number({ description: "Half of the 95 % interval" }),
  },
  { title: "MeasuredVolume" },
);

/** What follows from the two together. */
const VERDICTS = ["agree", "differ", "incomplete", "no_density"] as const;

export const Reconciliation = Type.Object(
  {
    stockpile_id: StockpileId,
    geofence_id: GeofenceId,
    from_measurement: Epoch,
    to_measurement: Epoch,
    verdict: Type.Enum([...VERDICTS], {
      description:
        "agree: within the uncertainties; differ: beyond them; incomplete: beyond them, but loads are missing or were not weighed; no_density: the stockpile has no density to compare by",
    }),
    measured: Type.Object({
      m3: cubicMetres("Change of the volume"),
      tonnes: Type.Optional(tonnes("The same by the stockpile's density")),
      basis: Type.Enum(["later_measurement", "two_volumes"], {
        description:
          "later_measurement: as measured against the one before; two_volumes: difference of two volumes, with a conservative uncertainty",
      }),
    }),
    counted: Type.Object({
      brought_tonnes: tonnes("Loads brought"),
      taken_tonnes: tonnes("Loads taken"),
      net_tonnes: tonnes("Brought less taken"),
      net_m3: Type.Optional(cubicMetres("The same by the stockpile's density")),
      is_lower_bound: Type.Boolean({
        description: "Whether more was brought or taken than was counted, as far as is known",
      }),
      brought_loads: Type.Integer(),
      taken_loads: Type.Integer(),
      passes: Type.Integer({ description: "Stays without a change of payload beyond noise" }),
      unweighed: Type.Integer({
        description: "Stays without a payload that shows what they moved",
      }),
      low_confidence: Type.Integer({ description: "Loads counted with low confidence" }),
    }),
    difference: Type.Optional(
      Type.Object(
        {
          tonnes: tonnes("Measured less counted"),
          m3: cubicMetres("Measured less counted"),
          significant: Type.Boolean({ description: "Beyond all the uncertainties (95 %)" }),
        },
        { description: "Absent without a density" },
      ),
    ),
    density: Type.Object({
      t_per_m3: Type.Optional(Type.Number({ description: "The stockpile's own" })),
      implied_t_per_m3: Type.Optional(
        Type.Object(
          { value: Type.Number(), interval_95: Interval95 },
          {
            description:
              "Net tonnes over measured change, with the interval by Fieller; absent: the change is within its uncertainty",
          },
        ),
      ),
    }),
    machines: Type.Array(
      Type.Object({
        asset_id: AssetId,
        stays: Type.Integer(),
        brought_tonnes: Type.Number(),
        taken_tonnes: Type.Number(),
        unweighed: Type.Integer(),
        weighs: Type.Boolean({ description: "false: it reported no payload_kg near the fence" }),
      }),
    ),
    inside_at_end: Type.Array(Type.Object({ asset_id: AssetId, entered_at: Timestamp }), {
      description: "Machines in the fence at the second measurement: loads of the next period",
    }),
    assumed: Type.Object(
      {
        load_sigma_percent: Type.Number(),
        calibration_sigma_percent: Type.Number(),
        density_sigma_percent: Type.Number(),
        least_load_kg: Type.Number(),
      },
      { description: "sigma: one standard deviation; and what counts as a load" },
    ),
    warnings: Type.Array(Type.String()),
    data: Type.Array(Load, { description: "The stays, by the time of exit" }),
    pagination: Pagination,
  },
  { title: "Reconciliation" },
);
export type Reconciliation = Static<typeof Reconciliation>;
