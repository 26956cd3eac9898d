import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArrowsHorizontal,
  IconChevronDown,
  IconChevronUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import type { Zoom } from '../use-zoom.ts';
import classes from './viewer.module.css';

interface ToolButtonProps {
  label: string;
  icon: typeof IconZoomIn;
  disabled?: boolean;
  onClick: () => void;
}

/** A button that shows an icon only. */
export function ToolButton({ label, icon: Icon, disabled = false, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="var(--eg-control)"
        aria-label={label}
        disabled={disabled}
        {...(disabled ? { bg: 'transparent' } : {})}
        onClick={onClick}
      >
        <Icon size={18} stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}

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
      <ToolButton
        label={`Previous ${noun}`}
        icon={IconChevronUp}
        disabled={current <= 1}
        onClick={() => onGo(current - 1)}
      />
      <output className={classes.position}>
        <span className="eg-visually-hidden">{noun} </span>
        {current} of {total}
      </output>
      <ToolButton
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
      <ToolButton
        label="Zoom out"
        icon={IconZoomOut}
        disabled={!zoom.canShrink}
        onClick={() => zoom.change(-1)}
      />
      <ToolButton
        label="Fit width"
        icon={IconArrowsHorizontal}
        disabled={zoom.fits}
        onClick={zoom.fit}
      />
      <ToolButton
        label="Zoom in"
        icon={IconZoomIn}
        disabled={!zoom.canGrow}
        onClick={() => zoom.change(1)}
      />
    </>
  );
}
