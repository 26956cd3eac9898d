import type { ModelsState } from '@engram/contract';
import { Text } from '@mantine/core';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { useModels } from '../api.ts';
import { FailureNote, Notice } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Rows } from '../../../components/row.tsx';
import { formatBytes, plural } from '../../../format/format.ts';
import { ModelRow } from './model-row.tsx';

/** The language models of the server's machine. `onTry` asks the model a question. */
export function Models({ onTry }: { onTry: () => void }) {
  const call = useModels();
  const { data: state, error } = call;
  return (
    <Panel
      title="Language model"
      lead="Without a model Engram shows what it found in your files. With one it also writes an answer from it, and checks every sentence against your files. The models of this list run on the machine of this server, and nothing leaves it."
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
        Only an admin can fetch, choose and remove models on this server.
      </Notice>
    );
  }
  if (setting === null) return null;
  return (
    <Notice tone="plain" mb={12}>
      <code>ENGRAM_LLM</code> is set to <code>{setting}</code>, which decides what answers. Remove
      the setting to choose here.
    </Notice>
  );
}
