import { ActionIcon, Box, Group, Stack } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { Entry } from '../../../components/buttons.tsx';
import { contents, containsSection, type Section } from '../contents.ts';
import classes from './documentation.module.css';

export interface ContentsProps {
  current: string;
  onChoose: (id: string) => void;
}

export function Contents({ current, onChoose }: ContentsProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector(`a[href="#${current}"]`);
    const box = list.current?.closest('[data-contents]');
    if (!link || !box) return;
    // scrollIntoView would interrupt the scrolling of the page.
    const [inner, outer] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }, [current]);
  return (
    <nav ref={list} aria-label="Documentation">
      <Stack component="ul" gap={20}>
        {contents.map((group) => (
          <Branch key={group.id} section={group} isGroup current={current} onChoose={onChoose} />
        ))}
      </Stack>
    </nav>
  );
}

interface BranchProps extends ContentsProps {
  section: Section;
  /** A group is initially open, and its title does not link anywhere. */
  isGroup?: boolean;
}

function Branch({ section, isGroup = false, current, onChoose }: BranchProps) {
  const { id, title, children } = section;
  const isCurrent = containsSection(section, current);
  const [opened, setOpened] = useState(isGroup || isCurrent);
  const [wasCurrent, setWasCurrent] = useState(isCurrent);
  const listId = useId();
  if (wasCurrent !== isCurrent) {
    setWasCurrent(isCurrent);
    setOpened(isGroup ? opened || isCurrent : isCurrent);
  }
  const toggle = {
    'aria-expanded': opened,
    'aria-controls': listId,
    onClick: () => setOpened(!opened),
  };
  const chevron = (
    <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
  );
  return (
    <li>
      {isGroup ? (
        <Entry c="var(--eg-ink)" fw={650} data-dense {...toggle}>
          {title}
          {chevron}
        </Entry>
      ) : (
        <Group gap={2} wrap="nowrap">
          <Entry
            component="a"
            data-dense
            href={`#${id}`}
            aria-current={id === current ? 'location' : undefined}
            onClick={(event: MouseEvent) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onChoose(id);
            }}
          >
            {title}
          </Entry>
          {children.length > 0 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              radius={8}
              aria-label={`Sections of ${title}`}
              {...toggle}
            >
              {chevron}
            </ActionIcon>
          )}
        </Group>
      )}
      {children.length > 0 && (
        <Box
          component="ul"
          id={listId}
          hidden={!opened}
          {...(!isGroup && { mt: 2, mb: 6, ml: 10, pl: 8 })}
        >
          {children.map((child) => (
            <Branch key={child.id} section={child} current={current} onChoose={onChoose} />
          ))}
        </Box>
      )}
    </li>
  );
}
