import { Group, Text } from '@mantine/core';
import {
  IconArrowsHorizontal,
  IconChevronDown,
  IconChevronUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { IconButton } from '../../../components/icon-button.tsx';
import {
  useCallback,
  useState,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type ReactNode,
  type Ref,
} from 'react';
import classes from './viewer.module.css';

export const Toolbar = ({ start, children }: { start: ReactNode; children?: ReactNode }) => (
  <div className={classes.toolbar}>
    {start}
    {children && (
      <Group ml="auto" gap={0} wrap="nowrap">
        {children}
      </Group>
    )}
  </div>
);

interface StepperProps {
  noun: string;
  current: number;
  total: number;
  onGo: (to: number) => void;
}

export const Stepper = ({ noun, current, total, onGo }: StepperProps) => (
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

export const ZoomTools = ({ zoom }: { zoom: Zoom }) => (
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

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;
const FIT_WIDTH = 2;

type Zoom = ReturnType<typeof useZoom>;

export function useZoom() {
  const [step, setStep] = useState(FIT_WIDTH);
  const growTo = useCallback((factor: number) => {
    const target = ZOOMS.findIndex((zoom) => zoom >= factor);
    setStep((current) => Math.max(current, target === -1 ? ZOOMS.length - 1 : target));
  }, []);
  return {
    factor: ZOOMS[step] ?? 1,
    fits: step === FIT_WIDTH,
    canShrink: step > 0,
    canGrow: step < ZOOMS.length - 1,
    change: (steps: number) =>
      setStep((current) => Math.min(Math.max(current + steps, 0), ZOOMS.length - 1)),
    fit: () => setStep(FIT_WIDTH),
    growTo,
  };
}

type Keys = Record<string, () => void>;

export const zoomKeys = (zoom: Zoom): Keys => ({
  '+': () => zoom.change(1),
  '=': () => zoom.change(1),
  '-': () => zoom.change(-1),
  '0': zoom.fit,
});

/** Handles single keys. Keys with Ctrl, Alt or Meta are left to the browser. */
export const onKeys =
  (keys: Keys) =>
  (event: KeyboardEvent): void => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

interface PageAreaProps {
  label: string;
  ref: Ref<HTMLElement>;
  onKeyDown: KeyboardEventHandler;
  children: ReactNode;
}

export const PageArea = ({ label, ref, onKeyDown, children }: PageAreaProps) => (
  <section
    ref={ref}
    className={`${classes.scroller} ${classes.pageArea}`}
    aria-label={label}
    tabIndex={0}
    onKeyDown={onKeyDown}
  >
    {children}
  </section>
);
