import type { Icon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Link, type To } from 'react-router';
import classes from './icon-button.module.css';

interface IconButtonProps extends ComponentProps<'button'> {
  icon: Icon;
  label: string;
  busy?: boolean;
}

/** A button that shows an icon only. Its name is its tooltip too. */
export function IconButton({ icon: ButtonIcon, label, busy = false, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      className={classes.button}
      type="button"
      aria-label={label}
      aria-busy={busy || undefined}
      title={label}
      disabled={busy}
    >
      <ButtonIcon size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

/** A link of the same look. */
export const IconLink = ({ to, icon: LinkIcon, label }: { to: To; icon: Icon; label: string }) => (
  <Link className={classes.button} to={to} aria-label={label} title={label}>
    <LinkIcon size={18} stroke={1.7} aria-hidden="true" />
  </Link>
);
