import { Link } from "wouter-preact";
import type { Shortage } from "../api/shortage.ts";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";
import { projectId } from "../state/project.ts";
import { toPage } from "../state/to-page.ts";

interface NoRoomProps {
  readonly of: Shortage;
  /** Whose quota it is; absent: that of the project that is chosen. */
  readonly project: string | undefined;
}

/** What has no room for how much, and where a person sees what takes it up. */
export function NoRoom({ of: { room, quota }, project }: NoRoomProps) {
  if (room === undefined) return <>{t("fail.no_room")}</>;
  const needed = show.bytes(room.neededBytes);
  if (quota === undefined)
    return <>{t("fail.disk", { needed, left: show.bytes(room.leftBytes) })}</>;
  const { usedBytes, limitBytes } = quota;
  const id = project ?? projectId.value;
  return (
    <>
      {t("fail.quota", { needed, used: show.bytes(usedBytes), limit: show.bytes(limitBytes) })}{" "}
      <Link href={toPage(`/settings/projects${id === undefined ? "" : `/${id}`}`)}>
        {t("fail.to_storage")}
      </Link>
    </>
  );
}
