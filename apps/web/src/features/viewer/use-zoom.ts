import { useCallback, useState, type KeyboardEvent } from 'react';

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;
const FIT_WIDTH = 2;

export interface Zoom {
  /** Times the width of the window. */
  factor: number;
  fits: boolean;
  canShrink: boolean;
  canGrow: boolean;
  change: (by: number) => void;
  fit: () => void;
  /** Grows to at least this many times the window's width, as far as it can. */
  growTo: (factor: number) => void;
}

/** How large a page or a picture is shown. */
export function useZoom(): Zoom {
  const [step, setStep] = useState(FIT_WIDTH);
  const growTo = useCallback((factor: number) => {
    const wanted = ZOOMS.findIndex((zoom) => zoom >= factor);
    setStep((now) => Math.max(now, wanted === -1 ? ZOOMS.length - 1 : wanted));
  }, []);
  return {
    factor: ZOOMS[step] ?? 1,
    fits: step === FIT_WIDTH,
    canShrink: step > 0,
    canGrow: step < ZOOMS.length - 1,
    change: (by) => setStep((now) => Math.min(Math.max(now + by, 0), ZOOMS.length - 1)),
    fit: () => setStep(FIT_WIDTH),
    growTo,
  };
}

type Keys = Record<string, () => void>;

/** The keys that do what the zoom's buttons do. */
export const zoomKeys = (zoom: Zoom): Keys => ({
  '+': () => zoom.change(1),
  '=': () => zoom.change(1),
  '-': () => zoom.change(-1),
  '0': zoom.fit,
});

/** Answers single keys; with Ctrl, Alt or Meta they stay the browser's. */
export const onKeys =
  (keys: Keys) =>
  (event: KeyboardEvent): void => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
