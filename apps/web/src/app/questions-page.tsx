import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { Backdrop } from '../features/questionnaire/components/backdrop.tsx';
import { Questionnaire } from '../features/questionnaire/components/questionnaire.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { readSession, writeSession } from '../session/session.ts';
import { useMayMove } from '../browser/motion.ts';
import { CardMain } from './card-layout.tsx';
import { paths } from './paths.ts';
import classes from './questions-page.module.css';
import { RequireSession } from './require-session.tsx';

/** The questionnaire after the first sign-in. Skipping it lasts until the next sign-in. */
export default function QuestionsPage() {
  return (
    <RequireSession>
      <Questions />
    </RequireSession>
  );
}

function Questions() {
  useDocumentTitle('Questions');
  const navigate = useNavigate();
  const [paused, setPaused] = useState(false);
  const moving = useMayMove();
  const leave = (): void => {
    writeSession('questionsOpen', 'false');
    const hasFiles = readSession('artifactsExist') === 'true';
    void navigate(hasFiles ? paths.search : paths.home, { replace: true });
  };
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Stack className={classes.page ?? ''} gap={0} mih="100dvh">
      <Backdrop moving={moving} paused={paused} />
      <Group
        component="header"
        py={16}
        px="var(--eg-gutter)"
        gap={16}
        wrap="nowrap"
        justify="space-between"
      >
        <Logo white />
        <Button variant="transparent" color="#ffffff" px={0} onClick={leave}>
          I WILL DO LATER
        </Button>
      </Group>
      <CardMain w="min(560px, 100%)" p={28} bg="var(--eg-raised)" shadow="xl">
        {/* The height of a question with five options, so that the layout does not shift. */}
        <Stack gap={0} mih={438}>
          <Questionnaire onSkip={leave} onDone={leave} />
        </Stack>
      </CardMain>
      {moving && (
        <ActionIcon
          variant="subtle"
          color="#ffffff"
          m="0 calc(var(--eg-gutter) - 10px) 12px auto"
          size="var(--eg-control)"
          radius="50%"
          aria-pressed={paused}
          aria-label="Pause the background"
          onClick={() => setPaused(!paused)}
        >
          <Icon size={16} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      )}
    </Stack>
  );
}
