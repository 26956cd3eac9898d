import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core';
import { IconArrowUp, IconSearch } from '@tabler/icons-react';
import { QUESTION_LIMIT } from '@engram/contract/browser';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExampleAnswer } from '../../../components/example-answer.tsx';
import classes from './landing.module.css';

interface HeroProps {
  onUpload: () => void;
  /** Whether files can be dropped on the page, which needs a signed-in user. */
  takesDrops: boolean;
  searchable: boolean;
  onAsk: (question: string) => void;
}

function AskField({ onAsk }: Pick<HeroProps, 'onAsk'>) {
  return (
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
}

export function Hero({ onUpload, takesDrops, searchable, onAsk }: HeroProps) {
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
        {searchable && <AskField onAsk={onAsk} />}
        <Group gap={12} mt={searchable ? 12 : 28}>
          <Button size="md" h={46} fz={15} onClick={onUpload}>
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
        {takesDrops && (
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
