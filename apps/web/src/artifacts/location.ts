import type { CitedFile, Location } from '@engram/contract';
import { locationText, placeInFile } from '@engram/contract/browser';

interface Place {
  /** What stands in a pill: 'Page 7', 'Rent, row 18', '4:12', 'docs/a.pdf · page 2'. */
  short: string;
  /** What is read out: 'page 7', 'at 4:12'. */
  spoken: string;
}

/** A place as it stands in a pill; a sheet keeps its name's first letter. */
const shortened = (location: Location, spoken: string): string =>
  'sheet' in location && !spoken.startsWith('row ')
    ? spoken
    : spoken.replace(/^at /u, '').replace(/^./u, (letter) => letter.toUpperCase());

/** {@link describeLocation} for a member of an archive, without its path. */
export function describeInMember(location: Location, path: string): Place {
  const spoken = placeInFile(location, { fileName: path });
  return { short: shortened(location, spoken), spoken };
}

/** A place in a file, in words. Inside of an archive the member's path goes before it. */
export function describeLocation(location: Location, file: CitedFile): Place {
  const spoken = locationText(location, file);
  if (!('path' in location)) return { short: shortened(location, spoken), spoken };
  const inMember = placeInFile(location, { fileName: location.path });
  return { short: [location.path, inMember].filter(Boolean).join(' · '), spoken };
}
