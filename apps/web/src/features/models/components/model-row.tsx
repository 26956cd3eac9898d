import type { LanguageModel, ModelsState } from '@engram/contract';
import { Anchor, Button, Group, type ButtonProps } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { useRef } from 'react';
import { ConfirmButton } from '../../../components/confirm-modal.tsx';
import { Progress } from '../../../components/progress.tsx';
import { Row } from '../../../components/row.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatBytes } from '../../../format/format.ts';
import { useModelChange, useRemoveModel } from '../api.ts';

interface ModelRowProps {
  model: LanguageModel;
  state: ModelsState;
  onTry: () => void;
}

export function ModelRow(props: ModelRowProps) {
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
  if (runner === 'ollama') return <span>In the Ollama of this machine</span>;
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
          {licence} licence
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
        label={`Fetching ${title}`}
        share={done / bytes}
        words={state === 'paused' ? 'Paused' : 'Fetching…'}
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
  const remove = useRemoveModel();
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
          consequence={`It frees ${formatBytes(done ?? 0)} on the disk. It can be fetched again.`}
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
