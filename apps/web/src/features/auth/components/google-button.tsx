import type { Session } from '@engram/contract';
import { Button, Divider, Text } from '@mantine/core';
import { useAppSettings } from '../../../api/settings.ts';
import { useGoogleSignIn } from '../use-google-sign-in.ts';
import { GoogleMark } from './google-mark.tsx';

interface GoogleButtonProps {
  /** The page that the person came for. */
  from: string | undefined;
  /** Called with the page that they came for before they left for Google. */
  onSignedIn: (session: Session, from: string | null) => void;
}

/** The way in by Google, where the server offers it, and what came of it. */
export function GoogleButton({ from, onSignedIn }: GoogleButtonProps) {
  const { google } = useAppSettings();
  const { busy, problem, start } = useGoogleSignIn(from, onSignedIn);
  if (!google && !busy && problem === null) return null;
  return (
    <>
      <Divider my={20} label="OR" />
      <Button
        variant="default"
        fullWidth
        h={50}
        radius="var(--eg-radius)"
        bd="1px solid var(--eg-line-strong)"
        fz={15}
        leftSection={<GoogleMark />}
        opacity={busy ? 0.6 : 1}
        aria-busy={busy}
        aria-disabled={busy}
        onClick={() => {
          if (!busy) start();
        }}
      >
        Continue with Google
      </Button>
      {problem !== null && (
        <Text mt={10} mx={2} size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}
