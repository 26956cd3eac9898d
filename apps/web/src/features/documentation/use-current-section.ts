import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { sections } from './contents.ts';

/** How far below the window's top a section begins to count, in pixels. */
const OFFSET = 100;

/** The last section whose top has come up to the line; at the page's end, the last one of all. */
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

/** Scrolls to a place of the page, and puts the focus there, so that Tab goes on from it. */
function scrollTo(id: string, behavior: ScrollBehavior): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ behavior, block: 'start' });
  place?.querySelector<HTMLElement>('[data-section-heading]')?.focus({ preventScroll: true });
}

const isSection = (id: string): boolean => sections.some((section) => section.id === id);

/** What an address's hash names; a broken one names nothing. */
function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

const gentleScroll = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';

/** Where the reader is, and how to go elsewhere. The address names the place. */
export function useCurrentSection() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [current, setCurrent] = useState(() =>
    isSection(idOf(hash)) ? idOf(hash) : (sections[0]?.id ?? ''),
  );
  // While the page moves to a place that was chosen, what it moves past is not where the reader is.
  const isMoving = useRef(false);
  const shown = useRef<string | null>(null);

  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (!isMoving.current) setCurrent(sectionInSight());
      });
    };
    const arrive = (): void => {
      isMoving.current = false;
      look();
    };
    const takeOver = (): void => void (isMoving.current = false);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    addEventListener('scrollend', arrive);
    addEventListener('wheel', takeOver, { passive: true });
    addEventListener('touchmove', takeOver, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
      removeEventListener('scrollend', arrive);
      removeEventListener('wheel', takeOver);
      removeEventListener('touchmove', takeOver);
    };
  }, []);

  // A link, or the way back, leads elsewhere on the page.
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
    // What the page opens at is there at once.
    if (hash) moveTo(idOf(hash), isFirst ? 'instant' : gentleScroll());
  }, [hash, moveTo]);

  const goTo = (id: string): void => {
    if (hash !== `#${id}`) return void navigate({ hash: id }, { preventScrollReset: true });
    setCurrent(id);
    moveTo(id, gentleScroll());
  };
  return { current, goTo };
}
