import { locationAt } from '@engram/contract/browser';
import { Group, Text } from '@mantine/core';
import { describeLocation } from '../../../artifacts/location.ts';
import { useSignedFile } from '../../../artifacts/signed-file.ts';
import { FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { PlacePill } from '../../../components/place-pill.tsx';
import { useArtifactText, useSegmentAt } from '../api.ts';

/** The text of larger files is not loaded for one passage. */
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

interface TextPart {
  text: string;
  at: number;
  isTerm: boolean;
}

/** How many letters longer a word may be to count as a form of a term, such as 'leases'. */
const ENDING = 4;

/** Scripts without spaces, where a term is matched inside of longer text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Text before the first marked word is cut to the first length if it is longer than the second. */
const LEAD = 60;
const LONG_LEAD = 120;

/** Marks terms, and cuts text far before the first one. */
export function markFromFirstTerm(text: string, terms: readonly string[]): TextPart[] {
  const parts = markTerms(text, terms);
  const first = parts.find(({ isTerm }) => isTerm);
  if (!first || first.at <= LONG_LEAD) return parts;
  const tail = text.slice(first.at - LEAD).toWellFormed();
  return markTerms(tail.replace(/^\S*\s/u, '… '), terms);
}

/** Splits a text into parts that are one of the terms, or a longer form of it, and parts that are not. */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  const patterns = terms
    .filter((term) => term !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((term) =>
      UNSPACED.test(term)
        ? escaped(term)
        : String.raw`(?<![\p{L}\p{N}])${escaped(term)}[\p{L}\p{M}]{0,${ENDING}}(?![\p{L}\p{N}])`,
    );
  if (patterns.length === 0) return [{ text, at: 0, isTerm: false }];
  const parts: TextPart[] = [];
  let at = 0;
  for (const [index, part] of text.split(new RegExp(`(${patterns.join('|')})`, 'giu')).entries()) {
    if (part !== '') parts.push({ text: part, at, isTerm: index % 2 === 1 });
    at += part.length;
  }
  return parts;
}
