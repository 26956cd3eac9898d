import type { ConnectionRequest } from '@engram/contract';
import { getDeviceRequest } from '@engram/contract/browser';
import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { FailureNote } from '../../../components/notice.tsx';

interface DeviceCodeFormProps {
  initialCode: string;
  onFound: (result: { code: string; request: ConnectionRequest }) => void;
}

const LETTERS = 8;

function formatCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z]/gu, '')
    .slice(0, LETTERS);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

export function DeviceCodeForm({ initialCode, onFound }: DeviceCodeFormProps) {
  const find = useAction(getDeviceRequest);
  const [code, setCode] = useState(formatCode(initialCode));
  const isComplete = code.length > LETTERS;
  return (
    <Stack
      component="form"
      mt={20}
      gap={16}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete) return;
        find.mutate(
          { body: { userCode: code } },
          { onSuccess: (request) => onFound({ code, request }) },
        );
      }}
    >
      <TextInput
        size="lg"
        label="Code"
        placeholder="ABCD-EFGH"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        data-autofocus
        value={code}
        onChange={({ currentTarget }) => setCode(formatCode(currentTarget.value))}
      />
      <FailureNote title="That did not work." error={find.error} advice="" />
      <Button size="md" type="submit" disabled={!isComplete} loading={find.isPending}>
        Continue
      </Button>
    </Stack>
  );
}
