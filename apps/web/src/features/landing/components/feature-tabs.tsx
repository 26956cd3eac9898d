import { Box, Group, Paper, Stack } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { AppText, sectionsOf } from '../../../components/app-text.tsx';
import { Entry } from '../../../components/buttons.tsx';
import { Prose } from '../../../components/prose.tsx';
import { Soon } from '../../../components/tag.tsx';
import markdown from '../features.md?raw';
import classes from './landing.module.css';
import {
  CallPicture,
  DeletionPicture,
  FilesPicture,
  SchemesPicture,
  StatesPicture,
} from './pictures.tsx';

const features = sectionsOf(markdown, '# ');

const pictures: Record<string, ReactNode> = {
  artifacts: <FilesPicture />,
  customization: <SchemesPicture />,
  security: <DeletionPicture />,
  integrations: <CallPicture />,
  notifications: <StatesPicture />,
};

const comingSoon = new Set(['customization', 'integrations', 'notifications']);

const last = features.length - 1;

/** The index of the tab that a key selects; null for any other key. */
function targetOf(key: string, index: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowRight') return index === last ? 0 : index + 1;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return index === 0 ? last : index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

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
          {features.map((feature, index) => (
            <Entry
              key={feature.id}
              id={`${id}-tab-${index}`}
              role="tab"
              aria-selected={index === selected}
              aria-controls={`${id}-panel-${index}`}
              tabIndex={index === selected ? 0 : -1}
              onClick={() => setSelected(index)}
              onKeyDown={onKeyDown}
            >
              {feature.title} {comingSoon.has(feature.id) && <Soon />}
            </Entry>
          ))}
        </Stack>
        <Box display="grid">
          {features.map((feature, index) => (
            <Paper
              key={feature.id}
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
              <Group align="flex-start" gap="28px 40px">
                <Prose flex="1 1 320px" __vars={{ '--heading': '20px' }}>
                  <AppText level={3} target="_blank">
                    {feature.body}
                  </AppText>
                </Prose>
                <Paper
                  flex="0 1 280px"
                  radius={12}
                  px={18}
                  py={14}
                  bg="var(--eg-body)"
                  aria-hidden="true"
                >
                  {pictures[feature.id]}
                </Paper>
              </Group>
            </Paper>
          ))}
        </Box>
      </div>
    </section>
  );
}
