import { Box } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { whenQuiet } from '../../../browser/when-quiet.ts';
import classes from './backdrop.module.css';

interface BackdropProps {
  /** Whether it moves at all; a still picture otherwise, and the clip is not loaded. */
  moving: boolean;
  /** Whether it stands still for now. */
  paused: boolean;
}

const behind = { zIndex: -1 };

const STILL = '/demo/engram-backdrop.webp';

/** A clip that goes round without a seam, behind the questions: points that find each other. */
export function Backdrop({ moving, paused }: BackdropProps) {
  return (
    <Box pos="fixed" inset={0} style={behind} aria-hidden="true">
      {moving ? <Clip paused={paused} /> : <img className={classes.picture} src={STILL} alt="" />}
    </Box>
  );
}

function Clip({ paused }: Pick<BackdropProps, 'paused'>) {
  const video = useRef<HTMLVideoElement>(null);
  // The questions come first: the clip is loaded when the page has become quiet.
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenQuiet(() => setWanted(true)), []);
  useEffect(() => {
    const clip = video.current;
    if (!clip || !wanted) return undefined;
    const run = (): void => {
      // A browser that refuses to play by itself leaves the still picture.
      if (paused || document.hidden) clip.pause();
      else void clip.play().catch(() => undefined);
    };
    run();
    document.addEventListener('visibilitychange', run);
    return () => document.removeEventListener('visibilitychange', run);
  }, [paused, wanted]);
  return (
    <video
      ref={video}
      className={classes.picture}
      poster={STILL}
      {...(wanted ? { src: '/demo/engram-backdrop.webm' } : {})}
      preload="none"
      tabIndex={-1}
      loop
      muted
      playsInline
      disablePictureInPicture
    />
  );
}
