import { Text } from '@mantine/core';
import type { ConnectionRequest } from '@engram/contract';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Consent, useAnswerDevice } from '../features/connections/components/consent.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { DeviceCodeForm } from '../features/connections/components/device-code-form.tsx';
import { useDocumentTitle } from '../browser/document-title.ts';
import { SpokenHeading } from '../components/page.tsx';
import { ConnectLayout } from './card-layout.tsx';
import { RequireSession } from './require-session.tsx';

export default function DevicePage() {
  return (
    <RequireSession>
      <ConnectLayout>
        <Device />
      </ConnectLayout>
    </RequireSession>
  );
}

function Device() {
  useDocumentTitle('Connect a device');
  const [params] = useSearchParams();
  const [current, setCurrent] = useState<{ code: string; request: ConnectionRequest } | null>(null);
  if (current) return <Answer {...current} />;
  return (
    <>
      <Text component="h1" fz={22} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
        Connect a device
      </Text>
      <Text inherit mt={8} c="dimmed">
        Enter the code that your device shows.
      </Text>
      <DeviceCodeForm initialCode={params.get('user_code') ?? ''} onFound={setCurrent} />
    </>
  );
}

function Answer({ code, request }: { code: string; request: ConnectionRequest }) {
  const answer = useAnswerDevice(code);
  if (answer.data) {
    const isAllowed = answer.data.allow;
    const Icon = isAllowed ? IconCircleCheck : IconCircleX;
    const close = 'You can close this page.';
    return (
      <>
        <SpokenHeading>Connect a device</SpokenHeading>
        <EmptyState
          icon={<Icon size={24} stroke={1.6} />}
          title={`${request.name} ${isAllowed ? 'is connected' : 'was not connected'}`}
          text={isAllowed ? `${close} Your device continues in a few seconds.` : close}
        />
      </>
    );
  }
  return (
    <Consent
      request={request}
      pending={answer.isPending}
      error={answer.error}
      onAnswer={(decision) => answer.mutate(decision)}
    />
  );
}
