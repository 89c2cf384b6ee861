import { useEffect } from "preact/hooks";
import { show } from "../format/show.ts";
import { t, tn } from "../i18n/t.ts";
import { followGround, ground, groundState, maySeeGround } from "../state/ground.ts";
import { mapLayers, switchLayer } from "../state/map-layers.ts";
import { FailureNotice } from "./notices.tsx";

/** Switches the orthophotos under a map, and says how old they are. */
export function GroundChoice() {
  useEffect(followGround, []);
  if (!maySeeGround()) return null;
  const isOn = mapLayers.value.has("ground");
  return (
    <div class="no-print">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => switchLayer("ground", event.currentTarget.checked)}
        />
        {t("layers.ground")}
      </label>
      {isOn ? <GroundAge /> : null}
    </div>
  );
}

/** When the orthophotos were flown: what they show may have changed since. */
function GroundAge() {
  const { value } = groundState;
  if (typeof value === "object") return <FailureNotice failure={value} />;
  if (value === "unread") return <p class="muted small">{t("app.loading")}…</p>;
  return <p class="muted small">{groundAge()}</p>;
}

/** The same as a text, of what was read. */
export function groundAge(): string {
  const pictures = ground.value;
  const [newest] = pictures;
  const oldest = pictures.at(-1);
  if (newest === undefined || oldest === undefined) return t("layers.none.ground");
  return tn("layers.ground_age", pictures.length, {
    time: show.dateTime(newest.capturedMs),
    age: show.age(newest.capturedMs),
    oldest: show.age(oldest.capturedMs),
  });
}
