import type { AccessScope, ConnectionKind, ConnectionRequest } from '@engram/contract';
import { allowConnection, allowDevice, denyConnection, denyDevice } from '@engram/contract/browser';
import { Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { FailureNote, Notice } from '../../../components/notice.tsx';
import { Pairs } from '../../../components/pairs.tsx';
import { useProfile } from '../../../session/account.ts';

export type Decision = { allow: true; scopes: AccessScope[] } | { allow: false };

export const useAnswerRequest = (uid: string) =>
  useMutation({
    mutationFn: async (decision: Decision): Promise<string> => {
      const params = { uid };
      const { data } = decision.allow
        ? await api.call(allowConnection, { params, body: { scopes: decision.scopes } })
        : await api.call(denyConnection, { params });
      return data.returnTo;
    },
    onSuccess: (returnTo) => window.location.assign(returnTo),
  });

export const useAnswerDevice = (userCode: string) =>
  useMutation({
    mutationFn: async (decision: Decision): Promise<Decision> => {
      if (decision.allow) {
        await api.call(allowDevice, { body: { userCode, scopes: decision.scopes } });
      } else await api.call(denyDevice, { body: { userCode } });
      return decision;
    },
  });

interface ConsentProps {
  request: ConnectionRequest;
  pending: boolean;
  error: unknown;
  onAnswer: (decision: Decision) => void;
}

/** What a program with these scopes may do, and may not. Assistants' tools can only add texts. */
const permissionsOf = (scopes: readonly AccessScope[], toolsOnly: boolean) => [
  { text: 'Read your files, and search them', isAllowed: true },
  toolsOnly
    ? { text: 'Ask questions, which are stored in your history', isAllowed: true }
    : { text: 'Ask questions, and see the answers you got before', isAllowed: true },
  {
    text: toolsOnly
      ? 'Add texts as new files'
      : 'Upload, tag, archive and delete files, keywords and answers',
    isAllowed: scopes.includes('files:write'),
  },
  { text: 'Change your profile, create keys, or delete your account', isAllowed: false },
];

const kindLabels: Record<ConnectionKind, string> = {
  site: 'A website',
  local: 'A program on this device',
  device: 'A device that shows a code',
};

function warningOf({ address, kind, verified }: ConnectionRequest): string | null {
  if (kind === 'device') {
    return 'The device chose this name itself. Allow this only if you started it yourself, on a device in front of you. If somebody sent you the code or a link, cancel.';
  }
  if (!verified && kind === 'site') {
    return `The program chose this name itself, and nobody has verified it. Your answer is sent to ${address ?? 'its address'}.`;
  }
  if (kind === 'local') {
    return 'A program on this device chose this name itself. Allow it only if you have just started this there.';
  }
  return null;
}

export function Consent({ request, pending, error, onAnswer }: ConsentProps) {
  const { data: profile } = useProfile();
  const [access, setAccess] = useState<'all' | 'read'>('all');
  const canReduce = request.scopes.length > 1;
  const scopes: AccessScope[] =
    canReduce && access === 'read' ? ['files:read'] : [...request.scopes];
  const warning = warningOf(request);
  const { kind, address } = request;
  const facts = [
    { label: 'Runs as', value: kindLabels[kind] },
    ...(address === null ? [] : [{ label: 'Address', value: <bdi>{address}</bdi> }]),
    // Shown before the profile is loaded, so that the layout does not shift.
    { label: 'Your account', value: <bdi>{profile?.email ?? '…'}</bdi> },
  ];
  return (
    <>
      <Text component="h1" fz={22} fw={650} lh={1.3} data-page-heading tabIndex={-1}>
        Connect <bdi>{request.name}</bdi> to Engram?
      </Text>
      <Paper mt={18} px={16} py={4}>
        <Pairs lined pairs={facts} />
      </Paper>
      {warning && (
        <Notice tone="warning" icon={IconAlertTriangle} mt={12}>
          {warning}
        </Notice>
      )}
      <Text component="h2" mt={20} mb={8} fw={650}>
        What it may do
      </Text>
      {canReduce && (
        <SegmentedControl
          fullWidth
          mb={12}
          aria-label="Access"
          value={access}
          onChange={setAccess}
          data={[
            { value: 'all', label: 'Read and change' },
            { value: 'read', label: 'Read only' },
          ]}
        />
      )}
      <Stack component="ul" gap={8} fz="sm">
        {permissionsOf(scopes, request.toolsOnly).map(({ text, isAllowed }) => {
          const Icon = isAllowed ? IconCheck : IconX;
          return (
            <Group
              component="li"
              key={text}
              gap={10}
              align="flex-start"
              wrap="nowrap"
              {...(isAllowed ? {} : { c: 'dimmed' })}
            >
              <Icon
                size={18}
                stroke={2}
                color={`var(--eg-${isAllowed ? 'success' : 'ink-3'})`}
                aria-hidden="true"
              />
              <span>
                {!isAllowed && <span className="eg-visually-hidden">Not allowed: </span>}
                {text}
              </span>
            </Group>
          );
        })}
      </Stack>
      <Text size="sm" mt={16} c="dimmed">
        It stays connected until you end it in your profile, under Security, or until it has not
        been used for two months.
      </Text>
      <FailureNote title="Your answer did not arrive." error={error} />
      <Group grow gap={10} mt={22}>
        <Button
          size="md"
          variant="default"
          disabled={pending}
          onClick={() => onAnswer({ allow: false })}
        >
          Cancel
        </Button>
        <Button size="md" loading={pending} onClick={() => onAnswer({ allow: true, scopes })}>
          Allow
        </Button>
      </Group>
    </>
  );
}
