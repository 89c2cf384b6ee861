import { t } from "../../i18n/t.ts";
import { Select } from "../../parts/select.tsx";
import { listedAssets, machineName } from "../../state/machines.ts";

interface MachineChoiceProps {
  readonly ids: readonly string[];
  readonly most: number;
  readonly onChoose: (ids: readonly string[]) => void;
}

/** Machines of the page: takes one away, or adds one. */
export function MachineChoice({ ids, most, onChoose }: MachineChoiceProps) {
  const others = (listedAssets.value ?? []).filter(({ id }) => !ids.includes(id));
  return (
    <div class="track-machines">
      {ids.length < 2 ? null : (
        <ul class="track-presets">
          {ids.map((id) => (
            <li key={id}>
              <button
                type="button"
                aria-label={t("track.remove", { name: machineName(id) })}
                onClick={() => onChoose(ids.filter((one) => one !== id))}
              >
                {machineName(id)} <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 || ids.length >= most ? null : (
        <label>
          <span class="hidden">{t("track.add")}</span>
          <Select
            value={""}
            choices={[["", t("track.add")], ...others.map(({ id, name }) => [id, name] as const)]}
            onChoose={(id) => {
              if (id !== "") onChoose([...ids, id]);
            }}
          />
        </label>
      )}
    </div>
  );
}
