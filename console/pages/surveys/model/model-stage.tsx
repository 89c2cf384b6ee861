import { effect, type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Failure, NO_ANSWER } from "../../../api/failure.ts";
import { type ReadBytes, readBytes } from "../../../api/read-bytes.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import type { SiteFacts } from "../../../model/drawn-site.ts";
import { presetOf } from "../../../model/presets.ts";
import type { SiteModel } from "../../../model/site-model.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { theme } from "../../../state/preferences.ts";
import type { Survey } from "../requests.ts";
import { type Points, pointedAt } from "./points.ts";
import { ReliefPicture } from "./relief-picture.tsx";
import { requestSource, type Source } from "./sources.ts";

interface ModelStageProps {
  readonly survey: Survey;
  readonly source: Source;
  readonly exaggeration: ReadonlySignal<number>;
  readonly points: Signal<Points>;
  /** The view while there is one. */
  readonly model: Signal<SiteModel | undefined>;
  readonly facts: Signal<SiteFacts | undefined>;
}

type Stage =
  | { readonly is: "reading"; readonly progress: ReadBytes | undefined }
  | { readonly is: "drawing" | "shown" | "broken" | "no_webgl" | "lost" }
  | { readonly is: "failed"; readonly failure: Failure };

/** The place of the view on the page: reads the file, shows it, and gives everything back when it is left. */
export function ModelStage(props: ModelStageProps) {
  const { survey, source, exaggeration, points, model, facts } = props;
  const container = useRef<HTMLDivElement>(null);
  const stage = useSignal<Stage>({ is: "reading", progress: undefined });
  const headingDeg = useSignal(0);
  const attempt = useSignal(0);
  const tries = attempt.value;

  useEffect(() => {
    const left = new AbortController();
    const closers: (() => void)[] = [];
    const open = async () => {
      stage.value = { is: "reading", progress: undefined };
      const [{ SiteModel: View }, outcome] = await Promise.all([
        import("../../../model/site-model.ts"),
        readBytes(requestSource(survey, source, left.signal), (progress) => {
          if (!left.signal.aborted) stage.value = { is: "reading", progress };
        }),
      ]);
      if (left.signal.aborted || container.current === null) return;
      if ("failure" in outcome) {
        stage.value = { is: "failed", failure: outcome.failure };
        return;
      }
      stage.value = { is: "drawing" };
      let view: SiteModel;
      try {
        view = new View({
          container: container.current,
          theme: theme.peek(),
          onPick: (place) => {
            points.value = pointedAt(points.peek(), place);
          },
          onTurn: (degrees) => {
            headingDeg.value = degrees;
          },
          onLost: () => {
            stage.value = { is: "lost" };
          },
        });
      } catch {
        stage.value = { is: "no_webgl" };
        return;
      }
      closers.push(() => view.close());
      try {
        facts.value = await view.show(outcome.value);
      } catch {
        if (!left.signal.aborted) stage.value = { is: "broken" };
        return;
      }
      stage.value = { is: "shown" };
      model.value = view;
      closers.push(
        effect(() => view.setTheme(theme.value)),
        effect(() => view.setExaggeration(exaggeration.value)),
        effect(() => view.setPlaces(points.value.map(({ place }) => place))),
      );
    };
    open().catch(() => {
      if (!left.signal.aborted) stage.value = { is: "failed", failure: NO_ANSWER };
    });
    return () => {
      left.abort();
      model.value = undefined;
      facts.value = undefined;
      // The view last: what is tied to it must not see it closed.
      for (const close of closers.reverse()) close();
    };
  }, [survey.id, source, tries]);

  const { is } = stage.value;
  const isPicture = is === "no_webgl" || is === "lost";
  const again = () => {
    attempt.value += 1;
  };
  return (
    <div class="map-pane model-pane">
      {isPicture ? (
        <div class="model-instead">
          <p class="notice" role="status">
            {t(is === "lost" ? "model.lost" : "model.no_webgl")}{" "}
            <button type="button" onClick={again}>
              {t("model.retry")}
            </button>
          </p>
          <ReliefPicture survey={survey} />
        </div>
      ) : null}
      <div
        ref={container}
        class="model-view"
        role="application"
        hidden={isPicture}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is turned by keys needs the focus.
        tabIndex={0}
        aria-label={t("model.region", {
          what: t(`model.source.${source}`),
          direction: t(`model.direction.${directionName(headingDeg.value)}`),
        })}
        aria-describedby="model-keys"
        onKeyDown={(event) => {
          const view = model.peek();
          if (view !== undefined && takeKey(view, event)) event.preventDefault();
        }}
      />
      {is === "shown" ? (
        <span
          class="model-north"
          aria-hidden="true"
          style={{ transform: `rotate(${-headingDeg.value}deg)` }}
        >
          {t("model.north")}
        </span>
      ) : null}
      <StageNotice stage={stage.value} onRetry={again} />
    </div>
  );
}

function StageNotice({ stage, onRetry }: { readonly stage: Stage; readonly onRetry: () => void }) {
  if (stage.is === "failed") {
    return (
      <div class="model-notice">
        <FailureNotice failure={stage.failure} onRetry={onRetry} />
      </div>
    );
  }
  if (stage.is === "broken") return <p class="notice model-notice">{t("model.broken")}</p>;
  if (stage.is !== "reading" && stage.is !== "drawing") return null;
  const progress = stage.is === "reading" ? stage.progress : undefined;
  const text = stage.is === "drawing" ? t("model.drawing") : readingText(progress);
  const { read, total } = progress ?? {};
  return (
    <div class="notice model-notice">
      {/* Without a value it only says that something goes on. */}
      <progress {...(total === undefined ? {} : { max: total, value: read })} aria-label={text} />
      <p>{text}</p>
    </div>
  );
}

function readingText(progress: ReadBytes | undefined): string {
  if (progress === undefined) return `${t("app.loading")}…`;
  const read = show.bytes(progress.read);
  return progress.total === undefined
    ? t("model.reading", { read })
    : t("model.reading_of", { read, total: show.bytes(progress.total) });
}

const DIRECTIONS = [
  ...(["north", "northeast", "east", "southeast"] as const),
  ...(["south", "southwest", "west", "northwest"] as const),
] as const;

/** The nearest of eight directions. */
const directionName = (headingDeg: number) =>
  DIRECTIONS[Math.round(headingDeg / 45) % DIRECTIONS.length] ?? "north";

/** What a key does to a view; false: nothing. */
function takeKey(view: SiteModel, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const preset = presetOf(event.key);
  if (preset !== undefined) {
    view.look(preset);
    return true;
  }
  switch (event.key) {
    case "ArrowLeft":
      view.turn(1, 0);
      return true;
    case "ArrowRight":
      view.turn(-1, 0);
      return true;
    case "ArrowUp":
      view.turn(0, 1);
      return true;
    case "ArrowDown":
      view.turn(0, -1);
      return true;
    case "+":
      view.zoom(1);
      return true;
    case "-":
      view.zoom(-1);
      return true;
    default:
      return false;
  }
}
