import { Type } from "typebox";
import { ProjectId } from "../../domain/ids.ts";
import { defineTool } from "./tool.ts";
import { intervalText, restText } from "./words.ts";

/** Projects in one answer: more fills the assistant's memory and helps nobody. */
const MOST_LISTED = 100;

interface Project {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly planned_start?: string;
  readonly planned_finish?: string;
}

function projectLine({ id, name, time_zone, planned_start, planned_finish }: Project): string {
  const plan =
    planned_start === undefined || planned_finish === undefined
      ? "without planned dates"
      : `planned from ${planned_start} to ${planned_finish}`;
  return `${name} (${id}), days in ${time_zone}, ${plan}.`;
}

export const listProjects = defineTool({
  name: "list_projects",
  title: "Projects",
  description: "The projects that the key may see, with their ids, which other tools ask for.",
  scope: "any key",
  input: Type.Object({}),
  async run(_args, api) {
    const { data, total } = await api.list<Project>("/projects", {}, MOST_LISTED);
    return {
      lines: [
        total === 0 ? "The key sees no project." : `Projects: ${total}.`,
        ...data.map(projectLine),
        ...restText(data.length, total),
      ],
      data: { projects: data, total },
      pages: ["/"],
    };
  },
});

interface ReportHead {
  readonly id: string;
}
interface Zone {
  readonly name: string;
  readonly progress: number;
  readonly interval_95: readonly number[] | null;
  readonly method: string;
  readonly planned: number | null;
  readonly as_of: string;
  readonly no_estimate: string | null;
}
interface Report {
  readonly id: string;
  readonly capture_date: string;
  readonly progress_percentage: number;
  readonly interval_95: readonly number[] | null;
  readonly seen_percent: number;
  readonly seen_interval_95: readonly number[] | null;
  readonly status: string;
  readonly status_confidence: string;
  readonly schedule: {
    readonly planned: number;
    readonly variance: number;
    readonly basis: string;
    readonly tolerance_points: number;
  };
  readonly zones: readonly Zone[];
  readonly warnings: readonly string[];
}

function reportLines(report: Report): readonly string[] {
  const { progress_percentage, seen_percent, schedule, status, status_confidence } = report;
  const sure = status_confidence === "high" ? "surely" : "perhaps: the interval crosses the bound";
  return [
    `On ${report.capture_date}: ${progress_percentage} % complete, ${intervalText(report.seen_interval_95, "%")}, of the ${seen_percent} % of the project that was seen.`,
    `Of the whole project, with what nobody saw: ${intervalText(report.interval_95, "%")}.`,
    `Planned by then: ${schedule.planned} % (${schedule.basis}); ${schedule.variance} points from it. Status ${status}, ${sure} (within ${schedule.tolerance_points} points counts as on schedule).`,
    ...report.zones.map(zoneLine),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ];
}

function zoneLine({ name, progress, interval_95, method, planned, as_of, no_estimate }: Zone) {
  const plan = planned === null ? "nothing planned" : `planned ${planned} %`;
  const missing = no_estimate === null ? "" : `; this capture has no estimate (${no_estimate})`;
  return `Zone ${name}: ${progress} %, ${intervalText(interval_95, "%")}, by ${method} as of ${as_of}; ${plan}${missing}.`;
}

export const projectProgress = defineTool({
  name: "project_progress",
  title: "Progress against the plan",
  description:
    "The newest progress report of a project: percent complete with its 95 % interval, how much of the project was seen, what was planned by then, and each zone. Report the interval and the share seen with every percentage.",
  scope: "progress:read",
  input: Type.Object({ project_id: ProjectId }),
  async run({ project_id }, api) {
    const path = "/progress/reports";
    const heads = await api.list<ReportHead>(path, { project_id }, 1);
    const [head] = heads.data;
    if (head === undefined) {
      return {
        lines: ["No progress report exists: how far the work has come is not known."],
        data: { report: null },
        pages: [],
      };
    }
    const report = await api.get<Report>(`${path}/${encodeURIComponent(head.id)}`);
    return { lines: reportLines(report), data: { report }, pages: [] };
  },
});
