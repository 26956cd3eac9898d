import type { Session } from '@engram/contract';
import { signInWithLink } from '@engram/contract/browser';
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useAction } from '../../../api/use-action.ts';
import { deviceLabel } from '../../../browser/device.ts';
import { heldPlace } from '../../../browser/position.ts';
import { messageOf } from '../../../components/notify.ts';
import type { SignInLink } from '../addresses.ts';

interface LinkSignInProps {
  link: SignInLink;
  onSignedIn: (session: Session) => void;
  /** Shows the form for an address instead. */
  onLeave: () => void;
}

/** Signs in with a mailed link after a click, as mail scanners open links too. */
export function LinkSignIn({ link, onSignedIn, onLeave }: LinkSignInProps) {
  const signIn = useAction(signInWithLink, { onSuccess: onSignedIn });
  return (
    <Stack gap={16}>
      <Title fz={27}>Sign in</Title>
      {signIn.isError ? (
        <Text c="red" role="alert">
          {messageOf(signIn.error)}
        </Text>
      ) : (
        <Text c="dimmed">
          You are about to sign in to Engram as{' '}
          <Text span fw={600} c="var(--eg-ink)" style={{ overflowWrap: 'anywhere' }}>
            {link.email}
          </Text>
          .
        </Text>
      )}
      <Button
        size="md"
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() =>
          signIn.mutate({ body: { ...link, location: heldPlace(), device: deviceLabel() } })
        }
      >
        {signIn.isError ? 'Try again' : 'Sign in'}
      </Button>
      <Anchor component="button" type="button" size="sm" c="dimmed" onClick={onLeave}>
        {signIn.isError ? 'Ask for a new mail' : 'Use another address'}
      </Anchor>
    </Stack>
  );
}
