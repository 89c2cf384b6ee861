import { t } from "../../i18n/t.ts";
import { chooseSound, isSoundOn } from "../../state/sound.ts";

/** Turns the sound of new critical alerts on; it is heard once when it is. */
export function SoundChoice() {
  const isOn = isSoundOn.value;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={t("sound.hint")}
      onClick={() => chooseSound(!isOn)}
    >
      {t(isOn ? "sound.on" : "sound.off")}
    </button>
  );
}
