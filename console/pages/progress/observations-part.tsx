import { useSignal } from "@preact/signals";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { fileAddress, pictureAddress } from "../../parts/file-address.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { Select } from "../../parts/select.tsx";
import { When } from "../../parts/time.tsx";
import { type WorkZone, workZones } from "../../state/site-places.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { ObserveForm } from "./observe-form.tsx";
import { type Observation, readObservations } from "./requests.ts";

/** What people said of a zone, and a form to say more. Zones of which nothing else is known come first. */
export function ObservationsPart({ project }: { readonly project: string }) {
  const zones = workZones.items.value.filter(({ project_id }) => project_id === project);
  const chosen = useSignal<string | undefined>(undefined);
  const isManual = ({ metric }: WorkZone) => metric.kind === "manual";
  const inOrder = [...zones.filter(isManual), ...zones.filter((one) => !isManual(one))];
  const zone = inOrder.find(({ id }) => id === chosen.value) ?? inOrder[0];
  if (zone === undefined) return <p class="muted">{t("observe.no_zones")}</p>;
  return (
    <div class="stack narrow">
      <Field name={t("progress.zone")}>
        {(control) => (
          <Select
            {...control}
            value={zone.id}
            choices={inOrder.map((one) => [
              one.id,
              isManual(one) ? t("observe.by_hand_alone", { zone: one.name }) : one.name,
            ])}
            onChoose={(id) => {
              chosen.value = id;
            }}
          />
        )}
      </Field>
      <OfZone key={zone.id} zone={zone} />
    </div>
  );
}

function OfZone({ zone }: { readonly zone: WorkZone }) {
  const { data, failure, read } = useAnswer(() => readObservations(zone.id), zone.id);
  const { value } = data;
  return (
    <>
      {may("progress:write") ? (
        <ObserveForm zone={zone} onStored={() => void read()} />
      ) : (
        <p class="muted small">{t("observe.read_only")}</p>
      )}
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void read()} />
      )}
      {value === undefined ? (
        failure.value === undefined ? (
          <Loading />
        ) : null
      ) : (
        <Observations
          zone={zone.name}
          of={value.data}
          more={value.pagination.total - value.data.length}
        />
      )}
    </>
  );
}

interface ObservationsProps {
  readonly zone: string;
  /** Newest first. */
  readonly of: readonly Observation[];
  readonly more: number;
}

function Observations({ zone, of: observations, more }: ObservationsProps) {
  if (observations.length === 0) return <p class="muted">{t("observe.none")}</p>;
  return (
    <ul class="stack observation-list">
      {observations.map((one) => (
        <li key={one.id} class={one.image_url === undefined ? undefined : "with-photo"}>
          {one.image_url === undefined ? null : (
            <Photo zone={zone} url={one.image_url} observedAt={one.observed_at} />
          )}
          <Said observation={one} />
        </li>
      ))}
      {more > 0 ? <li class="muted small">{t("observe.more", { n: more })}</li> : null}
    </ul>
  );
}

/** Sides of the box that a photograph is shown in, CSS pixels; a wider one is asked for, for sharp screens. */
const THUMB_PX = 120;

interface PhotoProps {
  readonly zone: string;
  readonly url: string;
  /** ISO 8601. */
  readonly observedAt: string;
}

/** A photograph, small; the whole of it in another tab. */
function Photo({ zone, url, observedAt }: PhotoProps) {
  return (
    <a class="photo" href={fileAddress(url)} target="_blank" rel="noreferrer">
      <img
        src={pictureAddress(url, 320)}
        alt={t("observe.photo_of", { zone, time: show.dateTime(Date.parse(observedAt)) })}
        width={THUMB_PX}
        height={THUMB_PX}
        loading="lazy"
      />
    </a>
  );
}

function Said({ observation }: { readonly observation: Observation }) {
  const { progress, observed_at, observed_by, note, source, interval_95 } = observation;
  return (
    <div>
      <strong>{t("observe.declared", { percent: show.tenth(progress) })}</strong>
      {interval_95 === undefined ? (
        <span class="muted"> {t("observe.no_interval")}</span>
      ) : (
        <span>
          {" "}
          {t("observe.interval", {
            low: show.tenth(interval_95[0] ?? 0),
            high: show.tenth(interval_95[1] ?? 0),
          })}
        </span>
      )}
      <span class="block small">
        {t(source === "correction" ? "observe.by_correction" : "observe.by", {
          by: observed_by,
        })}
        , <When ms={Date.parse(observed_at)} isPressable />
      </span>
      {note === "" ? null : <span class="block">{note}</span>}
    </div>
  );
}
