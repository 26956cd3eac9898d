import { Accordion, Tabs, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import entry from '../../../components/entry.module.css';
import { Prose } from '../../../components/prose.tsx';
import { useAppSettings } from '../../../api/settings.ts';
import type { Topic } from '../faq/question.ts';
import { placeOf, topics } from '../faq/topics.ts';
import classes from './faq.module.css';

/** Questions by topic. The address names the topic, or the question that was opened last. */
export function Faq() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const { topic, question } = placeOf(hash);
  const show = (id: string): void =>
    void navigate({ hash: id }, { replace: true, preventScrollReset: true });
  return (
    <Tabs
      variant="none"
      orientation="vertical"
      value={topic.id}
      onChange={(id) => show(id ?? topics[0].id)}
      classNames={{
        root: classes.faq ?? '',
        tab: entry.entry ?? '',
        tabLabel: classes.topic ?? '',
      }}
    >
      <Tabs.List aria-label="Topics">
        {topics.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {topics.map((one) => (
        <Tabs.Panel key={one.id} value={one.id} miw={0}>
          {one === topic && <Questions key={one.id} topic={one} asked={question} onOpen={show} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The router goes to the element that a hash names; opening a question is to move nothing. */
const anchorOf = (id: string): string => `question-${id}`;

interface QuestionsProps {
  topic: Topic;
  /** The question that the address names. */
  asked: string | null;
  onOpen: (question: string) => void;
}

function Questions({ topic, asked, onOpen }: QuestionsProps) {
  const settings = useAppSettings();
  const [open, setOpen] = useState<string[]>(asked ? [asked] : []);
  const [followed, setFollowed] = useState(asked);
  // A link to another question of the same topic opens that one too.
  if (followed !== asked) {
    setFollowed(asked);
    if (asked && !open.includes(asked)) setOpen([...open, asked]);
  }
  // Only whoever comes by a link is led to the question; who opens one is there already.
  const [first] = useState(asked);
  useEffect(() => {
    if (first) document.getElementById(anchorOf(first))?.scrollIntoView({ block: 'start' });
  }, [first]);
  const change = (next: string[]): void => {
    const opened = next.find((id) => !open.includes(id));
    setOpen(next);
    if (opened) onOpen(opened);
  };
  return (
    <>
      <Title order={2} mb={8}>
        {topic.label}
      </Title>
      <Accordion multiple value={open} onChange={change} order={3}>
        {topic.questions.map(({ id, question, answer }) => (
          <Accordion.Item key={id} id={anchorOf(id)} value={id}>
            <Accordion.Control px={0} bg="none">
              <Text span fw={600}>
                {question}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Prose maw="68ch">{answer(settings)}</Prose>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}
