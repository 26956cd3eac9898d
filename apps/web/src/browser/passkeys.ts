import type {
  DataOf,
  PasskeyAssertion,
  PasskeyRegistration,
  startPasskey,
  startPasskeySignIn,
} from '@engram/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Whether passkeys work on this page. They need a domain, so an IP address has none. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/u.test(window.location.hostname);

/** Messages for errors of WebAuthn, whose own messages are for developers. */
const messages: Record<string, string> = {
  NotAllowedError: 'No passkey was used. Please try again.',
  InvalidStateError: 'Your account already has a passkey on this device.',
  SecurityError: 'Passkeys do not work at this address. Open Engram at its usual address.',
};

/** @throws Error with a message for the user */
const withReadableErrors = <T>(ceremony: Promise<T>): Promise<T> =>
  ceremony.catch((error: unknown) => {
    const name = error instanceof Error ? error.name : '';
    const message = messages[name] ?? 'This device could not use a passkey.';
    throw new Error(message, { cause: error });
  });

export async function createPasskey(
  options: DataOf<typeof startPasskey>,
): Promise<PasskeyRegistration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as object as PublicKeyCredentialCreationOptionsJSON;
  return withReadableErrors(startRegistration({ optionsJSON }));
}

/** Has the user choose a passkey, which signs the challenge. */
export async function signWithPasskey(
  options: DataOf<typeof startPasskeySignIn>,
): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as object as PublicKeyCredentialRequestOptionsJSON;
  return withReadableErrors(startAuthentication({ optionsJSON }));
}
