const PATHS = {
  overview: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  map: "M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14",
  machines: "M4 6h16M4 12h16M4 18h16",
  fences: "M5 5L19 4L20 15L11 20L4 14zM5 5v.01M19 4v.01M20 15v.01M11 20v.01M4 14v.01",
  stockpiles: "M2 19L9 8L13 13L16 9L22 19z",
  events: "M5 4h14v16H5zM9 9h6M9 13h6M9 17h3",
  utilisation: "M4 4v16h16M8 16v-4M12 16V8M16 16v-6",
  progress: "M4 4v16h16M7 17c5 0 4-10 12-11",
  upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
  jobs: "M4 6h10M4 12h10M4 18h10M18 5l1 1 2-2M18 11l1 1 2-2M18 17l1 1 2-2",
  surveys: "M4 8h4l2-3h4l2 3h4v11H4zM9 13a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  alerts: "M12 4L21 20H3zM12 10v4M12 17v.01",
  settings:
    "M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside the name of a page; the name says it all. */
export function NavIcon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" class="nav-icon">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
