/** A place as citations and passages name it. */
type Location = Readonly<Record<string, unknown>>;

const SECOND_MS = 1000;

/** A time in a recording: '4:12', '1:02:09'. */
function timeOf(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

function inFile({ page, slide, sheet, row, startMs, line }: Location): string {
  if (page !== undefined) return `page ${page}`;
  if (slide !== undefined) return `slide ${slide}`;
  if (row !== undefined) return sheet ? `${sheet}, row ${row}` : `row ${row}`;
  if (typeof startMs === 'number') return `at ${timeOf(startMs)}`;
  return line === undefined ? '' : `line ${line}`;
}

/** A place in a file, in words: 'page 3', 'Rent, row 18', 'at 4:12'; in an archive with the member's path. */
export const describePlace = (location: Location): string =>
  [location['path'], inFile(location)].filter(Boolean).join(', ');
