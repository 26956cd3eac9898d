import type { KeyboardEventHandler, ReactNode, Ref } from 'react';
import classes from './viewer.module.css';

interface DeskProps {
  /** What lies there, to be read out. */
  label: string;
  ref: Ref<HTMLElement>;
  /** Keys that do what the buttons of the toolbar do. */
  onKeyDown: KeyboardEventHandler;
  children: ReactNode;
}

/** The window in which pages and pictures lie; focusable, so that it can be moved by keyboard. */
export function Desk({ label, ref, onKeyDown, children }: DeskProps) {
  return (
    // The keys only do what the buttons above do.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={ref}
      className={`${classes.scroller} ${classes.desk}`}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {children}
    </section>
  );
}
