import { Text } from '@mantine/core';
import {
  IconArrowsHorizontal,
  IconChevronDown,
  IconChevronUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { IconButton } from '../../../components/icon-button.tsx';
import type { Zoom } from '../use-zoom.ts';

interface StepperProps {
  /** What is stepped through: 'page', 'slide'. */
  noun: string;
  /** Counted from 1. */
  current: number;
  total: number;
  onGo: (to: number) => void;
}

/** '3 of 12' between a button to the one before and one to the next. */
export function Stepper({ noun, current, total, onGo }: StepperProps) {
  return (
    <>
      <IconButton
        label={`Previous ${noun}`}
        icon={IconChevronUp}
        disabled={current <= 1}
        onClick={() => onGo(current - 1)}
      />
      <Text component="output" miw={58} size="sm" ta="center" c="dimmed">
        <span className="eg-visually-hidden">{noun} </span>
        {current} of {total}
      </Text>
      <IconButton
        label={`Next ${noun}`}
        icon={IconChevronDown}
        disabled={current >= total}
        onClick={() => onGo(current + 1)}
      />
    </>
  );
}

/** Smaller, as wide as the window, larger. */
export function ZoomTools({ zoom }: { zoom: Zoom }) {
  return (
    <>
      <IconButton
        label="Zoom out"
        icon={IconZoomOut}
        disabled={!zoom.canShrink}
        onClick={() => zoom.change(-1)}
      />
      <IconButton
        label="Fit width"
        icon={IconArrowsHorizontal}
        disabled={zoom.fits}
        onClick={zoom.fit}
      />
      <IconButton
        label="Zoom in"
        icon={IconZoomIn}
        disabled={!zoom.canGrow}
        onClick={() => zoom.change(1)}
      />
    </>
  );
}
