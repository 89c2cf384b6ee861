import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { CameraDots } from "../../../map/camera-dots.ts";
import { FailureNotice, Loading } from "../../../parts/notices.tsx";
import { keepInAddress } from "../../../state/address.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import type { Survey } from "../requests.ts";
import { readCameras, type SurveyCameras } from "./read-cameras.ts";

interface CameraPanelProps {
  readonly survey: Survey;
  /** Whether the address asks for them. */
  readonly isAsked: boolean;
  /** What the map draws of them. */
  readonly dots: Signal<CameraDots | undefined>;
}

/** Switches the places of a survey's photographs on, on the map and as a table. */
export function CameraPanel({ survey, isAsked, dots }: CameraPanelProps) {
  const isShown = useSignal(isAsked);
  const hasCameras = survey.products.exports.cameras !== undefined;
  useEffect(() => {
    keepInAddress("cameras", isShown.value ? "1" : undefined);
  }, [isShown.value]);
  return (
    <section class="stack no-print" aria-labelledby="survey-cameras">
      <h2 id="survey-cameras">{t("cameras.title")}</h2>
      {hasCameras ? (
        <label class="check">
          <input
            type="checkbox"
            checked={isShown.value}
            onChange={() => {
              isShown.value = !isShown.peek();
            }}
          />
          {t("cameras.show")}
        </label>
      ) : (
        <p class="muted small">{t("cameras.none")}</p>
      )}
      {hasCameras && isShown.value ? <Cameras survey={survey} dots={dots} /> : null}
    </section>
  );
}

function Cameras({ survey, dots }: Omit<CameraPanelProps, "isAsked">) {
  const { data, failure, read } = useAnswer(() => readCameras(survey), survey.id);
  const { value } = data;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  return value === undefined ? <Loading /> : <CameraTable cameras={value} dots={dots} />;
}

interface CameraTableProps {
  readonly cameras: SurveyCameras;
  readonly dots: Signal<CameraDots | undefined>;
}

function CameraTable({ cameras, dots }: CameraTableProps) {
  const { placed, refused } = cameras;
  const chosen = useSignal<number | undefined>(undefined);

  useEffect(() => {
    const drawn = new CameraDots(placed, (index) => {
      chosen.value = index;
      document.getElementById(rowId(index))?.scrollIntoView({ block: "nearest" });
    });
    dots.value = drawn;
    const end = chosen.subscribe((index) => drawn.choose(index));
    return () => {
      end();
      dots.value = undefined;
    };
  }, [placed, chosen, dots]);

  return (
    <>
      <p class="small">
        {tn("cameras.used", placed.length)}{" "}
        {refused === undefined
          ? t("cameras.refused_unknown")
          : tn("cameras.refused", refused.length)}
      </p>
      <div class="camera-table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t("cameras.image")}</th>
              <th scope="col">{t("cameras.status")}</th>
              <th scope="col">{t("cameras.residual")}</th>
              <th scope="col">{t("cameras.place")}</th>
            </tr>
          </thead>
          <tbody>
            {(refused ?? []).map(({ name, reason }, i) => (
              // Two images may have one name.
              <tr key={`refused ${i} ${name}`}>
                <th scope="row">{name}</th>
                <td colSpan={3}>{t("jobs.not_used", { reason: reason ?? t("value.unknown") })}</td>
              </tr>
            ))}
            {placed.map(({ name, rmsPx, observations, sigmaM }, i) => (
              <tr key={`${i} ${name}`} id={rowId(i)}>
                <th scope="row">
                  <button
                    type="button"
                    class="camera-name"
                    aria-pressed={chosen.value === i}
                    onClick={() => {
                      chosen.value = chosen.peek() === i ? undefined : i;
                    }}
                  >
                    {name}
                  </button>
                </th>
                <td>{t("jobs.used")}</td>
                <td>
                  {t("survey.pixels", { value: show.number(rmsPx) })}
                  <span class="muted small block">{tn("cameras.points", observations)}</span>
                </td>
                <td>
                  {sigmaM === undefined
                    ? t("value.unknown")
                    : t("cameras.sigma", { size: show.fineLength(sigmaM) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted small">{t("cameras.hint")}</p>
    </>
  );
}

const rowId = (index: number): string => `survey-camera-${index}`;
