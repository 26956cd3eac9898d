import type { LanguageModel, ModelsState } from '@engram/contract';
import { Anchor, Button, Group } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Progress } from '../../../components/progress.tsx';
import { Row } from '../../../components/row.tsx';
import { Tag } from '../../../components/tag.tsx';
import { formatBytes } from '../../../format/format.ts';
import { useModelChange } from '../api/models.ts';

interface ModelRowProps {
  model: LanguageModel;
  state: ModelsState;
  onRemove: (model: LanguageModel) => void;
}

/** One model: what it takes, how far it is, and what can be done with it. */
export function ModelRow({ model, state, onRemove }: ModelRowProps) {
  const { title, bytes, done, answers, problem } = model;
  const isPart = model.state === 'fetching' || model.state === 'paused';
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
        <Needs key="needs" model={model} machine={state.machine} />,
        ...(isPart && bytes !== null && done !== null
          ? [<Fetching key="progress" model={model} bytes={bytes} done={done} />]
          : []),
        ...(problem === null ? [] : [<span key="problem">{problem}</span>]),
      ]}
      action={state.mayChange && <Actions model={model} state={state} onRemove={onRemove} />}
    />
  );
}

/** What a model takes of the machine, and under which licence it comes. */
function Needs({ model, machine }: { model: LanguageModel; machine: ModelsState['machine'] }) {
  const { runner, bytes, memoryBytes, licence, licenceUrl } = model;
  if (runner === 'ollama') return <span>In the Ollama of this machine</span>;
  return (
    <>
      {bytes !== null && <span>{formatBytes(bytes)}</span>}
      {memoryBytes !== null && (
        <span>
          For {formatBytes(memoryBytes)} of memory
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

interface FetchingProps {
  model: LanguageModel;
  bytes: number;
  done: number;
}

const Fetching = ({ model: { title, state }, bytes, done }: FetchingProps) => (
  <Group component="span" w="100%" maw={420} mt={6} display="block">
    <Progress
      label={`Fetching ${title}`}
      share={done / bytes}
      words={state === 'paused' ? 'Paused' : 'Fetching…'}
      aside={`${formatBytes(done)} of ${formatBytes(bytes)}`}
    />
  </Group>
);

/** The buttons of a model, by how far it is. */
function Actions({ model, state: { setting }, onRemove }: ModelRowProps) {
  const get = useModelChange('get');
  const pause = useModelChange('pause');
  const use = useModelChange('use');
  const { title, state, answers, runner } = model;
  return (
    <Group gap={6}>
      {(state === 'absent' || state === 'paused') && (
        <Button
          size="sm"
          variant="light"
          loading={get.isPending}
          aria-label={`${state === 'absent' ? 'Get' : 'Resume'} ${title}`}
          onClick={() => get.mutate(model)}
        >
          {state === 'absent' ? 'Get' : 'Resume'}
        </Button>
      )}
      {state === 'fetching' && (
        <Button
          size="sm"
          variant="default"
          loading={pause.isPending}
          aria-label={`Pause ${title}`}
          onClick={() => pause.mutate(model)}
        >
          Pause
        </Button>
      )}
      {state === 'here' && !answers && setting === null && (
        <Button
          size="sm"
          variant="light"
          loading={use.isPending}
          aria-label={`Use ${title}`}
          onClick={() => use.mutate(model)}
        >
          Use
        </Button>
      )}
      {answers && (
        <Button size="sm" variant="light" component={Link} to="/search" aria-label={`Try ${title}`}>
          Try it
        </Button>
      )}
      {runner === 'engram' && state !== 'absent' && (
        <Button
          size="sm"
          variant="subtle"
          color="red"
          aria-label={`Remove ${title}`}
          onClick={() => onRemove(model)}
        >
          Remove
        </Button>
      )}
    </Group>
  );
}
