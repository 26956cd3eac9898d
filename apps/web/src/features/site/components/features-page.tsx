import { Box, Button, Flex, Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { AppText, sectionsOf } from '../../../components/app-text.tsx';
import { ExampleAnswer } from '../../../components/example-answer.tsx';
import ExamplePicture from '../../../components/example-pictures.tsx';
import { Prose } from '../../../components/prose.tsx';
import markdown from '../features.md?raw';
import { Page } from '../../../components/page.tsx';

const pictures: Record<string, ReactNode> = {
  automation: <ExamplePicture of="automation" />,
  retrieval: <ExampleAnswer />,
  formats: <ExamplePicture of="formats" />,
  privacy: <ExamplePicture of="privacy" />,
};

export default function FeaturesPage() {
  return (
    <Page
      title="Our Features"
      lead="All your files in one place that answers your questions and cites the page."
      width="site"
    >
      {sectionsOf(markdown, '# ').map(({ title, id, body }, index) => (
        <Flex
          key={id}
          component="section"
          wrap="wrap"
          align="center"
          direction={index % 2 === 0 ? 'row' : 'row-reverse'}
          gap="24px 72px"
          py={32}
        >
          <Box flex="1 1 min(380px, 100%)" miw={0}>
            <Title order={2} mb={10} fz="clamp(21px, 2.4vw, 27px)" lts="-0.025em">
              {title}
            </Title>
            <Prose maw="60ch">
              <AppText>{body}</AppText>
            </Prose>
          </Box>
          <Paper
            flex="1 1 min(380px, 100%)"
            miw={0}
            radius={16}
            p="clamp(16px, 3vw, 32px)"
            mih={240}
            display="grid"
            style={{ alignContent: 'center' }}
            aria-hidden="true"
          >
            {pictures[id]}
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
    </Page>
  );
}
