import { ActionIcon, Button, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { destinationAfterSignIn } from '../features/auth/destination.ts';
import { Backdrop } from '../features/questionnaire/components/backdrop.tsx';
import { Questionnaire } from '../features/questionnaire/components/questionnaire.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { readSession, writeSession } from '../session/session.ts';
import { useMayMove } from '../browser/use-may-move.ts';
import classes from './questions-page.module.css';
import { RequireSession } from './require-session.tsx';
import { TermsGate } from './terms-gate.tsx';

/** The questions at the start; whoever leaves them is not asked again before the next sign-in. */
export function QuestionsPage() {
  return (
    <RequireSession>
      <Questions />
      <TermsGate />
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
    const exist = readSession('artifactsExist') === 'true';
    void navigate(destinationAfterSignIn({ exist, question: false }, undefined), { replace: true });
  };
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <div className={classes.page}>
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
        <Button className={classes.later} variant="transparent" onClick={leave}>
          I WILL DO LATER
        </Button>
      </Group>
      <main className={classes.main} id="main" tabIndex={-1}>
        <div className={classes.card}>
          <Questionnaire onSkip={leave} onDone={leave} />
        </div>
      </main>
      {moving && (
        <ActionIcon
          className={classes.motion ?? ''}
          variant="subtle"
          color="#ffffff"
          size="var(--eg-control)"
          radius="50%"
          aria-pressed={paused}
          aria-label="Pause the background"
          onClick={() => setPaused(!paused)}
        >
          <Icon size={16} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
}
