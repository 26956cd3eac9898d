import { useEffect, useEffectEvent, useRef } from 'react';
import WaveSurfer from 'wavesurfer.js';
import classes from './sound-player.module.css';

const HEIGHT = 35;
/** Samples a second: enough for a drawing of this size. */
const SAMPLE_RATE = 8000;

const SCHEME = 'data-mantine-color-scheme';

/** A canvas cannot use CSS variables. */
function themeColors(): { waveColor: string; progressColor: string } {
  const style = getComputedStyle(document.documentElement);
  return {
    waveColor: style.getPropertyValue('--eg-accent-line'),
    progressColor: style.getPropertyValue('--eg-accent'),
  };
}

const decode = async (recording: Blob): Promise<AudioBuffer> =>
  new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(await recording.arrayBuffer());

interface WaveformProps {
  media: HTMLMediaElement;
  recording: Blob;
  onDrawn: () => void;
}

export default function Waveform({ media, recording, onDrawn }: WaveformProps) {
  const box = useRef<HTMLDivElement>(null);
  const onDrawnEvent = useEffectEvent(onDrawn);
  useEffect(() => {
    let waveform: WaveSurfer | null = null;
    let isUnmounted = false;
    const draw = async (): Promise<void> => {
      const sound = await decode(recording);
      if (isUnmounted || !box.current) return;
      waveform = WaveSurfer.create({
        container: box.current,
        media,
        peaks: [sound.getChannelData(0)],
        duration: sound.duration,
        height: HEIGHT,
        barWidth: 2,
        barGap: 3,
        barRadius: 2,
        barMinHeight: 3,
        cursorWidth: 0,
        normalize: true,
        interact: false,
        hideScrollbar: true,
        ...themeColors(),
      });
      waveform.once('redrawcomplete', () => onDrawnEvent());
    };
    // A sound that cannot be drawn still plays, with the plain line.
    draw().catch(() => undefined);
    const scheme = new MutationObserver(() => waveform?.setOptions(themeColors()));
    scheme.observe(document.documentElement, { attributeFilter: [SCHEME] });
    return () => {
      isUnmounted = true;
      scheme.disconnect();
      waveform?.destroy();
    };
  }, [media, recording]);
  return <div ref={box} className={classes.waveform} aria-hidden="true" />;
}
