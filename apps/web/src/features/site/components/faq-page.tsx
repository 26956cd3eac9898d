import { Accordion, Tabs, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAppSettings } from '../../../api/settings.ts';
import { AppText } from '../../../components/app-text.tsx';
import entry from '../../../components/buttons.module.css';
import { Prose } from '../../../components/prose.tsx';
import { answerValues, topics } from '../faq.ts';
import classes from './faq.module.css';
import { Page } from '../../../components/page.tsx';

/** Questions by topic. The hash is the topic, or the last opened question. */
export default function FaqPage() {
  const id = useLocation().hash.slice(1);
  const navigate = useNavigate();
  const isQuestion = topics.some(({ questions }) => questions.some((item) => item.id === id));
  const open =
    topics.find((topic) => topic.id === id || topic.questions.some((item) => item.id === id)) ??
    topics[0];
  const show = (next: string | null): void =>
    void navigate({ hash: next ?? '' }, { replace: true, preventScrollReset: true });
  return (
    <Page title="FAQs" lead="Frequently asked questions about Engram.">
      <Tabs
        variant="none"
        orientation="vertical"
        value={open?.id ?? null}
        onChange={show}
        classNames={{
          root: classes.faq ?? '',
          tab: entry.entry ?? '',
          tabLabel: classes.topic ?? '',
        }}
      >
        <Tabs.List aria-label="Topics">
          {topics.map((topic) => (
            <Tabs.Tab key={topic.id} value={topic.id}>
              {topic.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {open && (
          <Tabs.Panel value={open.id} miw={0}>
            <Questions key={open.id} topic={open} linkedId={isQuestion ? id : null} onOpen={show} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  );
}

/** Differs from the hash, so that the router does not scroll to each opened question. */
const anchorOf = (id: string): string => `question-${id}`;

interface QuestionsProps {
  topic: (typeof topics)[number];
  linkedId: string | null;
  onOpen: (id: string) => void;
}

function Questions({ topic, linkedId, onOpen }: QuestionsProps) {
  const values = answerValues(useAppSettings());
  const [open, setOpen] = useState<string[]>(linkedId ? [linkedId] : []);
  const [previousId, setPreviousId] = useState(linkedId);
  // A link to another question of the same topic opens that one too.
  if (previousId !== linkedId) {
    setPreviousId(linkedId);
    if (linkedId && !open.includes(linkedId)) setOpen([...open, linkedId]);
  }
  // Only a link scrolls to its question.
  const [first] = useState(linkedId);
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
        {topic.title}
      </Title>
      <Accordion multiple value={open} onChange={change} order={3}>
        {topic.questions.map(({ id, title, body }) => (
          <Accordion.Item key={id} id={anchorOf(id)} value={id}>
            <Accordion.Control px={0} bg="none">
              <Text span fw={600}>
                {title}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Prose maw="68ch">
                <AppText values={values}>{body}</AppText>
              </Prose>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}
