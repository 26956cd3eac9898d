import type { Citation } from '@engram/contract';
import { Group, Stack, Text } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCopy,
  IconNote,
  IconRefresh,
  IconShare,
  IconStar,
  IconStarFilled,
  type Icon,
} from '@tabler/icons-react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { paths } from '../../../app/paths.ts';
import { describeLocation } from '../../../artifacts/location.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { unescapeMarkdown } from '../../../components/markdown/markdown-text.ts';
import { Menu } from '../../../components/menu.tsx';
import { copyText } from '../../../components/notify.ts';
import { isFound, originOf, type Answer } from '../answer.ts';
import { placesOf } from '../found-places.ts';
import { useAnswerSound } from '../use-answer-sound.ts';
import { SoundButton, SoundRow } from './sound-player.tsx';

interface IconActionProps {
  label: string;
  icon: Icon;
  onClick: (() => void) | null;
  pressed?: boolean;
}

function IconAction({ label, icon: ButtonIcon, onClick, pressed }: IconActionProps) {
  if (!onClick) return null;
  return (
    <IconButton
      label={label}
      icon={ButtonIcon}
      iconSize={17}
      size={34}
      color={pressed ? '' : 'gray'}
      aria-pressed={pressed}
      onClick={onClick}
    />
  );
}

/** Without a callback its button is not shown. */
export interface AnswerActionsProps {
  answer: Answer;
  pending: boolean;
  onSave?: (saved: boolean) => void;
  onArchive?: (archived: boolean) => void;
  onShare?: () => void;
  onAgain?: () => void;
}

async function saveAsNote(answer: Answer, queries: QueryClient): Promise<void> {
  const { saveNote } = await import('../../../artifacts/save-note.ts');
  const text = `${answer.question}\n\n${copiedAnswer(answer)}`;
  await saveNote(text, { what: 'answer', files: paths.files, queries });
}

export function AnswerActions(props: AnswerActionsProps) {
  const { answer, pending, onSave, onArchive, onShare, onAgain } = props;
  const { isBookmark, isArchived, grounded } = answer;
  const sound = useAnswerSound(answer.id);
  const queries = useQueryClient();
  const copy = (): void =>
    void copyText(copiedAnswer(answer), {
      done:
        answer.citations.length > 0
          ? 'The answer is copied with its sources.'
          : 'The answer is copied.',
      failed: 'The answer was not copied',
    });
  const more = [
    grounded && {
      icon: IconNote,
      label: 'Save as a note',
      onClick: () => void saveAsNote(answer, queries),
    },
    onAgain && { icon: IconRefresh, label: 'Ask again', onClick: onAgain },
  ].filter((entry) => entry !== undefined && entry !== false);
  return (
    <Stack gap="sm">
      <Group gap="2px 12px" mih={34}>
        {!pending && (
          <Text size="sm" c="dimmed">
            {originOf(answer)}
          </Text>
        )}
        <Group gap={2} ms="auto" me={-8} wrap="nowrap">
          <SoundButton sound={sound} disabled={pending || answer.id === null} />
          {!pending && (
            <>
              <IconAction
                label={isBookmark ? 'Un-Save' : 'Save'}
                icon={isBookmark ? IconStarFilled : IconStar}
                pressed={isBookmark}
                onClick={onSave ? () => onSave(!isBookmark) : null}
              />
              <IconAction label="Copy" icon={IconCopy} onClick={copy} />
              <IconAction label="Share" icon={IconShare} onClick={onShare ?? null} />
              <IconAction
                label={isArchived ? 'Un-Archive' : 'Archive'}
                icon={isArchived ? IconArchiveOff : IconArchive}
                onClick={onArchive ? () => onArchive(!isArchived) : null}
              />
              {more.length > 0 && <Menu label="More about the answer" groups={[more]} />}
            </>
          )}
        </Group>
      </Group>
      <SoundRow sound={sound} />
    </Stack>
  );
}

const placeOf = (citation: Citation): string => {
  const { fileName, location } = citation;
  return [fileName, describeLocation(location, { fileName }).spoken].filter(Boolean).join(', ');
};

function copiedAnswer(answer: Answer): string {
  const { markdown, citations, nearest } = answer;
  if (isFound(answer)) {
    const quotes = placesOf(answer).shown.map(
      ({ citation, text }) => `“${text.trim()}”\n— ${placeOf(citation)}`,
    );
    return quotes.join('\n\n');
  }
  const sources = citations.map((citation) => `[${citation.n}] ${placeOf(citation)}`);
  const passages = nearest.map(
    (passage) => `- ${placeOf(passage)}: “${passage.quote.replaceAll(/\s+/gu, ' ').trim()}”`,
  );
  return [
    unescapeMarkdown(markdown),
    ...(sources.length > 0 ? [`Sources:\n${sources.join('\n')}`] : []),
    ...(passages.length > 0 ? [`The nearest passages:\n${passages.join('\n')}`] : []),
  ].join('\n\n');
}
