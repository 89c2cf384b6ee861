import type { components } from "../../../../client/index.ts";
import type { Decoder } from "../../register/decoders.ts";
import type { TaggedAsset } from "../tagged-asset.ts";

/** What a person says of a device. */
export interface SettingsForm {
  readonly decoder: Decoder;
  /** Empty: it has none. */
  readonly hardwareId: string;
}

/** What is stored of an asset, as far as the form shows it. */
type Stored = { readonly decoder: Decoder; readonly hardware_id?: string };

export const formOf = ({ decoder, hardware_id = "" }: Stored): SettingsForm => ({
  decoder,
  hardwareId: hardware_id,
});

/** Whether a form says the same; spaces around an id are nobody's. */
export const isSameForm = (a: SettingsForm, b: SettingsForm): boolean =>
  a.decoder === b.decoder && a.hardwareId.trim() === b.hardwareId.trim();

/** Only what differs from what is stored: what is not sent stays as it is. */
export function changeOf(stored: Stored, form: SettingsForm): components["schemas"]["AssetChange"] {
  const { decoder, hardwareId } = formOf(stored);
  const wanted = form.hardwareId.trim();
  return {
    ...(form.decoder === decoder ? {} : { decoder: form.decoder }),
    ...(wanted === hardwareId ? {} : { hardware_id: wanted === "" ? null : wanted }),
  };
}

/** A form, and the stored state that it was filled from, whose tag a change names. */
export interface Editing {
  readonly base: TaggedAsset;
  readonly form: SettingsForm;
}

/** The form after the asset was read again: as it is while a person has changed it, else filled anew. */
export function afterRead(editing: Editing, newest: TaggedAsset): Editing {
  return isSameForm(editing.form, formOf(editing.base.asset)) ? filledFrom(newest) : editing;
}

export const filledFrom = (base: TaggedAsset): Editing => ({ base, form: formOf(base.asset) });
