import { projectId } from "./project.ts";

/** Address of a page with the project that is chosen now, and what else the address says. */
export function toPage(path: string, more: Readonly<Record<string, string>> = {}): string {
  const project = projectId.value;
  const query = new URLSearchParams({ ...(project === undefined ? {} : { project }), ...more });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
