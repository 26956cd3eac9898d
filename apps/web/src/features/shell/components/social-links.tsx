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

const iconOf = (name: string): Icon | undefined =>
  icons[name.toLowerCase().replaceAll(/[^a-z]/gu, '')];

export default function SocialLinks({ links }: { links: AppSettings['socialLinks'] }) {
  return (
    // Aligns the icons, not their padding, with the text.
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
