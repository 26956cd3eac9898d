import { Anchor, Box, Code, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { IconMail, IconMapPin, IconPhone, type Icon } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useAppSettings, type AppSettings } from '../../../api/settings.ts';
import { Page } from '../../../components/page.tsx';
import letters from '../letters.svg?no-inline';

type Position = NonNullable<AppSettings['contactPosition']>;

const MAP = 'https://www.openstreetmap.org';

/** The map at a position or an address; null if there is neither. */
function mapLink(position: Position | null, address: string | null): string | null {
  if (position) {
    const { latitude, longitude } = position;
    return `${MAP}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  }
  return address && `${MAP}/search?query=${encodeURIComponent(address)}`;
}

/** The map shows this many degrees to each side, about a kilometer to the north. */
const EXTENT = 0.008;

const formatDegrees = (limit: number, value: number): string =>
  Math.min(limit, Math.max(-limit, value)).toFixed(5);

function mapFrame({ latitude, longitude }: Position): string {
  // Degrees of longitude become shorter away from the equator.
  const width = (2 * EXTENT) / Math.max(Math.cos((latitude * Math.PI) / 180), 0.05);
  const box = [
    formatDegrees(180, longitude - width),
    formatDegrees(90, latitude - EXTENT),
    formatDegrees(180, longitude + width),
    formatDegrees(90, latitude + EXTENT),
  ].join(',');
  const marker = `${latitude},${longitude}`;
  return `${MAP}/export/embed.html?${new URLSearchParams({ bbox: box, layer: 'mapnik', marker })}`;
}

export default function ContactPage() {
  const { contactAddress, contactEmail, contactPhone, contactPosition } = useAppSettings();
  const map = mapLink(contactPosition, contactAddress);
  return (
    <Page title="Contact" lead="Report a problem, or suggest a feature." width="site">
      <Group gap="32px 72px">
        <Box flex="1 1 320px" miw={0}>
          {contactEmail || contactPhone || map ? (
            <ul>
              {contactEmail && (
                <ContactLink icon={IconMail} label="E-mail" href={`mailto:${contactEmail}`}>
                  {contactEmail}
                </ContactLink>
              )}
              {contactPhone && (
                <ContactLink
                  icon={IconPhone}
                  label="Phone"
                  href={`tel:${contactPhone.replaceAll(/[^\d+]/gu, '')}`}
                >
                  {contactPhone}
                </ContactLink>
              )}
              {map && (
                <ContactLink icon={IconMapPin} label="Address" href={map} newTab>
                  {contactAddress ?? 'Show on the map'}
                </ContactLink>
              )}
            </ul>
          ) : (
            <NoContact />
          )}
          <Text maw="60ch" mt={20} lh={1.65} c="dimmed">
            See also the{' '}
            <Anchor component={Link} underline="always" to={paths.faq}>
              FAQs
            </Anchor>{' '}
            and the{' '}
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
          // Without an origin of its own, the frame's requests for map tiles are refused.
          // oxlint-disable-next-line react/iframe-missing-sandbox
          sandbox="allow-scripts allow-popups allow-same-origin"
        />
      )}
    </Page>
  );
}

interface ContactLinkProps {
  icon: Icon;
  label: string;
  href: string;
  newTab?: boolean;
  children: string;
}

const ContactLink = ({
  icon: LinkIcon,
  label,
  href,
  newTab = false,
  children,
}: ContactLinkProps) => (
  <li>
    <Anchor c="inherit" href={href} {...(newTab && { target: '_blank', rel: 'noreferrer' })}>
      <Group gap={16} py={16} wrap="nowrap">
        <ThemeIcon variant="light" size={44} radius={13} aria-hidden="true">
          <LinkIcon size={20} stroke={1.6} />
        </ThemeIcon>
        <span>
          <Text span fz={13} c="dimmed" display="block">
            {label}
          </Text>{' '}
          <Text span fw={600}>
            {children}
          </Text>
        </span>
      </Group>
    </Anchor>
  </li>
);

const NoContact = () => (
  <Paper component="p" radius={14} px={18} py={16} maw="60ch" lh={1.65} c="dimmed">
    The operator of this server has not added contact details. Operators set them with{' '}
    <Code>ENGRAM_CONTACT_EMAIL</Code>, <Code>ENGRAM_CONTACT_PHONE</Code> and{' '}
    <Code>ENGRAM_CONTACT_ADDRESS</Code>.
  </Paper>
);

const LettersPicture = () => (
  <svg width="100%" viewBox="0 0 420 300">
    <title>A note on its way to somebody, and the answer on its way back</title>
    <use href={`${letters}#letters`} />
  </svg>
);
