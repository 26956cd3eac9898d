import type { CitedFile, Location } from '@engram/contract';
import { locationText, placeInFile } from '@engram/contract/browser';

interface LocationText {
  /** For a pill: 'Page 7', 'Rent, row 18', '4:12', 'docs/a.pdf · page 2'. */
  short: string;
  /** For screen readers: 'page 7', 'at 4:12'. */
  spoken: string;
}

/** The text for a pill. The name of a sheet is not capitalized. */
const shortText = (location: Location, spoken: string): string =>
  'sheet' in location && !spoken.startsWith('row ')
    ? spoken
    : spoken.replace(/^at /u, '').replace(/^./u, (letter) => letter.toUpperCase());

/** {@link describeLocation} for a member of an archive, without its path. */
export function describeMemberLocation(location: Location, path: string): LocationText {
  const spoken = placeInFile(location, { fileName: path });
  return { short: shortText(location, spoken), spoken };
}

/** Describes a location in a file. In an archive the member's path comes first. */
export function describeLocation(location: Location, file: CitedFile): LocationText {
  const spoken = locationText(location, file);
  if (!('path' in location)) return { short: shortText(location, spoken), spoken };
  const inMember = placeInFile(location, { fileName: location.path });
  return { short: [location.path, inMember].filter(Boolean).join(' · '), spoken };
}
