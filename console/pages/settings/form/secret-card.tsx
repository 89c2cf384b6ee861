import { useEffect, useRef } from "preact/hooks";
import { t } from "../../../i18n/t.ts";
import { CopyText } from "../../../parts/copy-text.tsx";

interface SecretCardProps {
  readonly title: string;
  readonly name: string;
  /** Absent: the answer was repeated, and the service has only its hash. */
  readonly secret: string | undefined;
  /** What to do without it. */
  readonly lost: string;
  readonly onClose: () => void;
}

/** A secret that the service says once. It is in memory until the person has it, and nowhere else. */
export function SecretCard({ title, name, secret, lost, onClose }: SecretCardProps) {
  const card = useRef<HTMLElement>(null);
  // The dialog that asked for it is gone, and the card may be out of sight.
  useEffect(() => {
    card.current?.focus();
  }, []);
  return (
    <section ref={card} class="card secret-card" tabIndex={-1} aria-label={title}>
      <h3>{title}</h3>
      {secret === undefined ? (
        <p>{lost}</p>
      ) : (
        <>
          <p class="notice">{t("set.once")}</p>
          <CopyText name={name} text={secret} />
        </>
      )}
      <div>
        <button type="button" onClick={onClose}>
          {secret === undefined ? t("set.close") : t("set.have_it")}
        </button>
      </div>
    </section>
  );
}
