import { Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { AskedQuestion } from '../../../components/example-answer.tsx';

interface Row {
  name: string;
  note: string;
  tone?: 'success' | 'accent' | 'danger';
}

const Rows = ({ rows }: { rows: readonly Row[] }) =>
  rows.map(({ name, note, tone }, index) => (
    <Group
      key={name}
      justify="space-between"
      gap={12}
      py={10}
      wrap="nowrap"
      style={index > 0 ? { borderTop: '1px solid var(--eg-line)' } : {}}
    >
      <Text fz={13.5} fw={550} truncate>
        {name}
      </Text>
      <Text
        flex="none"
        fz={12.5}
        c={tone ? `var(--eg-${tone})` : 'var(--eg-ink-2)'}
        {...(tone && { px: 8, bg: `var(--eg-${tone}-soft)`, bdrs: 6 })}
      >
        {note}
      </Text>
    </Group>
  ));

const Line = ({ width, color, share = 0 }: { width: string; color: string; share?: number }) => (
  <svg width={width} height="6" style={{ display: 'block', borderRadius: 3 }}>
    <rect width="100%" height="6" fill={color} />
    <rect width={`${share}%`} height="6" rx="3" fill="var(--eg-accent)" />
  </svg>
);

export const FilesPicture = () => (
  <Rows
    rows={[
      { name: 'Lease.pdf', note: 'Ready', tone: 'success' },
      { name: 'Household.xlsx', note: 'Ready', tone: 'success' },
      { name: 'Letter, scanned.png', note: 'Page 3 of 5', tone: 'accent' },
      { name: 'Statement.pdf', note: 'Password-protected', tone: 'danger' },
      { name: 'Kick-off.pptx', note: 'Ready', tone: 'success' },
    ]}
  />
);

export const StatesPicture = () => (
  <>
    <Rows rows={[{ name: 'Archive 2019.zip', note: '64 %' }]} />
    <Line width="100%" color="var(--eg-line)" share={64} />
    <Text pt={10} fz={12.5} c="dimmed">
      214 files in it, 137 read
    </Text>
  </>
);

// Each in its own scheme, whatever the page's is.
const schemes = [
  { name: 'Light', ground: '#fbfbfc', ink: '#17171c', line: '#dcdcde', border: '#e8e8ec' },
  { name: 'Dark', ground: '#0f0f12', ink: '#ededf0', line: '#333336', border: '#27272d' },
];

export const SchemesPicture = () => (
  <SimpleGrid cols={2} spacing={12}>
    {schemes.map(({ name, ground, ink, line, border }) => (
      <Stack key={name} gap={8} p={14} bg={ground} c={ink} bd={`1px solid ${border}`} bdrs={10}>
        <Text fz={13} fw={600}>
          {name}
        </Text>
        <Line width="100%" color={line} />
        <Line width="62%" color={line} />
      </Stack>
    ))}
  </SimpleGrid>
);

export const DeletionPicture = () => (
  <Stack gap={0} fz={13.5}>
    <AskedQuestion>What does the old contract say about fees?</AskedQuestion>
    <Text py={12} fz={13.5} fs="italic" c="dimmed">
      Removed: the file was deleted.
    </Text>
    <Rows
      rows={[
        { name: 'Who can read your files', note: 'You' },
        { name: 'A link ends after', note: '15 minutes' },
      ]}
    />
  </Stack>
);

export const CallPicture = () => (
  <Code block bg="none" p={0} style={{ whiteSpace: 'pre-wrap' }}>
    {'POST /v1/search\n{ "text": "When is the boiler due?" }\n'}
    <Text span inherit c="indigo">
      {'"found": [{ "fileName": "Boiler.pdf",\n  "text": "Next service: May 2028." }]'}
    </Text>
  </Code>
);
