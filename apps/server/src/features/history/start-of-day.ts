/** The wall-clock time of an instant in a zone, as if it were UTC, in milliseconds. */
function wallClock(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  );
}

/** The instant at which the day of `at` began in a time zone, daylight saving included. */
export function startOfDay(at: Date, timeZone: string): Date {
  const wall = wallClock(at.getTime(), timeZone);
  const midnight = wall - (wall % 86_400_000);
  const offsetAt = (instant: number): number => {
    const second = instant - (((instant % 1000) + 1000) % 1000);
    return wallClock(second, timeZone) - second;
  };
  // The offset at midnight may differ from the one now; twice is enough for any change of clocks.
  const guess = midnight - offsetAt(at.getTime());
  return new Date(midnight - offsetAt(guess));
}
