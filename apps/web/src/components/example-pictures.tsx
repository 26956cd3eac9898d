import { Center, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFileText, IconLock, IconMessageQuestion, IconSearch } from '@tabler/icons-react';
import { FileTypeIcon } from './file-type-icon.tsx';

const stages = [
  { name: 'Letter, scanned.pdf', stage: 'OCR, page 3 of 5', share: 60 },
  { name: 'Household.xlsx', stage: 'Indexing', share: 90 },
  { name: 'Lease.pdf', stage: 'Ready', share: 100 },
];

const AutomationPicture = () => (
  <Stack gap={22}>
    {stages.map(({ name, stage, share }) => (
      <Group key={name} gap={12} align="flex-start" wrap="nowrap">
        <FileTypeIcon fileName={name} />
        <Stack gap={2} flex={1} miw={0}>
          <Text fz={14} fw={600} truncate>
            {name}
          </Text>
          <Text fz={12.5} c="dimmed">
            {stage}
          </Text>
          <Progress
            mt={4}
            size={4}
            value={share}
            color={share === 100 ? 'var(--eg-success)' : 'var(--eg-accent)'}
          />
        </Stack>
      </Group>
    ))}
  </Stack>
);

const formats = [
  'a.pdf',
  'a.docx',
  'a.xlsx',
  'a.pptx',
  'a.csv',
  'a.html',
  'a.json',
  'a.md',
  'a.txt',
  'a.png',
  'a.jpg',
  'a.gif',
  'a.mp3',
  'a.wav',
  'a.mp4',
  'a.zip',
];

const FormatsPicture = () => (
  <SimpleGrid cols={4} spacing={10}>
    {formats.map((name) => (
      <Paper key={name} radius={12} bg="var(--eg-body)">
        <Center mih={56}>
          <FileTypeIcon fileName={name} />
        </Center>
      </Paper>
    ))}
  </SimpleGrid>
);

const parts = [
  { icon: IconFileText, label: 'Files' },
  { icon: IconSearch, label: 'Index' },
  { icon: IconMessageQuestion, label: 'Answers' },
];

const PrivacyPicture = () => (
  <Paper p={20} radius={16} bg="var(--eg-accent-soft)" bd="1px dashed var(--eg-accent-line)">
    <Group gap={8} c="indigo">
      <IconLock size={18} stroke={1.7} />
      <Text fz={14} fw={600}>
        Your server
      </Text>
    </Group>
    <SimpleGrid cols={3} spacing={10} my={18}>
      {parts.map(({ icon: PartIcon, label }) => (
        <Paper key={label} component={Stack} radius={12} py={14} px={4} gap={4} align="center">
          <PartIcon size={22} stroke={1.5} />
          <Text fz={13} fw={550}>
            {label}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
    <Text fz={12.5} c="dimmed">
      By default nothing leaves it
    </Text>
  </Paper>
);

const pictures = {
  automation: <AutomationPicture />,
  formats: <FormatsPicture />,
  privacy: <PrivacyPicture />,
};

interface ExamplePictureProps {
  of: keyof typeof pictures;
}

export default function ExamplePicture({ of }: ExamplePictureProps) {
  return pictures[of];
}
