import type { Keyword } from '@engram/contract';
import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconLock, IconMessagePlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { filesWith, searchWith } from '../../../app/paths.ts';
import { IconButton } from '../../../components/icon-button.tsx';

const LOCKED = 'Deleting the default keyword is not possible';

const events = { hover: true, focus: true, touch: true };

interface KeywordItemProps {
  keyword: Keyword;
  files: number | undefined;
  onMove: (keyword: Keyword) => void;
}

export function KeywordItem({ keyword, files, onMove }: KeywordItemProps) {
  const item = useRef<HTMLDivElement>(null);
  const move = (): void => {
    // The keyword is removed from this list, so the focus moves to its neighbor.
    const { nextElementSibling: next, previousElementSibling: previous } = item.current ?? {};
    (next ?? previous)?.querySelector<HTMLElement>('[data-end]')?.focus();
    onMove(keyword);
  };
  const { keyword: word, isActive, isDefault } = keyword;
  return (
    <Group
      component="li"
      ref={item}
      wrap="nowrap"
      gap={0}
      maw="100%"
      mih={36}
      pe={3}
      bd={`1px ${isActive ? 'solid var(--eg-line)' : 'dashed var(--eg-line-strong)'}`}
      bdrs="var(--eg-radius-small)"
      {...(isActive ? { bg: 'var(--eg-surface)' } : { c: 'dimmed' })}
    >
      <Tooltip label="Show its files" events={events}>
        <Anchor component={Link} ps={14} pe={6} miw={0} inherit c="inherit" to={filesWith(word)}>
          <Text span inherit fw={500} dir="auto">
            {word}
          </Text>
          {files !== undefined && files > 0 && (
            <Text span ms={8} size="sm" c="dimmed">
              {files.toLocaleString('en-US')}
              <span className="eg-visually-hidden"> {files === 1 ? 'file' : 'files'}</span>
            </Text>
          )}
        </Anchor>
      </Tooltip>
      {isActive && (
        <Tooltip label="Ask with this keyword" events={events}>
          <ActionIcon
            component={Link}
            variant="subtle"
            color="gray"
            size={30}
            to={searchWith(word)}
            aria-label={`Ask with ${word}`}
          >
            <IconMessagePlus size={15} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      <IconButton
        data-end
        size={30}
        iconSize={15}
        touch
        {...(isDefault
          ? { label: LOCKED, icon: IconLock, 'aria-disabled': true }
          : {
              label: isActive ? `Archive ${word}` : `Make ${word} active again`,
              tooltip: isActive ? 'Archive' : 'Make active again',
              icon: isActive ? IconX : IconArrowBackUp,
              onClick: move,
            })}
      />
    </Group>
  );
}
