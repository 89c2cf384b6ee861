import { decodePicture } from "../../../images/pixels/decode.ts";
import { encodePng } from "../../../images/pixels/encode.ts";
import { layOut } from "./lay-out.ts";
import { zoneMap } from "./zone-map.ts";
import { zoneModel } from "./zone-model.ts";
import type { ZonePlanFiles, ZonePlanInput } from "./zone-plan.ts";

/** Draws the zones of a report. For tasks only: takes about a second. */
export async function drawZonePlan({ zones, ground }: ZonePlanInput): Promise<ZonePlanFiles> {
  const layout = layOut(zones);
  const decoded =
    ground === undefined
      ? undefined
      : await decodePicture(ground.bytes).then(
          (picture) => ({ picture, corners: ground.corners }),
          // A damaged preview must not prevent the report.
          () => undefined,
        );
  return {
    map: await encodePng(zoneMap(layout, decoded)),
    model: await zoneModel(layout),
  };
}
