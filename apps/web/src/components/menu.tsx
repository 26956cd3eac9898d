import { ActionIcon, Menu as MantineMenu, type MenuProps as MantineMenuProps } from '@mantine/core';
import { IconDots, type Icon } from '@tabler/icons-react';
import { Fragment, type ReactElement } from 'react';

/** One thing that can be done: by a call, or by a link out of the app. */
export interface MenuEntry {
  icon: Icon;
  label: string;
  onClick?: () => void;
  href?: string;
  /** The name that what the link leads to is saved under; without it, it opens in a new tab. */
  download?: string;
  /** What cannot be taken back. */
  tone?: 'danger';
  disabled?: boolean;
}

interface MenuProps extends Omit<MantineMenuProps, 'children'> {
  /** Names the button. */
  label: string;
  /** What can be done, in groups with a line between them. */
  groups: readonly (readonly (MenuEntry | false)[])[];
  /** Stands in for the button with the dots. */
  button?: ReactElement;
}

const linkTo = (href: string, download: string | undefined) =>
  ({
    component: 'a',
    href,
    ...(download === undefined ? { target: '_blank', rel: 'noopener noreferrer' } : { download }),
  }) as const;

/** A button with three dots, and behind it what else can be done. */
export function Menu({ label, groups, button, ...menu }: MenuProps) {
  return (
    <MantineMenu position="bottom-end" {...menu}>
      <MantineMenu.Target>
        {button ?? (
          <ActionIcon variant="subtle" color="gray" size="var(--eg-control)" aria-label={label}>
            <IconDots size={18} stroke={1.8} />
          </ActionIcon>
        )}
      </MantineMenu.Target>
      <MantineMenu.Dropdown>
        {groups.map((entries, number) => (
          // Groups never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={number}>
            {number > 0 && <MantineMenu.Divider />}
            {entries
              .filter((entry) => entry !== false)
              .map(({ icon: EntryIcon, label: entry, href, download, tone, ...item }) => (
                <MantineMenu.Item
                  key={entry}
                  leftSection={<EntryIcon size={16} />}
                  {...(tone ? { color: 'var(--eg-danger)' } : {})}
                  {...(href === undefined ? {} : linkTo(href, download))}
                  {...item}
                >
                  {entry}
                </MantineMenu.Item>
              ))}
          </Fragment>
        ))}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}
