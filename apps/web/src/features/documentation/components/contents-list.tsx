import { ActionIcon, Box, Group, Stack } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { Entry } from '../../../components/buttons.tsx';
import { contents, holds, type Section } from '../contents.ts';
import classes from './documentation.module.css';

export interface ContentsListProps {
  current: string;
  onChoose: (id: string) => void;
}

/** The table of contents: collapsible groups with the current section marked. */
export function ContentsList({ current, onChoose }: ContentsListProps) {
  const list = useRef<HTMLDivElement>(null);
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
    <Stack ref={list} component="nav" gap={20} aria-label="Documentation">
      {contents.map((group) => (
        <Part key={group.id} group={group} current={current} onChoose={onChoose} />
      ))}
    </Stack>
  );
}

/** Whether a group is open. It opens when the reader reaches one of its sections. */
function useOpen(section: Section, current: string, initially: boolean) {
  const isHere = holds(section, current);
  const [opened, setOpened] = useState(initially || isHere);
  const [wasHere, setWasHere] = useState(isHere);
  if (wasHere !== isHere) {
    setWasHere(isHere);
    if (isHere) setOpened(true);
    else if (!initially) setOpened(false);
  }
  return [opened, () => setOpened((before) => !before)] as const;
}

function Part({ group, current, onChoose }: ContentsListProps & { group: Section }) {
  const [opened, toggle] = useOpen(group, current, true);
  const listId = useId();
  return (
    <div>
      <Entry
        c="var(--eg-ink)"
        fw={650}
        data-dense
        aria-expanded={opened}
        aria-controls={listId}
        onClick={toggle}
      >
        {group.title}
        <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
      </Entry>
      <ul id={listId} hidden={!opened}>
        {group.children?.map((section) => (
          <Place key={section.id} section={section} current={current} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

function Place({ section, current, onChoose }: ContentsListProps & { section: Section }) {
  const [opened, toggle] = useOpen(section, current, false);
  const listId = useId();
  const link = (
    <Entry
      component="a"
      data-dense
      href={`#${section.id}`}
      aria-current={section.id === current ? 'location' : undefined}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onChoose(section.id);
      }}
    >
      {section.title}
    </Entry>
  );
  if (!section.children) return <li>{link}</li>;
  return (
    <li>
      <Group gap={2} wrap="nowrap">
        {link}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          radius={8}
          aria-expanded={opened}
          aria-controls={listId}
          aria-label={`Sections of ${section.title}`}
          onClick={toggle}
        >
          <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
        </ActionIcon>
      </Group>
      <Box component="ul" mt={2} mb={6} ml={10} pl={8} id={listId} hidden={!opened}>
        {section.children.map((child) => (
          <Place key={child.id} section={child} current={current} onChoose={onChoose} />
        ))}
      </Box>
    </li>
  );
}
