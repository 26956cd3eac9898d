import { Anchor, Box, Button, Group, Paper, Text, Title, ActionIcon } from '@mantine/core';
import { IconArrowsLeftRight, IconFolder, IconArrowUp, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { scrollToTop } from '../../../browser/motion.ts';
import { useHasArtifacts, useSignedIn } from '../../../session/session.ts';
import { paths } from '../../../app/paths.ts';
import { Soon } from '../../../components/tag.tsx';
import classes from './landing.module.css';
import { QUESTION_LIMIT } from '@engram/contract/browser';
import { ExampleAnswer } from '../../../components/example-answer.tsx';

const card = { radius: 18, p: 'clamp(24px, 4vw, 48px)' } as const;

const reasons = [
  {
    title: 'Answers you can check',
    text: 'Your files are quoted word for word, and each quote opens its file at that place.',
  },
  {
    title: 'Honest when it does not know',
    text: 'When your files do not say, Engram says so. It makes nothing up.',
  },
  {
    title: 'One command, one machine',
    text: 'No key, no container and no other account is needed. You can choose the model.',
  },
];

export const About = () => (
  <section aria-labelledby="about-heading">
    <h2 id="about-heading" className={classes.heading}>
      About Engram
    </h2>
    <p className={classes.lead}>
      An engram is the trace that a memory leaves. What you need to know is mostly written down
      already: in a contract, a table, a letter, a recording. Engram reads it once, remembers where
      it is, and finds it again when you ask.
    </p>
    <Group component="ul" align="flex-start" gap="24px 40px" mt={32}>
      {reasons.map(({ title, text }) => (
        <Text component="li" key={title} flex="1 1 260px" c="dimmed">
          <Title order={3} mb={6} c="var(--eg-ink)">
            {title}
          </Title>
          {text}
        </Text>
      ))}
    </Group>
  </section>
);

const SyncEnd = ({ children }: { children: ReactNode }) => (
  <Group gap={10} px={16} py={12} wrap="nowrap" bd="1px dashed var(--eg-line-strong)" bdrs={12}>
    {children}
  </Group>
);

/** How folders stay in sync. The heading keeps the words 'Coming Soon' of the specification. */
export const Connectors = () => (
  <Paper component="section" {...card} aria-labelledby="connectors-heading">
    <Group justify="space-between" gap="28px 56px">
      <Box flex="1 1 320px">
        <Group component="h2" id="connectors-heading" gap={14} className={classes.heading ?? ''}>
          Connectors <Soon />
        </Group>
        <p className={classes.lead}>
          <Anchor component={Link} to={paths.connector} inherit underline="always">
            The Connector for your desktop
          </Anchor>{' '}
          syncs folders of your computer with Engram. Connectors for other services are planned.
        </p>
      </Box>
      <Group gap={14} wrap="nowrap" fz={14} fw={550} c="dimmed" aria-hidden="true">
        <SyncEnd>
          <IconFolder size={20} stroke={1.6} />
          Documents
        </SyncEnd>
        <IconArrowsLeftRight size={20} stroke={1.6} color="var(--eg-ink-faint)" />
        <SyncEnd>
          <Text span w={18} h={18} bd="5px solid var(--eg-accent)" bdrs={6} />
          Engram
        </SyncEnd>
      </Group>
    </Group>
  </Paper>
);

export function TryIt() {
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const hasArtifacts = useHasArtifacts();
  const tryIt = (): void => {
    if (!signedIn) void navigate(paths.login);
    else if (hasArtifacts) void navigate(paths.search);
    else scrollToTop();
  };
  return (
    <Paper
      component="section"
      {...card}
      className={classes.last}
      bg="radial-gradient(140% 160% at 0% 0%, #7a6af6, #5746d9 35%, #231a6b)"
      c="white"
      aria-labelledby="try-heading"
    >
      <Group justify="space-between" gap="28px 56px">
        <Box flex="1 1 320px">
          <h2 id="try-heading" className={classes.heading}>
            Ask your AI Brain anything
          </h2>
          <Text mt={12} fz={16}>
            Upload a file, and ask about it a few seconds later.
          </Text>
        </Box>
        {/* White in both schemes, as its card is dark in both. */}
        <Button variant="white" color="#4837c4" size="md" h={48} miw={128} fw={650} onClick={tryIt}>
          TRY
        </Button>
      </Group>
    </Paper>
  );
}

const AskField = ({ onAsk }: { onAsk: (question: string) => void }) => (
  <form
    className={`eg-ask ${classes.ask}`}
    onSubmit={(event) => {
      event.preventDefault();
      const question = new FormData(event.currentTarget).get('question');
      if (typeof question === 'string' && question.trim() !== '') onAsk(question.trim());
    }}
  >
    <input
      name="question"
      maxLength={QUESTION_LIMIT}
      placeholder="Ask your AI Brain anything…"
      aria-label="Ask your AI Brain anything"
      autoComplete="off"
    />
    <ActionIcon type="submit" size={34} aria-label="Ask">
      <IconArrowUp size={18} stroke={2.2} />
    </ActionIcon>
  </form>
);

export function Hero() {
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const searchable = useHasArtifacts();
  const upload = (): void => (signedIn ? uploadPanel.set(true) : void navigate(paths.login));
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.banner} data-page-heading tabIndex={-1}>
          <span>Your Data.</span> <span>Your AI.</span> <span>Your Brain.</span>{' '}
          <span>Your Way!</span>
        </h1>
        <p className={classes.lead}>
          Keep your files and notes in one place, ask in your own words, and get the answer with the
          page it comes from.
        </p>
        {searchable && (
          <AskField onAsk={(ask) => void navigate(paths.search, { state: { ask } })} />
        )}
        <Group gap={12} mt={searchable ? 12 : 28}>
          <Button size="md" h={46} fz={15} onClick={upload}>
            UPLOAD FILES
          </Button>
          {searchable && (
            <Button
              component={Link}
              to={paths.search}
              variant="default"
              size="md"
              h={46}
              fz={15}
              leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
            >
              Search...
            </Button>
          )}
        </Group>
        {signedIn && (
          <Text mt={12} size="sm" c="dimmed" visibleFrom="sm">
            Or drop files anywhere on this page.
          </Text>
        )}
      </div>
      <Paper
        radius={16}
        p="clamp(18px, 2.2vw, 28px)"
        shadow="0 24px 60px -32px rgb(35 26 107 / 22%)"
      >
        <ExampleAnswer />
      </Paper>
    </section>
  );
}
