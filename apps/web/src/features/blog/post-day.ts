import { formatDay } from '../../format/format.ts';

/**
 * The day of a post, as it is shown. A feed that gives a day and no time gives midnight UTC, which
 * is the day before in the west: such a post keeps its day everywhere.
 */
export const postDay = (pubDate: string): string =>
  formatDay(pubDate, /T00:00:00(?:\.0+)?Z$/u.test(pubDate) ? 'UTC' : undefined);
