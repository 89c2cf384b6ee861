import type { components } from "../../../../client/index.ts";
import { type PlaceProblem, readPlace } from "../../register/place.ts";
import type { AssetDetail } from "../tab.ts";

/** What a person says of a machine; empty: nothing is said. */
export interface FactsForm {
  readonly name: string;
  readonly type: string;
  readonly projectId: string;
  readonly make: string;
  readonly model: string;
  readonly serialNumber: string;
  /** Of the registered place, degrees; both empty: that of its project. */
  readonly latitude: string;
  readonly longitude: string;
  readonly isOutOfService: boolean;
}

export const EMPTY: FactsForm = {
  ...{ name: "", type: "", projectId: "", make: "", model: "", serialNumber: "" },
  ...{ latitude: "", longitude: "", isOutOfService: false },
};

/** Fields of a machine that the form has. */
type Stored = Pick<
  AssetDetail,
  | "name"
  | "type"
  | "project_id"
  | "make"
  | "model"
  | "serial_number"
  | "registered_location"
  | "maintenance"
>;

export const formOf = (asset: Stored): FactsForm => ({
  name: asset.name,
  type: asset.type,
  projectId: asset.project_id,
  make: asset.make ?? "",
  model: asset.model ?? "",
  serialNumber: asset.serial_number ?? "",
  latitude: textOf(asset.registered_location?.latitude),
  longitude: textOf(asset.registered_location?.longitude),
  isOutOfService: asset.maintenance,
});

const textOf = (degrees: number | undefined): string =>
  degrees === undefined ? "" : String(degrees);

/** What is wrong with the place before anything is sent. */
export const placeProblem = ({ latitude, longitude }: FactsForm): PlaceProblem | undefined =>
  readPlace(latitude, longitude).problem;

/** Only what differs from what is stored: what is not sent stays as it is. */
export function changeOf(stored: Stored, form: FactsForm): components["schemas"]["AssetChange"] {
  const before = formOf(stored);
  const isNew = (field: Exclude<keyof FactsForm, "isOutOfService">) =>
    form[field].trim() !== before[field];
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  const hasMoved = isNew("latitude") || isNew("longitude");
  return {
    ...(isNew("name") ? { name: form.name.trim() } : {}),
    ...(isNew("type") ? { type: form.type.trim() } : {}),
    ...(isNew("projectId") ? { project_id: form.projectId } : {}),
    ...(isNew("make") ? { make: orNull(form.make) } : {}),
    ...(isNew("model") ? { model: orNull(form.model) } : {}),
    ...(isNew("serialNumber") ? { serial_number: orNull(form.serialNumber) } : {}),
    ...(hasMoved ? { location: readPlace(form.latitude, form.longitude).location ?? null } : {}),
    ...(form.isOutOfService === before.isOutOfService ? {} : { maintenance: form.isOutOfService }),
  };
}
