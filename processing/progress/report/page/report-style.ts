/** What pages about progress add to the style of all pages. */
export const REPORT_STYLE = `
body { max-width: 1040px; }
.actual { font-size: 17px; margin: 18px 0 4px; } .actual b { font-size: 44px; margin-right: 12px; white-space: nowrap; }
.chip { display: inline-block; padding: 3px 12px; border-radius: 12px; background: #5b6470; color: #fff; font-weight: 600; vertical-align: 9px; white-space: nowrap; }
.chip.small { font-size: 11px; padding: 0 8px; vertical-align: 0; } .chip.behind_schedule { background: var(--bad); } .chip.ahead_of_schedule { background: var(--accent); }
.chip.on_schedule, .chip.completed, .chip.complete { background: #2d7d46; } .chip.in_progress { background: var(--accent); } .unsure { color: var(--warn); }
.notice { border: 2px solid var(--warn); border-left-width: 10px; padding: 8px 14px; margin: 12px 0; } .notice b { color: var(--warn); }
.notice.bad { border-color: var(--bad); } .notice.bad b { color: var(--bad); }
.zones td { padding-top: 7px; } .zones td.name { font-weight: 600; overflow-wrap: anywhere; } .zones .scale { width: 20%; } .zones .scale svg { width: 100%; height: 14px; display: block; }
.zones tr.zone td { border-bottom: none; } .zones tr.zone { break-after: avoid; border-top: 1px solid var(--line); }
.zones tr.notes td { color: var(--soft); font-size: 0.88em; padding-top: 0; padding-bottom: 8px; border-bottom: none; overflow-wrap: anywhere; } .alarm { color: var(--bad); font-weight: 600; }
svg .fill { fill: #5b6470; } svg .fill.in_progress { fill: #1f5fa8; } svg .fill.complete { fill: #2d7d46; }
svg .planned { fill: none; stroke: #7a8490; stroke-width: 2.5; } svg .now { stroke: var(--line); stroke-width: 1.5; stroke-dasharray: 3 4; }
svg .actual-line { fill: none; stroke: var(--accent); stroke-width: 2; } svg .forecast { fill: none; stroke: var(--bad); stroke-width: 1.8; stroke-dasharray: 7 5; }
svg .point { stroke: var(--accent); stroke-width: 2; } svg .point circle { fill: var(--accent); stroke: #fff; } svg .point.this, svg .forecast-finish { stroke: var(--bad); }
svg .point.this circle { fill: var(--bad); } svg .forecast-finish circle { fill: #fff; stroke: var(--bad); }
.key { display: inline-block; width: 22px; height: 0; border-top: 3px solid #7a8490; vertical-align: middle; margin: 0 2px 0 10px; } .key.actual { border-color: var(--accent); } .key.planned { margin-left: 0; }
.pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; } .pictures figure { margin: 0; } td.name { width: 20%; font-weight: 600; } td.few { width: 16%; }
.zones td.name { width: 22%; } p.ok { margin: 10px 0; } .finding { overflow-wrap: anywhere; }
@media print { .actual b { font-size: 32px; } .notice { font-size: 12px; } .chip, svg, .tile { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .zones th, .zones td { padding-right: 5px; } }
@media (max-width: 640px) { .pictures { grid-template-columns: 1fr; } .tiles { grid-template-columns: 1fr 1fr; } .zones { font-size: 12px; } }
`;
