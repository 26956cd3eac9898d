import { Anchor, Box, Code, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { IconMail, IconMapPin, IconPhone, type Icon } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { mapFrame, mapLink, phoneLink } from '../map-links.ts';
import { LettersPicture } from './letters-picture.tsx';

interface Way {
  icon: Icon;
  label: string;
  text: string;
  href: string;
  /** Opened beside this page. */
  away?: boolean;
}

function useWays(): Way[] {
  const { contactAddress, contactEmail, contactPhone, contactPosition } = useAppSettings();
  const map = mapLink(contactPosition, contactAddress);
  return [
    contactEmail && {
      icon: IconMail,
      label: 'E-mail',
      text: contactEmail,
      href: `mailto:${contactEmail}`,
    },
    contactPhone && {
      icon: IconPhone,
      label: 'Phone',
      text: contactPhone,
      href: phoneLink(contactPhone),
    },
    map && {
      icon: IconMapPin,
      label: 'Address',
      text: contactAddress ?? 'Show on the map',
      href: map,
      away: true,
    },
  ].filter((way) => way !== null && way !== '');
}

/** How to reach whoever runs this server, as far as they have said so. */
export function Contact() {
  const ways = useWays();
  const { contactPosition } = useAppSettings();
  return (
    <>
      <Group gap="32px 72px">
        <Box flex="1 1 320px" miw={0}>
          {ways.length > 0 ? <Ways ways={ways} /> : <NoWays />}
          <Text maw="60ch" mt={20} lh={1.65} c="dimmed">
            Many questions are answered in the{' '}
            <Anchor component={Link} underline="always" to={paths.faq}>
              FAQs
            </Anchor>
            ; what becomes of your data stands in the{' '}
            <Anchor component={Link} underline="always" to={paths.privacy}>
              Privacy Policy
            </Anchor>
            .
          </Text>
        </Box>
        <Box flex="0 1 420px">
          <LettersPicture />
        </Box>
      </Group>
      {contactPosition && (
        <Box
          component="iframe"
          w="100%"
          h={360}
          mt={32}
          bd="1px solid var(--eg-line)"
          bdrs={16}
          title="Map of the address, by OpenStreetMap"
          src={mapFrame(contactPosition)}
          loading="lazy"
          referrerPolicy="no-referrer"
          // It keeps its own origin, which is not this one's: without any, its requests for tiles would
          // name no page, and be refused.
          // oxlint-disable-next-line react/iframe-missing-sandbox
          sandbox="allow-scripts allow-popups allow-same-origin"
        />
      )}
    </>
  );
}

const Ways = ({ ways }: { ways: readonly Way[] }) => (
  <ul>
    {ways.map(({ icon: WayIcon, label, text, href, away }) => (
      <li key={label}>
        <Anchor c="inherit" href={href} {...(away ? { target: '_blank', rel: 'noreferrer' } : {})}>
          <Group gap={16} py={16} wrap="nowrap">
            <ThemeIcon variant="light" size={44} radius={13} aria-hidden="true">
              <WayIcon size={20} stroke={1.6} />
            </ThemeIcon>
            <span>
              <Text span fz={13} c="dimmed" display="block">
                {label}
              </Text>{' '}
              <Text span fw={600}>
                {text}
              </Text>
            </span>
          </Group>
        </Anchor>
      </li>
    ))}
  </ul>
);

const NoWays = () => (
  <Paper component="p" withBorder radius={14} px={18} py={16} maw="60ch" lh={1.65} c="dimmed">
    Whoever runs this server has not said how to reach them here. Ask the person who gave you its
    address. If that is you: <Code>ENGRAM_CONTACT_EMAIL</Code>, <Code>ENGRAM_CONTACT_PHONE</Code>{' '}
    and <Code>ENGRAM_CONTACT_ADDRESS</Code> are the settings that this page shows.
  </Paper>
);
