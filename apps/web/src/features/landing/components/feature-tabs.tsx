import { Box, Group, Paper, Stack, Code, SimpleGrid, Text } from '@mantine/core';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { AppText, sectionsOf } from '../../../components/app-text.tsx';
import { Entry } from '../../../components/buttons.tsx';
import { Prose } from '../../../components/prose.tsx';
import { Soon } from '../../../components/tag.tsx';
import markdown from '../features.md?raw';
import classes from './landing.module.css';
import { lazyPart } from '../../../components/lazy-part.tsx';

const ExamplePicture = lazyPart(() => import('../../../components/example-pictures.tsx'));

const features = sectionsOf(markdown, '# ');

// Fixed colors, independent of the page's scheme.
const schemes = [
  { name: 'Light', ground: '#fbfbfc', ink: '#17171c', line: '#dcdcde', border: '#e8e8ec' },
  { name: 'Dark', ground: '#0f0f12', ink: '#ededf0', line: '#333336', border: '#27272d' },
];

const SchemesPicture = () => (
  <SimpleGrid cols={2} spacing={12}>
    {schemes.map(({ name, ground, ink, line, border }) => (
      <Stack key={name} gap={8} p={14} bg={ground} c={ink} bd={`1px solid ${border}`} bdrs={10}>
        <Text fz={13} fw={600}>
          {name}
        </Text>
        <Box h={6} bg={line} bdrs={3} />
        <Box w="62%" h={6} bg={line} bdrs={3} />
      </Stack>
    ))}
  </SimpleGrid>
);

const CallPicture = () => (
  <Code block bg="none" p={0} style={{ whiteSpace: 'pre-wrap' }}>
    {'POST /v1/search\n{ "text": "When is the boiler due?" }\n'}
    <Text span inherit c="indigo">
      {'"found": [{ "fileName": "Boiler.pdf",\n  "text": "Next service: May 2028." }]'}
    </Text>
  </Code>
);

const pictures: Record<string, ReactNode> = {
  artifacts: <ExamplePicture of="formats" />,
  customization: <SchemesPicture />,
  security: <ExamplePicture of="privacy" />,
  integrations: <CallPicture />,
  notifications: <ExamplePicture of="automation" />,
};

const comingSoon = new Set(['customization', 'integrations', 'notifications']);

const last = features.length - 1;

function targetIndex(key: string, index: number): number | null {
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
    const target = targetIndex(event.key, selected);
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
