import { t, tn } from "../../i18n/t.ts";
import type { Fate } from "./fates.ts";

/** What became of each image, with a small picture where it can be shown. */
export function ImageFates({ fates }: { readonly fates: readonly Fate[] }) {
  if (fates.length === 0) return null;
  const used = fates.filter(({ isUsed }) => isUsed).length;
  return (
    <details>
      <summary>{tn("jobs.images", fates.length, { used: String(used) })}</summary>
      <ul class="fates">
        {fates.map(({ name, isUsed, reason, url }, i) => (
          // Two images may have one name.
          <li key={`${i} ${name}`}>
            {url === undefined ? null : (
              <img src={`${url}&w=160`} alt="" loading="lazy" width={80} />
            )}
            <span>
              <strong>{name}</strong>{" "}
              {isUsed ? t("jobs.used") : t("jobs.not_used", { reason: reason ?? "" })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
