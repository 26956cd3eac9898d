import classes from './letters-picture.module.css';

/** Two notes that reach each other. */
export const LettersPicture = () => (
  <svg className={classes.picture} viewBox="0 0 420 300">
    <title>A note on its way to somebody, and the answer on its way back</title>
    <rect className={classes.ground} x="0" y="0" width="420" height="300" rx="20" />
    <path className={classes.way} d="M96 196C120 84 246 60 322 112" />
    <path className={classes.way} d="M330 150C300 248 178 262 118 214" />
    <g className={classes.sheet}>
      <rect x="44" y="150" width="116" height="86" rx="12" />
      <path className={classes.line} d="M62 176h62M62 194h80M62 212h44" />
    </g>
    <g className={classes.sheet}>
      <rect x="262" y="66" width="116" height="86" rx="12" />
      <path className={classes.line} d="M280 92h80M280 110h54M280 128h66" />
    </g>
    <g>
      <rect className={classes.letter} x="186" y="56" width="52" height="36" rx="8" />
      <path className={classes.fold} d="M192 64l20 15 20-15" />
    </g>
    <g>
      <rect className={classes.letter} x="196" y="222" width="52" height="36" rx="8" />
      <path className={classes.fold} d="M202 230l20 15 20-15" />
    </g>
    <circle className={classes.dot} cx="146" cy="160" r="7" />
    <circle className={classes.dot} cx="364" cy="76" r="7" />
  </svg>
);
