import { ActionIcon, Menu as MantineMenu, type MenuProps as MantineMenuProps } from '@mantine/core';
import { IconDots, type Icon } from '@tabler/icons-react';
import { Fragment, type ReactElement } from 'react';

interface MenuEntry {
  icon: Icon;
  label: string;
  onClick?: () => void;
  href?: string;
  /** The file name for downloading the link's target. Without it the link opens in a new tab. */
  download?: string;
  tone?: 'danger';
  disabled?: boolean;
}

interface MenuProps extends Omit<MantineMenuProps, 'children'> {
  label: string;
  groups: readonly (readonly (MenuEntry | false)[])[];
  button?: ReactElement;
}

const linkTo = (href: string, download: string | undefined) =>
  ({
    component: 'a',
    href,
    ...(download === undefined ? { target: '_blank', rel: 'noopener noreferrer' } : { download }),
  }) as const;

export function Menu({ label, groups, button, ...menu }: MenuProps) {
  const shown = groups.map((entries) => entries.filter((entry) => entry !== false));
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
        {shown.map((entries, number) => (
          <Fragment key={entries[0]?.label}>
            {number > 0 && <MantineMenu.Divider />}
            {entries.map(({ icon: EntryIcon, label: entry, href, download, tone, ...item }) => (
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
