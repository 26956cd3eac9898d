const nameIn = (timeZone: string, month: number): string => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(Date.UTC(2026, month, 15));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
};

/**
 * What stands behind times of a zone, in summer as in winter: the abbreviation of its standard
 * time where English has one ('PST'), an offset where that never changes ('GMT+5:30'), or else
 * its city ('Berlin time').
 */
export function timeZoneLabel(timeZone: string): string {
  const [january, july] = [nameIn(timeZone, 0), nameIn(timeZone, 6)];
  if (january === july || /^[A-Z]+$/u.test(january)) return january;
  const city = timeZone.split('/').at(-1) ?? timeZone;
  return `${city.replaceAll('_', ' ')} time`;
}
