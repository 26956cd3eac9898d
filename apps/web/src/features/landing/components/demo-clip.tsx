import { ActionIcon, Box, Text, useComputedColorScheme } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { mayMove } from '../../../browser/use-may-move.ts';
import classes from './landing.module.css';

/** How far from the window the clip's still picture begins to load. */
const NEAR = '400px';

/** Calls back with whether an element comes near the window, or half of it is in sight. */
function useSight(
  element: RefObject<HTMLElement | null>,
  { onNear, onSeen }: { onNear: () => void; onSeen: (seen: boolean) => void },
): void {
  const callbacks = useRef({ onNear, onSeen });
  useEffect(() => {
    callbacks.current = { onNear, onSeen };
  });
  useEffect(() => {
    if (!element.current) return undefined;
    const near = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && callbacks.current.onNear(),
      { rootMargin: NEAR },
    );
    const seen = new IntersectionObserver(
      (entries) => callbacks.current.onSeen(entries.at(-1)?.isIntersecting ?? false),
      { threshold: 0.5 },
    );
    near.observe(element.current);
    seen.observe(element.current);
    return () => {
      near.disconnect();
      seen.disconnect();
    };
  }, [element]);
}

/**
 * The recorded clip. It loads nothing before it comes near, and plays by itself once, in sight, and
 * only where motion is welcome; from the first play on the browser's own controls are there.
 */
function Clip() {
  const video = useRef<HTMLVideoElement>(null);
  // A phone's picture of a wide window could not be read, so it is shown a phone.
  const [size] = useState(() => (matchMedia('(max-width: 575.98px)').matches ? 'phone' : 'wide'));
  const recording = `/demo/engram-${size}-${useComputedColorScheme('light')}`;
  const [isNear, setIsNear] = useState(false);
  const [hasPlayed, setHasPlayed] = useState(false);
  const [failed, setFailed] = useState(false);
  const inSight = useRef(false);
  // Who has played or stopped it by hand goes on doing so.
  const leftAlone = useRef(true);

  useSight(video, {
    onNear: () => setIsNear(true),
    onSeen: (seen) => {
      inSight.current = seen;
      const clip = video.current;
      if (!clip || !leftAlone.current || !mayMove()) return;
      if (!seen) clip.pause();
      // A browser that refuses to begin by itself leaves the button to begin with.
      else if (!clip.ended) void clip.play().catch(() => undefined);
    },
  });

  const play = (): void => {
    leftAlone.current = false;
    void video.current?.play().catch(() => setFailed(true));
    video.current?.focus();
  };
  return (
    <>
      <div className={classes.frame} data-size={size}>
        <video
          ref={video}
          src={`${recording}.webm`}
          {...(isNear ? { poster: `${recording}.webp` } : {})}
          preload="none"
          muted
          playsInline
          controls={hasPlayed}
          tabIndex={hasPlayed ? 0 : -1}
          aria-label="Engram at work"
          aria-describedby="demo-caption"
          onPlaying={() => setHasPlayed(true)}
          onPause={() => {
            if (inSight.current) leftAlone.current = false;
          }}
          onError={() => setFailed(true)}
        >
          Your browser does not support the video tag.
        </video>
        {!hasPlayed && !failed && (
          <ActionIcon
            pos="absolute"
            inset={0}
            m="auto"
            size={72}
            radius="50%"
            aria-label="Play the demo"
            onClick={play}
          >
            <IconPlayerPlayFilled size={26} />
          </ActionIcon>
        )}
      </div>
      {failed && (
        <Text component="output" display="block" mt={16} fz={14} c="dimmed">
          The clip cannot be played here. What it shows is told below.
        </Text>
      )}
    </>
  );
}

/** A recording of Engram, with a text that tells the same. */
export function DemoClip() {
  return (
    <section aria-labelledby="demo-heading">
      <h2 id="demo-heading" className={classes.heading}>
        From a file to the sentence that answers
      </h2>
      <Box component="figure" m={0}>
        <Clip />
        <Text
          component="figcaption"
          id="demo-caption"
          maw="76ch"
          mt={20}
          fz={14}
          lh={1.6}
          c="dimmed"
        >
          Three files go into the upload panel: a lease, a household table and a note. A moment
          later each of them is ready. The question ‘How much notice does the lease ask for?’ is
          typed, and the answer is the section of the lease with its page. A click on it opens the
          lease at that page, with the sentence marked.
        </Text>
      </Box>
    </section>
  );
}
