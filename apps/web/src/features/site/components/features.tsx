import { Box, Button, Flex, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExampleAnswer } from '../../../components/example-answer.tsx';
import { Points } from '../../../components/prose.tsx';
import { AutomationPicture, FormatsPicture, PrivacyPicture } from './feature-pictures.tsx';

const features: readonly { name: string; text: string; points: string[]; picture: ReactNode }[] = [
  {
    name: 'AI Automation',
    text: 'Drop in what you have and go on with your day. Each file is read, recognised, cut into passages and indexed by itself.',
    points: [
      'Scanned pages and pictures become text on the server itself.',
      'Questions are recommended only where their place in your files is found again.',
      'Every file ends ready, or failed with a reason and a button to try again.',
    ],
    picture: <AutomationPicture />,
  },
  {
    name: 'Smart Retrieval',
    text: 'Ask in your own words and read the passages that say it, not a list of files. With a language model, the answer is written from them.',
    points: [
      'Each passage opens its file at the page, slide, row, line or second.',
      'Names of files, dates and misspelt words are understood; a follow-up knows what it follows.',
      'When your files do not say, it says so.',
    ],
    picture: <ExampleAnswer />,
  },
  {
    name: 'Multi-Format Support',
    text: 'One question goes through all of it, whatever program it was made with.',
    points: [
      'PDF, Word, Excel, PowerPoint, OpenDocument, books, mail, calendars, contacts, web pages, pictures, scans, and archives of all these.',
      'Recordings and videos by their names, and by what is said in them where speech recognition is set up.',
      'Shown where they stand: pages, slides, tables, pictures and players open in the app.',
    ],
    picture: <FormatsPicture />,
  },
  {
    name: 'Privacy-Focused',
    text: 'Engram runs as one program on a machine that you or somebody you trust looks after.',
    points: [
      'As it comes, nothing leaves that machine: it reads, searches and answers there.',
      'Deleting deletes: from the next answer, from earlier ones, and then from the disk.',
      'Export everything as one zip, whenever you like. No tracking, no advertising.',
    ],
    picture: <PrivacyPicture />,
  },
];

/** What Engram does, in four parts. */
export function Features() {
  return (
    <>
      {features.map(({ name, text, points, picture }, index) => (
        <Flex
          key={name}
          component="section"
          wrap="wrap"
          align="center"
          direction={index % 2 === 0 ? 'row' : 'row-reverse'}
          gap="24px 72px"
          py={32}
        >
          <Box flex="1 1 min(380px, 100%)" miw={0}>
            <Title order={2} fz="clamp(21px, 2.4vw, 27px)" lts="-0.025em">
              {name}
            </Title>
            <Text maw="56ch" mt={10} fz={16} lh={1.6} c="dimmed">
              {text}
            </Text>
            <Points>{points}</Points>
          </Box>
          <Paper
            withBorder
            flex="1 1 min(380px, 100%)"
            miw={0}
            radius={16}
            p="clamp(16px, 3vw, 32px)"
            mih={240}
            display="grid"
            style={{ alignContent: 'center' }}
            aria-hidden="true"
          >
            {picture}
          </Paper>
        </Flex>
      ))}
      <Group gap={8} mt={40}>
        <Button component={Link} to={paths.search} size="md">
          Ask your files
        </Button>
        <Button component={Link} to={paths.faq} size="md" variant="default">
          Read the FAQs
        </Button>
      </Group>
    </>
  );
}
