import { Group, Text, Title } from '@mantine/core';
import classes from './landing.module.css';

const reasons = [
  {
    title: 'Answers you can check',
    text: 'Your files are quoted as they stand, and each quote opens its file at the words themselves.',
  },
  {
    title: 'Honest when it does not know',
    text: 'When your files do not say, Engram says so. Nothing is made up to fill the gap.',
  },
  {
    title: 'One command, one machine',
    text: 'No key, no container and no account elsewhere is needed. A model of your choice is a setting.',
  },
];

/** What Engram is for, and what it stands by. */
export function About() {
  return (
    <section aria-labelledby="about-heading">
      <h2 id="about-heading" className={classes.heading}>
        About Engram
      </h2>
      <p className={classes.lead}>
        An engram is the trace that a memory leaves. What you need to know is mostly written down
        already: in a contract, a table, a letter, a recording. Engram reads it once, keeps its
        place, and finds it again when you ask.
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
}
