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

/** Constant, so that the text does not render again when the current section changes. */
const text = <Sections />;

export default function DocumentationPage() {
  const { current, goTo } = useCurrentSection();
  const [opened, setOpened] = useState(false);
  const title = sections.find(({ id }) => id === current)?.title;
  return (
    <Page title="Documentation" lead="How to use Engram, and how to connect your own programs.">
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

/** The distance from the window's top at which a section becomes the current one, in pixels. */
const OFFSET = 100;

/** The last section that has reached the top of the window, or the last one at the page's end. */
function visibleSection(): string {
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
  const section = document.getElementById(id);
  section?.scrollIntoView({ behavior, block: 'start' });
  section?.querySelector<HTMLElement>('[data-section-heading]')?.focus({ preventScroll: true });
}

const isSection = (id: string): boolean => sections.some((section) => section.id === id);

const idOf = (hash: string): string => hash.slice(1);

/** The current section, which is in the address, and a function that goes to another one. */
function useCurrentSection() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [current, setCurrent] = useState(() =>
    isSection(idOf(hash)) ? idOf(hash) : (sections[0]?.id ?? ''),
  );
  // Sections that a smooth scroll passes do not become the current one.
  const isScrolling = useRef(false);
  const shown = useRef<string | null>(null);

  const frame = useRef(0);
  const update = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (!isScrolling.current) setCurrent(visibleSection());
    });
  };
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useWindowEvent('scroll', update, { passive: true });
  useWindowEvent('resize', update);
  useWindowEvent('scrollend', () => {
    isScrolling.current = false;
    update();
  });

  const [previousHash, setPreviousHash] = useState(hash);
  if (previousHash !== hash) {
    setPreviousHash(hash);
    if (isSection(idOf(hash))) setCurrent(idOf(hash));
  }

  const scrollToSection = useCallback((id: string, behavior: ScrollBehavior): void => {
    isScrolling.current = isSection(id) && behavior === 'smooth' && 'onscrollend' in window;
    scrollTo(id, behavior);
  }, []);

  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === hash) return;
    shown.current = hash;
    if (hash) scrollToSection(idOf(hash), isFirst ? 'instant' : scrollBehavior());
  }, [hash, scrollToSection]);

  const goTo = (id: string): void => {
    if (hash !== `#${id}`) return void navigate({ hash: id }, { preventScrollReset: true });
    setCurrent(id);
    scrollToSection(id, scrollBehavior());
  };
  return { current, goTo };
}
