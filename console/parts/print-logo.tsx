import { t } from "../i18n/t.ts";
import { projects } from "../state/project.ts";
import { useLogo } from "../state/project-logo.ts";

/** The logo and the name of a project above a printed page; not on the screen. */
export function PrintLogo({ projectId }: { readonly projectId: string }) {
  const { address } = useLogo(projectId);
  const name = projects.value.find(({ id }) => id === projectId)?.name ?? projectId;
  return (
    <div class="print-logo">
      <span>{name}</span>
      {address.value === undefined ? null : (
        <img src={address.value} alt={t("logo.of", { name })} />
      )}
    </div>
  );
}
