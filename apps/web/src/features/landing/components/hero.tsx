import { Button, Group, Paper } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { ExampleAnswer } from '../../../components/example-answer.tsx';
import classes from './landing.module.css';

interface HeroProps {
  onUpload: () => void;
  /** Whether there is anything to search. */
  searchable: boolean;
}

/** What Engram is, in a breath, and the two ways in. */
export function Hero({ onUpload, searchable }: HeroProps) {
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.banner} data-page-heading tabIndex={-1}>
          <span>Your Data.</span> <span>Your AI.</span> <span>Your Brain.</span>{' '}
          <span>Your Way!</span>
        </h1>
        <p className={classes.lead}>
          Keep your files and notes in one place, ask in your own words, and get the answer with the
          page it stands on.
        </p>
        <Group gap={12} mt={28}>
          <Button size="md" h={46} fz={15} onClick={onUpload}>
            UPLOAD FILES
          </Button>
          {searchable && (
            // Looks like the field it leads to.
            <Button
              component={Link}
              to={paths.search}
              variant="default"
              size="md"
              h={46}
              fz={15}
              fw={450}
              flex="1 1 150px"
              maw={240}
              justify="flex-start"
              leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
            >
              Search...
            </Button>
          )}
        </Group>
      </div>
      <Paper
        withBorder
        radius={16}
        p="clamp(18px, 2.2vw, 28px)"
        shadow="0 24px 60px -32px rgb(35 26 107 / 22%)"
      >
        <ExampleAnswer />
      </Paper>
    </section>
  );
}
