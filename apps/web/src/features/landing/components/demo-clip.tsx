import { ActionIcon, Box, Text, useComputedColorScheme } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { mayMove } from '../../../browser/motion.ts';
import classes from './landing.module.css';

const LOAD_DISTANCE = '400px';

/**
 * The recorded clip. It loads when it is near the window, and plays automatically once while it is
 * visible, unless the user prefers reduced motion. It has the browser's controls once it has played.
 */
function Clip() {
  const video = useRef<HTMLVideoElement>(null);
  // A recording of a wide window would be too small to read on a phone.
  const [size] = useState(() => (matchMedia('(max-width: 575.98px)').matches ? 'phone' : 'wide'));
  const recording = `/demo/engram-${size}-${useComputedColorScheme('light')}`;
  const [isNear, setIsNear] = useState(false);
  const [hasPlayed, setHasPlayed] = useState(false);
  const [failed, setFailed] = useState(false);
  const isVisible = useRef(false);
  const isAutomatic = useRef(true);

  useEffect(() => {
    const clip = video.current;
    if (!clip) return undefined;
    const near = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && setIsNear(true),
      { rootMargin: LOAD_DISTANCE },
    );
    const visible = new IntersectionObserver(
      (entries) => {
        isVisible.current = entries.at(-1)?.isIntersecting ?? false;
        if (!isAutomatic.current || !mayMove()) return;
        if (!isVisible.current) clip.pause();
        // If the browser refuses to play automatically, the button is still there.
        else if (!clip.ended) void clip.play().catch(() => undefined);
      },
      { threshold: 0.5 },
    );
    near.observe(clip);
    visible.observe(clip);
    return () => {
      near.disconnect();
      visible.disconnect();
    };
  }, []);

  const play = (): void => {
    isAutomatic.current = false;
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
            if (isVisible.current) isAutomatic.current = false;
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
          The clip cannot be played here. What it shows is described below.
        </Text>
      )}
    </>
  );
}

export const DemoClip = () => (
  <section aria-labelledby="demo-heading">
    <h2 id="demo-heading" className={classes.heading}>
      From a file to the sentence that answers
    </h2>
    <Box component="figure" m={0}>
      <Clip />
      <Text component="figcaption" id="demo-caption" maw="76ch" mt={20} fz={14} lh={1.6} c="dimmed">
        Three files go into the upload panel: a lease, a household table and a note. A moment later
        each of them is ready. The question ‘How much notice does the lease ask for?’ is typed, and
        the answer is the section of the lease with its page. A click on it opens the lease at that
        page, with the sentence marked.
      </Text>
    </Box>
  </section>
);
