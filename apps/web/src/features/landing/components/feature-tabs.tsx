import { Anchor, Box, Group, Paper, Stack, Text } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { Entry } from '../../../components/entry.tsx';
import { Points } from '../../../components/prose.tsx';
import { Soon } from '../../../components/soon.tsx';
import { features, type Feature } from './features.tsx';
import classes from './landing.module.css';

const last = features.length - 1;

/** Which tab a key leads to from the one at an index, or null for any other key. */
function targetOf(key: string, index: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowRight') return index === last ? 0 : index + 1;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return index === 0 ? last : index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

/** What Engram does, by theme: a list of tabs that arrow keys go through. */
export function FeatureTabs() {
  const [selected, setSelected] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, selected);
    if (target === null) return;
    event.preventDefault();
    setSelected(target);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  };
  return (
    <section aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={classes.heading}>
        A second brain that shows its work
      </h2>
      <div className={classes.columns}>
        <Stack ref={list} gap={2} role="tablist" aria-orientation="vertical" aria-label="Features">
          {features.map(({ name, comingSoon }, index) => (
            <Entry
              key={name}
              id={`${id}-tab-${index}`}
              role="tab"
              aria-selected={index === selected}
              aria-controls={`${id}-panel-${index}`}
              tabIndex={index === selected ? 0 : -1}
              onClick={() => setSelected(index)}
              onKeyDown={onKeyDown}
            >
              {name} {comingSoon && <Soon />}
            </Entry>
          ))}
        </Stack>
        <Box display="grid">
          {features.map((feature, index) => (
            <Paper
              key={feature.name}
              withBorder
              radius={16}
              p="clamp(20px, 2.6vw, 32px)"
              id={`${id}-panel-${index}`}
              className={classes.panel ?? ''}
              role="tabpanel"
              aria-labelledby={`${id}-tab-${index}`}
              aria-hidden={index !== selected}
              tabIndex={index === selected ? 0 : -1}
              data-shown={index === selected || undefined}
            >
              <FeaturePanel feature={feature} />
            </Paper>
          ))}
        </Box>
      </div>
    </section>
  );
}

function FeaturePanel({ feature }: { feature: Feature }) {
  const { title, text, points, link, picture } = feature;
  return (
    <Group align="flex-start" gap="28px 40px">
      <Box flex="1 1 320px">
        <Text component="h3" fz={20} fw={650}>
          {title}
        </Text>
        {text.map((paragraph) => (
          <Text key={paragraph} maw="58ch" mt={10} lh={1.6} c="dimmed">
            {paragraph}
          </Text>
        ))}
        {points && <Points>{points}</Points>}
        {link && (
          <Anchor
            display="inline-block"
            mt={16}
            py={4}
            fw={600}
            underline="always"
            href={link.to}
            target="_blank"
            rel="noreferrer"
          >
            {link.label}
          </Anchor>
        )}
      </Box>
      {picture && (
        <Paper
          withBorder
          flex="0 1 280px"
          radius={12}
          px={18}
          py={14}
          bg="var(--eg-body)"
          aria-hidden="true"
        >
          {picture}
        </Paper>
      )}
    </Group>
  );
}
