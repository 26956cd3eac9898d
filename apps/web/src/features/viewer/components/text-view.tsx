import { Text } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useMemo } from 'react';
import { hasFields } from '../../../artifacts/file-types.ts';
import { useArtifactSegments, type ArtifactSegment } from '../api/get-artifact-segments.ts';
import { overlaps } from '../quote-place.ts';
import { windowRows } from '../text-rows.ts';
import { MarkedText } from './marked-text.tsx';
import { QuotedRows } from './quoted-rows.tsx';
import { ReadText, type ReadFile } from './read-text.tsx';
import classes from './viewer.module.css';
import { ViewerNote } from './viewer-states.tsx';

interface TextViewProps {
  citation: Citation;
  /** Media type of the file. */
  fileType: string;
}

/** A file's extracted text, at the quote. */
export function TextView({ citation, fileType }: TextViewProps) {
  const { fileName, location } = citation;
  // Of a member its own name tells what it is.
  const file = 'path' in location ? { fileName: String(location.path) } : { fileName, fileType };
  return (
    <ReadText citation={citation}>
      {(read) =>
        hasFields(file) ? (
          <FieldLines {...read} citation={citation} />
        ) : (
          <Lines {...read} numbered={'line' in location} />
        )
      }
    </ReadText>
  );
}

/** Lines of which titles and the names of fields stand out, as far as it is known which they are. */
function FieldLines({ citation, ...file }: ReadFile & { citation: Citation }) {
  const { data } = useArtifactSegments(citation.artifactId, file.place?.[0] ?? 0);
  const kinds = useMemo(() => new Map(data?.map(({ start, kind }) => [start, kind])), [data]);
  return <Lines {...file} numbered={false} kindAt={(start) => kinds.get(start)} />;
}

/** Pixels of a row before it is measured: one line. */
const LINE_HEIGHT = 26;

interface LinesProps extends ReadFile {
  numbered: boolean;
  /** What begins at a position of the text. */
  kindAt?: (start: number) => ArtifactSegment['kind'] | undefined;
}

/** The name of a field and its colon. */
const FIELD = /^[^\s:][^:\n]{0,40}:(?= )/u;

function Lines({ text, place, numbered, kindAt }: LinesProps) {
  const [start, end] = place ?? [0, 0];
  const { rows, quoteRow, cut } = useMemo(() => windowRows(text, start, end), [text, start, end]);
  return (
    <>
      {cut && (
        <ViewerNote>This text is very long: only the part around the quote is shown.</ViewerNote>
      )}
      <QuotedRows
        kind="lines"
        label="Text of the file"
        count={rows.length}
        quoteRow={place ? quoteRow : -1}
        rowHeight={LINE_HEIGHT}
        className={classes.column}
        rowProps={(index) => {
          const row = rows[index];
          return {
            className: classes.line,
            'data-kind': row && kindAt?.(row.start),
            'data-quoted': (row && place && overlaps([row.start, row.end], place)) || undefined,
          };
        }}
        renderRow={(index) => {
          const row = rows[index];
          if (!row) return null;
          const isField = kindAt?.(row.start) === 'list';
          const name = isField ? FIELD.exec(text.slice(row.start, row.end))?.[0] : undefined;
          const from = row.start + (name?.length ?? 0);
          return (
            <>
              {numbered && (
                <Text span flex="none" miw={36} size="xs" lh="inherit" c="dimmed" ta="right">
                  {row.line}
                </Text>
              )}
              <span className={classes.words}>
                {name && (
                  <Text span inherit c="dimmed">
                    <MarkedText text={text} start={row.start} end={from} quote={place} />
                  </Text>
                )}
                <MarkedText text={text} start={from} end={row.end} quote={place} />
              </span>
            </>
          );
        }}
      />
    </>
  );
}
