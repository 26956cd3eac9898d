import { Tooltip } from '@mantine/core';
import classes from './keyword-badges.module.css';

const SHOWN = 2;

/** The first two keywords, and how many more there are. */
export function KeywordBadges({ keywords }: { keywords: readonly string[] }) {
  const rest = keywords.slice(SHOWN);
  return (
    <div className={classes.badges}>
      {keywords.slice(0, SHOWN).map((keyword) => (
        <span key={keyword} className={classes.badge}>
          {keyword}
        </span>
      ))}
      {rest.length > 0 && (
        <Tooltip
          label={rest.join(', ')}
          maw={260}
          events={{ hover: true, focus: true, touch: true }}
        >
          <button className={classes.more} type="button">
            +{rest.length}
            <span className="eg-visually-hidden"> more: {rest.join(', ')}</span>
          </button>
        </Tooltip>
      )}
    </div>
  );
}
