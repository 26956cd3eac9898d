import { Box, Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconList } from '@tabler/icons-react';
import { useState, useCallback, useEffect, useRef } from 'react';
import { scrollBehavior } from '../../../browser/motion.ts';
import { lazyDialog } from '../../../components/lazy-part.tsx';
import { Prose } from '../../../components/prose.tsx';
import { sections } from '../contents.ts';
import { Contents } from './contents.tsx';
import classes from './documentation.module.css';
import { Sections } from './sections.tsx';
import { useLocation, useNavigate } from 'react-router';
import { Page } from '../../../components/page.tsx';

const ContentsDrawer = lazyDialog(() => import('./contents-drawer.tsx'));

/** A constant element, so that the text is not rendered again as the current section changes. */
const text = <Sections />;

export default function DocumentationPage() {
  const { current, goTo } = useCurrentSection();
  const [opened, setOpened] = useState(false);
  const title = sections.find(({ id }) => id === current)?.title;
  return (
    <Page
      title="Documentation"
      lead="How to use Engram, and how to reach it from your own programs."
    >
      <div className={classes.documentation}>
        <Box
          component="aside"
          className={classes.aside ?? ''}
          pos="sticky"
          top={0}
          mah="100dvh"
          py={16}
          data-contents
        >
          <Contents current={current} onChoose={goTo} />
        </Box>
        <div className={classes.bar}>
          <Button
            variant="default"
            size="sm"
            maw="100%"
            leftSection={<IconList size={17} stroke={1.8} />}
            aria-haspopup="dialog"
            onClick={() => setOpened(true)}
          >
            <span className="eg-visually-hidden">Contents: </span>
            {title}
          </Button>
        </div>
        <ContentsDrawer
          opened={opened}
          onClose={() => setOpened(false)}
          current={current}
          onChoose={(id) => {
            setOpened(false);
            goTo(id);
          }}
        />
        <Prose component="article" miw={0} maw={780}>
          {text}
        </Prose>
      </div>
    </Page>
  );
}

/** How far below the window's top a section counts as reached, in pixels. */
const OFFSET = 100;

/** The last section that has reached the top of the window, or at the page's end the last one of all. */
function sectionInSight(): string {
  const first = sections[0]?.id ?? '';
  const { scrollHeight } = document.documentElement;
  const isEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  if (isEnd) return sections.at(-1)?.id ?? first;
  const reached = sections.findLast(({ id }) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top <= OFFSET + 1;
  });
  return reached?.id ?? first;
}

function scrollTo(id: string, behavior: ScrollBehavior): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ behavior, block: 'start' });
  place?.querySelector<HTMLElement>('[data-section-heading]')?.focus({ preventScroll: true });
}

const isSection = (id: string): boolean => sections.some((section) => section.id === id);

const idOf = (hash: string): string => hash.slice(1);

/** The section that is being read, and a function that goes to another one. The address names the section. */
function useCurrentSection() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [current, setCurrent] = useState(() =>
    isSection(idOf(hash)) ? idOf(hash) : (sections[0]?.id ?? ''),
  );
  // During a smooth scroll, the sections on the way do not count as read.
  const isMoving = useRef(false);
  const shown = useRef<string | null>(null);

  const frame = useRef(0);
  const look = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (!isMoving.current) setCurrent(sectionInSight());
    });
  };
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useWindowEvent('scroll', look, { passive: true });
  useWindowEvent('resize', look);
  useWindowEvent('scrollend', () => {
    isMoving.current = false;
    look();
  });

  // A link or Back has changed the address.
  const [followed, setFollowed] = useState(hash);
  if (followed !== hash) {
    setFollowed(hash);
    if (isSection(idOf(hash))) setCurrent(idOf(hash));
  }

  const moveTo = useCallback((id: string, behavior: ScrollBehavior): void => {
    isMoving.current = isSection(id) && behavior === 'smooth' && 'onscrollend' in window;
    scrollTo(id, behavior);
  }, []);

  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === hash) return;
    shown.current = hash;
    // The first section is shown without an animation.
    if (hash) moveTo(idOf(hash), isFirst ? 'instant' : scrollBehavior());
  }, [hash, moveTo]);

  const goTo = (id: string): void => {
    if (hash !== `#${id}`) return void navigate({ hash: id }, { preventScrollReset: true });
    setCurrent(id);
    moveTo(id, scrollBehavior());
  };
  return { current, goTo };
}
