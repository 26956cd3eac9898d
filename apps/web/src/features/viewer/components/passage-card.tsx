import { locationAt } from '@engram/contract/browser';
import { Group, Text } from '@mantine/core';
import { describeLocation } from '../../../artifacts/location.ts';
import { useSignedFile } from '../../../artifacts/signed-file.ts';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { useArtifactText, useSegmentAt } from '../api.ts';
import { markFromFirstTerm } from '../mark-terms.ts';

const FETCH_LIMIT = 1_000_000;

interface PassageCardProps {
  artifactId: string;
  start: number;
  end: number;
  terms: readonly string[];
}

export function PassageCard({ artifactId, start, end, terms }: PassageCardProps) {
  const { data: file, isError } = useSignedFile(artifactId);
  const { data: segment } = useSegmentAt(artifactId, start);
  const { data: text } = useArtifactText(
    artifactId,
    file !== undefined && file.size <= FETCH_LIMIT,
  );
  const located = { text: text ?? '', segments: segment ? [segment] : [] };
  const place = file && segment && describeLocation(locationAt(located, { start, end }), file);
  const excerpt = text?.slice(start, end).replace(/\s+/gu, ' ').trim();
  if (isError && !file) {
    return (
      <Text size="sm" c="dimmed">
        This file cannot be shown.
      </Text>
    );
  }
  return (
    <>
      <Group component="p" miw={0} gap={8} wrap="nowrap">
        <FileTypeIcon {...file} />
        <Text span display="flex" flex="1 1 84px" miw={0} size="sm" fw={600} c="var(--eg-ink)">
          <FileName name={file?.fileName ?? ''} />
        </Text>
        {place?.short && <PlacePill {...place} />}
      </Group>
      {excerpt && (
        <Text mt={6} size="sm" lineClamp={3} c="dimmed">
          {markFromFirstTerm(excerpt, terms).map((part) =>
            part.isTerm ? <mark key={part.at}>{part.text}</mark> : part.text,
          )}
        </Text>
      )}
    </>
  );
}
