import {
  IconBrandBluesky,
  IconBrandDiscord,
  IconBrandFacebook,
  IconBrandGithub,
  IconBrandGitlab,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandMastodon,
  IconBrandMedium,
  IconBrandReddit,
  IconBrandTelegram,
  IconBrandThreads,
  IconBrandTiktok,
  IconBrandWhatsapp,
  IconBrandX,
  IconBrandYoutube,
  type Icon,
} from '@tabler/icons-react';
import { Button, Group } from '@mantine/core';
import type { AppSettings } from '../../../api/settings.ts';

const icons: Record<string, Icon> = {
  bluesky: IconBrandBluesky,
  discord: IconBrandDiscord,
  facebook: IconBrandFacebook,
  github: IconBrandGithub,
  gitlab: IconBrandGitlab,
  instagram: IconBrandInstagram,
  linkedin: IconBrandLinkedin,
  mastodon: IconBrandMastodon,
  medium: IconBrandMedium,
  reddit: IconBrandReddit,
  telegram: IconBrandTelegram,
  threads: IconBrandThreads,
  tiktok: IconBrandTiktok,
  twitter: IconBrandX,
  whatsapp: IconBrandWhatsapp,
  x: IconBrandX,
  youtube: IconBrandYoutube,
};

/** The network's own icon, by the name that the server's settings give it. */
const iconOf = (name: string): Icon | undefined =>
  icons[name.toLowerCase().replaceAll(/[^a-z]/gu, '')];

/** Where else the people behind this server are found; a network without an icon shows its name. */
export function SocialLinks({ links }: { links: AppSettings['socialLinks'] }) {
  return (
    // Its icons stand in line with the text, not the room around them.
    <Group component="ul" gap={4} mx={-8} my={0} p={0} aria-label="Social links">
      {links.map(({ name, url }) => {
        const NetworkIcon = iconOf(name);
        return (
          <li key={url} style={{ listStyle: 'none' }}>
            <Button
              component="a"
              variant="subtle"
              color="gray"
              px={8}
              href={url}
              target="_blank"
              rel="noreferrer"
              title={name}
            >
              {NetworkIcon && <NetworkIcon size={19} stroke={1.6} aria-hidden="true" />}
              <span className={NetworkIcon ? 'eg-visually-hidden' : undefined}>{name}</span>
            </Button>
          </li>
        );
      })}
    </Group>
  );
}
