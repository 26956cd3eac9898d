import type { LanguageModel, ModelsState } from '@engram/contract';
import { Anchor, Button, Group, Text, type ButtonProps } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { useRef } from 'react';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { FailureNote, Notice } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Progress } from '../../../components/progress.tsx';
import { Row, Rows } from '../../../components/lists.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatBytes, plural } from '../../../format/format.ts';
import { useModelChange, useModels } from '../api.ts';

/** The language models of the server's machine. `onTry` asks the model a question. */
export default function Models({ onTry }: { onTry: () => void }) {
  const call = useModels();
  const { data: state, error } = call;
  return (
    <Panel
      title="Language model"
      lead="Without a model, Engram shows what it found in your files. With one, it also writes an answer and checks every sentence against your files. These models run on this server, and nothing leaves it."
    >
      {!state && <LoadState call={call} what="the models" heights={[56, 56, 56]} />}
      {state && (
        <>
          {error && <FailureNote title="The list may be out of date." error={error} />}
          <Text component="output" display="block" mt={4} mb={4} fz="sm">
            {state.detail}
          </Text>
          <Machine machine={state.machine} />
          <ChangeLimit state={state} />
          <Rows label="Models">
            {state.models.map((model) => (
              <ModelRow key={model.name} {...{ model, state, onTry }} />
            ))}
          </Rows>
        </>
      )}
    </Panel>
  );
}

function Machine({ machine }: { machine: ModelsState['machine'] }) {
  const { memoryBytes, processors, freeDiskBytes, readsPerSecond, gpu } = machine;
  const parts = [
    `${formatBytes(memoryBytes)} of memory`,
    plural(processors, 'processor'),
    `${formatBytes(freeDiskBytes)} free on the disk`,
    ...(readsPerSecond === null
      ? []
      : [`reads ${Math.round(readsPerSecond)} tokens a second${gpu ? ' on its GPU' : ''}`]),
  ];
  return (
    <Text mb={12} fz="sm" c="dimmed">
      This machine: {parts.join(', ')}.
    </Text>
  );
}

function ChangeLimit({ state: { mayChange, setting } }: { state: ModelsState }) {
  if (!mayChange) {
    return (
      <Notice tone="plain" mb={12}>
        Only an admin can download, choose and remove models on this server.
      </Notice>
    );
  }
  if (setting === null) return null;
  return (
    <Notice tone="plain" mb={12}>
      <code>ENGRAM_LLM</code> is set to <code>{setting}</code>, which decides the model. Remove the
      setting to choose one here.
    </Notice>
  );
}

interface ModelRowProps {
  model: LanguageModel;
  state: ModelsState;
  onTry: () => void;
}

function ModelRow(props: ModelRowProps) {
  const { model, state } = props;
  const { title, answers, problem } = model;
  const isPartial = model.state === 'fetching' || model.state === 'paused';
  return (
    <Row
      icon={IconCpu}
      name={
        <>
          <bdi>{title}</bdi>
          {answers && <Tag tone="success">Answers</Tag>}
          {model.state === 'here' && !answers && <Tag tone="quiet">On this machine</Tag>}
        </>
      }
      facts={[
        <Requirements key="requirements" model={model} machine={state.machine} />,
        ...(isPartial ? [<FetchProgress key="progress" model={model} />] : []),
        ...(problem === null ? [] : [<span key="problem">{problem}</span>]),
      ]}
      action={state.mayChange && <Actions {...props} />}
    />
  );
}

function Requirements({ model, machine }: Pick<ModelsState, 'machine'> & { model: LanguageModel }) {
  const { runner, bytes, memoryBytes, licence, licenceUrl } = model;
  if (runner === 'ollama') return <span>In Ollama on this machine</span>;
  return (
    <>
      {bytes !== null && <span>{formatBytes(bytes)}</span>}
      {memoryBytes !== null && (
        <span>
          Needs {formatBytes(memoryBytes)} of memory
          {memoryBytes > machine.memoryBytes && ', more than this machine has'}
        </span>
      )}
      {licence !== null && licenceUrl !== null && (
        <Anchor href={licenceUrl} target="_blank" rel="noreferrer" inherit underline="always">
          {licence} license
        </Anchor>
      )}
    </>
  );
}

function FetchProgress({ model: { title, state, bytes, done } }: { model: LanguageModel }) {
  if (bytes === null || done === null) return null;
  return (
    <Group component="span" w="100%" maw={420} mt={6} display="block">
      <Progress
        label={`Downloading ${title}`}
        share={done / bytes}
        words={state === 'paused' ? 'Paused' : 'Downloading…'}
        aside={`${formatBytes(done)} of ${formatBytes(bytes)}`}
      />
    </Group>
  );
}

interface ChangeProps extends Pick<ButtonProps, 'variant'> {
  model: LanguageModel;
  change: Parameters<typeof useModelChange>[0];
  label: string;
}

function Change({ model, change, label, variant = 'light' }: ChangeProps) {
  const { mutate, isPending } = useModelChange(change);
  return (
    <Button
      size="sm"
      variant={variant}
      loading={isPending}
      aria-label={`${label} ${model.title}`}
      onClick={() => mutate({ params: { name: model.name } })}
    >
      {label}
    </Button>
  );
}

function Actions({ model, state: { setting }, onTry }: ModelRowProps) {
  const { name, title, state, answers, runner, done } = model;
  const remove = useModelChange('remove');
  const buttons = useRef<HTMLDivElement>(null);
  return (
    <Group ref={buttons} gap={6}>
      {state === 'absent' && <Change model={model} change="get" label="Get" />}
      {state === 'paused' && <Change model={model} change="get" label="Resume" />}
      {state === 'fetching' && (
        <Change model={model} change="pause" label="Pause" variant="default" />
      )}
      {state === 'here' && !answers && setting === null && (
        <Change model={model} change="use" label="Use" />
      )}
      {answers && (
        <Button size="sm" variant="light" aria-label={`Try ${title}`} onClick={onTry}>
          Try it
        </Button>
      )}
      {runner === 'engram' && state !== 'absent' && (
        <ConfirmButton
          label="Remove"
          accessibleLabel={`Remove ${title}`}
          button={{ variant: 'subtle' }}
          title="Remove model"
          question={`Remove ${title} from this machine?`}
          consequence={`This frees ${formatBytes(done ?? 0)} on the disk. You can download it again.`}
          yes="Remove"
          action={remove}
          input={{ params: { name } }}
          failure="The model was not removed."
          // The button that had the focus is removed.
          onDone={() => buttons.current?.closest('ul')?.focus()}
        />
      )}
    </Group>
  );
}
