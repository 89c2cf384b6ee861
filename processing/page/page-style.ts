/** Style of reports: for the screen and for A4 paper; nothing is fetched. */
export const PAGE_STYLE = `
:root { --ink: #1e2228; --soft: #5b6470; --line: #d4d9df; --accent: #1f5fa8; --warn: #a85b00; --bad: #b3261e; }
* { box-sizing: border-box; }
body { font: 14px/1.45 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; color: var(--ink);
  background: #fff; max-width: 940px; margin: 0 auto; padding: 32px 24px 64px; }
header { border-bottom: 3px solid var(--ink); padding-bottom: 12px; margin-bottom: 20px; }
header .logo { float: right; max-width: 60mm; max-height: 20mm; margin: 0 0 8px 16px; }
header::after { content: ""; display: block; clear: both; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 36px 0 8px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }
h3 { font-size: 14px; margin: 18px 0 6px; }
p { margin: 6px 0; } .soft, figcaption { color: var(--soft); font-size: 0.9em; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; font-size: 0.9em; color: var(--soft); }
td.n, th.n { text-align: right; white-space: nowrap; padding-right: 12px; }
.images td { font-size: 0.86em; padding-top: 2px; padding-bottom: 2px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 10px; margin: 16px 0; }
.tile { border: 1px solid var(--line); border-top: 3px solid var(--accent); padding: 8px 10px; }
.tile b { display: block; font-size: 20px; white-space: nowrap; } .tile span { color: var(--soft); font-size: 12px; }
.tile.warn { border-top-color: var(--warn); } .tile.bad { border-top-color: var(--bad); }
.finding { border-left: 4px solid var(--warn); padding: 4px 0 4px 12px; margin: 10px 0; }
.finding.reject { border-color: var(--bad); } .ok { border-left: 4px solid #2d7d46; padding: 4px 12px; }
figure { margin: 14px 0; break-inside: avoid; } figure img, figure svg { width: 100%; height: auto; display: block; border: 1px solid var(--line); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
svg text { font: 15px "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; fill: var(--ink); }
svg text.small { font-size: 13px; fill: var(--soft); }
svg .footprint { fill: var(--accent); stroke: var(--accent); stroke-opacity: 0.45; stroke-width: 1; }
svg .camera { fill: var(--accent); stroke: #fff; stroke-width: 1.5; } svg .dot { fill: var(--soft); }
svg .arrow { stroke: var(--bad); stroke-width: 2; } svg .lost path { stroke: var(--bad); stroke-width: 3; fill: none; }
svg .bar { stroke: var(--ink); stroke-width: 5; } svg .north { fill: var(--ink); }
svg .frame { fill: none; stroke: var(--line); } svg .grid { stroke: var(--line); } svg .axis { stroke: var(--ink); }
svg .bar-fill { fill: var(--accent); } svg .bar-marked { fill: var(--bad); } svg .limit { stroke: var(--bad); stroke-dasharray: 6 4; }
@page { size: A4; margin: 14mm; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } h2 { break-after: avoid; } tr { break-inside: avoid; }
  thead { display: table-header-group; } }
`;
