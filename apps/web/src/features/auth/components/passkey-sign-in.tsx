import type { Session } from '@engram/contract';
import { signInWithPasskey, startPasskeySignIn } from '@engram/contract/browser';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconFingerprint } from '@tabler/icons-react';
import { api } from '../../../api/api.ts';
import { deviceLabel, currentPlaceName } from '../../../browser/device.ts';
import { signWithPasskey, supportsPasskeys } from '../../../browser/passkeys.ts';
import { ErrorText } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';

async function signIn(): Promise<Session> {
  const { data: options } = await api.call(startPasskeySignIn, {});
  const credential = await signWithPasskey(options);
  const body = { credential, location: currentPlaceName(), device: deviceLabel() };
  return (await api.call(signInWithPasskey, { body })).data;
}

export function PasskeySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
  });
  if (!supportsPasskeys()) return null;
  return (
    <>
      <Button
        variant="subtle"
        fullWidth
        mt={16}
        leftSection={<IconFingerprint size={18} stroke={1.8} />}
        loading={isPending || isSuccess}
        onClick={() => mutate()}
      >
        Sign in with a passkey
      </Button>
      <ErrorText mt={8} mx={2}>
        {error && messageOf(error)}
      </ErrorText>
    </>
  );
}
