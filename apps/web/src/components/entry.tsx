import { UnstyledButton } from '@mantine/core';
import classes from './entry.module.css';

/** An entry of a list of ways, a button or a link: `aria-current` marks where somebody is. */
export const Entry = UnstyledButton.withProps({ className: classes.entry ?? '' });
