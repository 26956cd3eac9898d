import { Group, Stack, Text } from '@mantine/core';
import numberClasses from '../../../components/citation-number.module.css';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { RowButton } from '../../../components/row-button.tsx';
import { fileLook } from '../../../artifacts/file-types.ts';
import { usePointed, type Viewed } from '../../../artifacts/evidence.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { useSignedFile } from '../../../artifacts/signed-file.ts';
import { plural } from '../../../format/format.ts';
import { groupSources, type SourceFile, type SourcePlace } from '../group-sources.ts';
import { QuoteExcerpt } from './quote-excerpt.tsx';
import classes from './source-list.module.css';

/** '3 places in 2 files'. */
export function countSources(list: Viewed['list']): string {
  const files = groupSources(list);
  const places = files.reduce((sum, file) => sum + file.places.length, 0);
  return `${plural(places, 'place')} in ${plural(files.length, 'file')}`;
}

interface SourceListProps {
  viewed: Viewed;
  /** Called with the number of the place to open. */
  onOpen: (n: number) => void;
}

/** What an answer rests on, or what comes nearest to a question: by file, each quote once. */
export function SourceList({ viewed, onOpen }: SourceListProps) {
  const isNearest = viewed.noun === 'passage';
  return (
    <Stack component="section" gap={20} aria-label={isNearest ? 'The nearest passages' : 'Sources'}>
      {isNearest && (
        <Text size="sm" c="dimmed">
          They are no answer, only what comes closest to your question in your files.
        </Text>
      )}
      {groupSources(viewed.list).map((file) => (
        <FileSources key={file.artifactId} file={file} viewed={viewed} onOpen={onOpen} />
      ))}
    </Stack>
  );
}

function FileSources({ file, viewed, onOpen }: SourceListProps & { file: SourceFile }) {
  const { fileName, path, places } = file;
  const known = viewed.files?.find(({ artifactId }) => artifactId === file.artifactId);
  const looks = { fileName, ...(known ? { fileType: known.fileType } : {}) };
  const { kind } = fileLook(looks);
  const hasPicture = kind === 'image' || (kind === 'pdf' && places.some(isFirstPage));
  return (
    <Stack gap={4} miw={0}>
      <Group gap={8} wrap="nowrap" miw={0} fz="sm" fw={600}>
        <FileTypeIcon {...looks} />
        <FileName name={fileName} />
        <FileFolder path={path} />
        {places.length > 1 && (
          <Text span ml="auto" size="xs" c="dimmed" flex="none" fw={400}>
            {plural(places.length, 'place')}
          </Text>
        )}
      </Group>
      <Stack component="ol" gap={2} mx={-10} aria-label={`Places in ${fileName}`}>
        {places.map((place) => (
          <li key={place.citation.n}>
            <Place
              place={place}
              looks={looks}
              size={known?.size}
              noun={viewed.noun}
              hasPicture={hasPicture && (kind === 'image' || isFirstPage(place))}
              onOpen={onOpen}
            />
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

/** The small picture of a PDF is that of its first page. */
const isFirstPage = ({ citation: { location } }: SourcePlace): boolean =>
  'page' in location && location.page === 1 && !('path' in location);

interface PlaceProps {
  place: SourcePlace;
  looks: { fileName: string; fileType?: string };
  /** The file's size in bytes, where it is known. */
  size: number | undefined;
  noun: Viewed['noun'];
  /** Whether there may be a small picture of the place. */
  hasPicture: boolean;
  onOpen: (n: number) => void;
}

function Place({ place, looks, size, noun, hasPicture, onOpen }: PlaceProps) {
  const { citation, numbers } = place;
  const { short, spoken } = describeLocation(citation.location, looks);
  const pointing = usePointed(citation);
  return (
    <RowButton {...pointing} onClick={() => onOpen(citation.n)}>
      {hasPicture && <Picture artifactId={citation.artifactId} />}
      <Stack component="span" gap={3} miw={0} flex={1}>
        <Group component="span" gap={6}>
          {noun === 'source' &&
            numbers.map((n) => (
              <span key={n} className={numberClasses.number} data-active={pointing['data-active']}>
                {n}
              </span>
            ))}
          <span className="eg-visually-hidden">{looks.fileName}</span>
          {short && (
            <Text span size="xs" fw={600} c="dimmed" title={spoken}>
              {short}
            </Text>
          )}
        </Group>
        <Text
          span
          {...(noun === 'passage' ? { className: classes.nearest } : {})}
          size="sm"
          lineClamp={8}
          dir="auto"
          c="dimmed"
        >
          <QuoteExcerpt citation={citation} size={size} />
        </Text>
      </Stack>
    </RowButton>
  );
}

function Picture({ artifactId }: { artifactId: string }) {
  const { data } = useSignedFile(artifactId);
  if (!data?.thumbnailUrl) return null;
  return <img className={classes.picture} src={data.thumbnailUrl} alt="" loading="lazy" />;
}
