const Sheet = ({ x, y, lines }: { x: number; y: number; lines: string }) => (
  <g transform={`translate(${x} ${y})`} strokeLinecap="round">
    <rect width="116" height="86" rx="12" fill="var(--eg-surface)" stroke="var(--eg-line-strong)" />
    <path d={lines} fill="none" stroke="var(--eg-line-strong)" strokeWidth="5" />
  </g>
);

const Letter = ({ x, y }: { x: number; y: number }) => (
  <g transform={`translate(${x} ${y})`} strokeLinecap="round" strokeLinejoin="round">
    <rect width="52" height="36" rx="8" fill="var(--eg-accent)" />
    <path d="M6 8l20 15 20-15" fill="none" stroke="var(--eg-on-accent)" strokeWidth="2.5" />
  </g>
);

/** Two notes that reach each other. */
export const LettersPicture = () => (
  <svg width="100%" viewBox="0 0 420 300">
    <title>A note on its way to somebody, and the answer on its way back</title>
    <rect width="420" height="300" rx="20" fill="var(--eg-accent-soft)" />
    <path
      d="M96 196C120 84 246 60 322 112M330 150C300 248 178 262 118 214"
      fill="none"
      stroke="var(--eg-accent-line)"
      strokeWidth="2"
      strokeDasharray="3 7"
      strokeLinecap="round"
    />
    <Sheet x={44} y={150} lines="M18 26h62M18 44h80M18 62h44" />
    <Sheet x={262} y={66} lines="M18 26h80M18 44h54M18 62h66" />
    <Letter x={186} y={56} />
    <Letter x={196} y={222} />
    <circle cx="146" cy="160" r="7" fill="var(--eg-accent)" />
    <circle cx="364" cy="76" r="7" fill="var(--eg-accent)" />
  </svg>
);
