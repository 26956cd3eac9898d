import { Box, Group, Stack, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type MouseEvent } from 'react';
import { useStore } from '../../../browser/store.ts';
import {
  fileView,
  openEvidence,
  shownEvidence,
  useSourceHover,
} from '../../../artifacts/evidence.ts';
import { fileLook } from '../../../artifacts/file-types.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import number from '../../../components/citation-number.module.css';
import { FileFolder, FileName } from '../../../components/file-name.tsx';
import { FileTypeIcon } from '../../../components/file-type-icon.tsx';
import { TextButton } from '../../../components/buttons.tsx';
import { plural } from '../../../format/format.ts';
import {
  groupByFile,
  excerptOf,
  markedParagraphs,
  type FoundPlace,
  type FoundPlaces,
  type MarkedPart,
} from '../found-places.ts';
import classes from './found-sections.module.css';

interface FoundSectionsProps {
  heading: string;
  places: FoundPlaces;
  /** Whether the sections are the answer, rather than below it. */
  isAnswer: boolean;
  onOpen: (place: FoundPlace) => void;
}

export function FoundSections(props: FoundSectionsProps) {
  const { heading, places, isAnswer } = props;
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { shown, more } = places;
  if (shown.length === 0) return null;
  return (
    <Box component="section" miw={0} aria-labelledby={id} data-size={isAnswer ? undefined : 'sm'}>
      <Text component="h3" id={id} size="sm" fw={600} c="dimmed" mb={12}>
        {heading}
      </Text>
      <Groups {...props} list={shown} />
      {isOpen && (
        <Box mt={16}>
          <Groups {...props} list={more} />
        </Box>
      )}
      {!isOpen && more.length > 0 && (
        <TextButton mt={16} fz="sm" c="dimmed" underline="hover" onClick={() => setIsOpen(true)}>
          {isAnswer ? `Show ${more.length} more` : plural(more.length, 'more place')}
        </TextButton>
      )}
    </Box>
  );
}

function Groups({ list, ...props }: FoundSectionsProps & { list: readonly FoundPlace[] }) {
  return groupByFile(list).map((places) => (
    <FileSections key={places[0]?.citation.artifactId} {...props} list={places} />
  ));
}

function FileSections({ list, onOpen }: FoundSectionsProps & { list: readonly FoundPlace[] }) {
  const [first] = list;
  if (first === undefined) return null;
  const { citation, newer } = first;
  const { fileName, path } = citation;
  return (
    <div className={classes.group}>
      <Group gap={8} wrap="nowrap" miw={0} fz="sm" fw={600} mb={4}>
        <FileTypeIcon fileName={fileName} />
        <Box miw={0} flex={1}>
          <FileName name={fileName} />
          <FileFolder path={path} />
        </Box>
      </Group>
      {newer && (
        <Text size="sm" mb={4} truncate>
          <TextButton
            fw={400}
            c="var(--eg-accent)"
            underline="hover"
            onClick={() => openEvidence(fileView({ ...newer, fileType: '' }))}
          >
            newer: {newer.fileName}
          </TextButton>
        </Text>
      )}
      <Stack component="ol" gap={4} aria-label={`Places in ${fileName}`}>
        {list.map((place) => (
          <Place key={place.citation.start} place={place} onOpen={onOpen} />
        ))}
      </Stack>
    </div>
  );
}

/** Whether a click opens its card: not on a control inside it, nor after selecting text. */
const opensCard = ({ target }: MouseEvent): boolean =>
  document.getSelection()?.isCollapsed !== false &&
  !(target instanceof Element && target.closest('a, button'));

function Place({ place, onOpen }: { place: FoundPlace; onOpen: (place: FoundPlace) => void }) {
  const { citation, numbers } = place;
  const { fileName, location, artifactId, start } = citation;
  const { short, spoken } = describeLocation(location, { fileName });
  const isShown = useStore(shownEvidence, (viewed) =>
    viewed?.list.some(
      (candidate) =>
        candidate.n === viewed.n &&
        candidate.artifactId === artifactId &&
        candidate.start === start,
    ),
  );
  const hoverProps = useSourceHover(citation);
  return (
    // Its button does the same for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <li
      className={classes.card}
      data-shown={isShown || undefined}
      {...hoverProps}
      onClick={(event) => {
        if (opensCard(event)) onOpen(place);
      }}
    >
      <Group component="span" gap={6} mb={6}>
        {numbers.map((n) => (
          <span key={n} className={number.number} data-active={hoverProps['data-active']}>
            {n}
          </span>
        ))}
        <TextButton
          fz="xs"
          c="dimmed"
          underline="never"
          aria-label={`Open ${[fileName, spoken].filter(Boolean).join(', ')}`}
          onClick={() => onOpen(place)}
        >
          <Group component="span" gap={2} wrap="nowrap">
            {short || 'Open'}
            <IconChevronRight size={12} stroke={2} aria-hidden="true" />
          </Group>
        </TextButton>
      </Group>
      <SectionText place={place} />
    </li>
  );
}

const PartText = ({ part: { text, kind } }: { part: MarkedPart }) =>
  kind ? <span className={classes[kind]}>{text}</span> : text;

function SectionText({ place }: { place: FoundPlace }) {
  const { fileName, location } = place.citation;
  const inTable = 'row' in location;
  const [isExpanded, setExpanded] = useState(false);
  const paragraphs = markedParagraphs(place, inTable);
  const shown = isExpanded ? paragraphs : excerptOf(paragraphs);
  const isCut =
    shown.length < paragraphs.length || shown.some((paragraph, i) => paragraph !== paragraphs[i]);
  return (
    <div
      className={classes.text}
      data-table={inTable || undefined}
      data-code={fileLook({ fileName }).label === 'JSON' || undefined}
    >
      {shown.map((runs) => (
        <p key={runs[0]?.at} dir="auto">
          {runs.map(({ at, isSentence, parts }) => {
            const text = parts.map((part) => <PartText key={part.at} part={part} />);
            return isSentence ? <mark key={at}>{text}</mark> : text;
          })}
        </p>
      ))}
      {isCut && (
        <TextButton
          fz="xs"
          c="dimmed"
          underline="hover"
          mt={6}
          aria-label={`Show all of this place in ${fileName}`}
          onClick={() => setExpanded(true)}
        >
          Show all
        </TextButton>
      )}
    </div>
  );
}
