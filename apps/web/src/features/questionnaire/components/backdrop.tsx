import { Box } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { whenIdle } from '../../../browser/when-idle.ts';
import classes from './backdrop.module.css';

interface BackdropProps {
  /** False shows a still picture, and the clip is not loaded. */
  moving: boolean;
  paused: boolean;
}

const behind = { zIndex: -1 };

const STILL = '/demo/engram-backdrop.webp';

export const Backdrop = ({ moving, paused }: BackdropProps) => (
  <Box pos="fixed" inset={0} style={behind} aria-hidden="true">
    {moving ? <Clip paused={paused} /> : <img className={classes.picture} src={STILL} alt="" />}
  </Box>
);

function Clip({ paused }: Pick<BackdropProps, 'paused'>) {
  const video = useRef<HTMLVideoElement>(null);
  // The clip loads when the page is idle, after the questions.
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => whenIdle(() => setLoaded(true)), []);
  useEffect(() => {
    const clip = video.current;
    if (!clip || !isLoaded) return undefined;
    const run = (): void => {
      // If the browser does not play it automatically, the poster stays.
      if (paused || document.hidden) clip.pause();
      else void clip.play().catch(() => undefined);
    };
    run();
    document.addEventListener('visibilitychange', run);
    return () => document.removeEventListener('visibilitychange', run);
  }, [paused, isLoaded]);
  return (
    <video
      ref={video}
      className={classes.picture}
      poster={STILL}
      {...(isLoaded ? { src: '/demo/engram-backdrop.webm' } : {})}
      preload="none"
      tabIndex={-1}
      loop
      muted
      playsInline
      disablePictureInPicture
    />
  );
}
