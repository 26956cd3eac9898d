import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { contents, holds, type Section } from '../contents.ts';
import classes from './contents-list.module.css';

export interface ContentsListProps {
  /** The section that is read. */
  current: string;
  onChoose: (id: string) => void;
}

/** The table of contents: groups that open and close, the section that is read marked. */
export function ContentsList({ current, onChoose }: ContentsListProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector(`a[href="#${current}"]`);
    const box = list.current?.closest('[data-contents]');
    if (!link || !box) return;
    // Moved by hand: to ask the browser for it would stop the page, which may be on its way.
    const [inner, outer] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }, [current]);
  return (
    <nav ref={list} className={classes.contents} aria-label="Documentation">
      {contents.map((group) => (
        <Group key={group.id} group={group} current={current} onChoose={onChoose} />
      ))}
    </nav>
  );
}

/** Whether a group is open: where the reader goes, its group opens. */
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

function Group({ group, current, onChoose }: ContentsListProps & { group: Section }) {
  const [opened, toggle] = useOpen(group, current, true);
  const listId = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.groupTitle ?? ''}
        aria-expanded={opened}
        aria-controls={listId}
        onClick={toggle}
      >
        {group.title}
        <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
      </UnstyledButton>
      <ul className={classes.list} id={listId} hidden={!opened}>
        {group.children?.map((section) => (
          <Entry key={section.id} section={section} current={current} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

function Entry({ section, current, onChoose }: ContentsListProps & { section: Section }) {
  const [opened, toggle] = useOpen(section, current, false);
  const listId = useId();
  const link = (
    <a
      className={classes.link}
      href={`#${section.id}`}
      aria-current={section.id === current ? 'location' : undefined}
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onChoose(section.id);
      }}
    >
      {section.title}
    </a>
  );
  if (!section.children) return <li>{link}</li>;
  return (
    <li>
      <div className={classes.parent}>
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
      </div>
      <ul className={classes.list} id={listId} hidden={!opened} data-inner>
        {section.children.map((child) => (
          <Entry key={child.id} section={child} current={current} onChoose={onChoose} />
        ))}
      </ul>
    </li>
  );
}
