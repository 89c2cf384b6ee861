import type { ComponentChildren } from "preact";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { groundAge } from "../../parts/ground-choice.tsx";
import { LayerLine } from "../../parts/layer-line.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { fences, fencesState } from "../../state/fences.ts";
import { ground, groundState } from "../../state/ground.ts";
import { MAP_LAYERS, type MapLayer, mapLayers, switchLayer } from "../../state/map-layers.ts";
import { stockpiles, workZones } from "../../state/site-places.ts";
import { fenceWords, groundWords, type PlaceWords, pileWords, zoneWords } from "./place-words.ts";

/** Scopes of which a layer needs one, or it stays empty. */
const SCOPES = {
  fences: ["equipment:read"],
  zones: ["progress:read"],
  piles: ["materials:read"],
  ground: ["materials:read", "progress:read"],
} as const satisfies Record<MapLayer, readonly string[]>;

interface LayerSwitchProps {
  /** Shows a place on the map: `[latitude, longitude]` of its corners, degrees. */
  readonly onShow: (corners: readonly (readonly number[])[]) => void;
}

/** Switches layers of the map, and has each that is on in words too. */
export function LayerSwitch({ onShow }: LayerSwitchProps) {
  return (
    <section class="layers" aria-labelledby="map-layers">
      <h2 id="map-layers">{t("layers.title")}</h2>
      {MAP_LAYERS.map((layer) => (
        <Layer key={layer} layer={layer} onShow={onShow} />
      ))}
    </section>
  );
}

function Layer({ layer, onShow }: LayerSwitchProps & { readonly layer: MapLayer }) {
  const isOn = mapLayers.value.has(layer);
  const isReadable = SCOPES[layer].some((scope) => may(scope));
  return (
    <div class="layer">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={!isReadable}
          onChange={(event) => switchLayer(layer, event.currentTarget.checked)}
        />
        <LayerLine layer={layer} />
        {t(`layers.${layer}`)}
      </label>
      {isReadable ? null : (
        <p class="muted small">{t("overview.no_scope", { scope: SCOPES[layer].join(", ") })}</p>
      )}
      {isOn && isReadable ? <LayerWords layer={layer} onShow={onShow} /> : null}
    </div>
  );
}

function LayerWords({ layer, onShow }: LayerSwitchProps & { readonly layer: MapLayer }) {
  const { state, places } = contentOf(layer);
  if (typeof state === "object") return <FailureNotice failure={state} />;
  if (state === "unread") return <p class="muted small">{t("app.loading")}…</p>;
  if (places.length === 0) return <p class="muted small">{t(`layers.none.${layer}`)}</p>;
  return (
    <>
      {layer === "ground" ? <p class="muted small">{groundAge()}</p> : null}
      <details class="layer-words">
        <summary>{t("layers.in_words", { n: show.number(places.length) })}</summary>
        <ul aria-label={t(`layers.${layer}`)}>
          {places.map(({ id, name, words, corners }) => (
            <li key={id}>
              <PlaceName corners={corners} onShow={onShow}>
                {name}
              </PlaceName>
              <span class="muted small block">{words}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

interface Content {
  readonly state: Failure | "unread" | "read";
  readonly places: readonly PlaceWords[];
}

function contentOf(layer: MapLayer): Content {
  switch (layer) {
    case "fences":
      return { state: fencesState.value, places: fences.value.map(fenceWords) };
    case "zones":
      return { state: workZones.state.value, places: workZones.items.value.map(zoneWords) };
    case "piles":
      return { state: stockpiles.state.value, places: stockpiles.items.value.map(pileWords) };
    case "ground":
      return { state: groundState.value, places: ground.value.map(groundWords) };
  }
}

interface PlaceNameProps extends LayerSwitchProps {
  readonly corners: PlaceWords["corners"];
  readonly children: ComponentChildren;
}

/** A place that was drawn can be shown; the name of another one is text. */
function PlaceName({ corners, onShow, children }: PlaceNameProps) {
  if (corners === undefined) return <span class="machine-name">{children}</span>;
  return (
    <button type="button" class="place-row" onClick={() => onShow(corners)}>
      {children}
    </button>
  );
}
