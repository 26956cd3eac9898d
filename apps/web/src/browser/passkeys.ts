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

/** Whether passkeys work on this page. They belong to a domain, so an IP address has none. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/u.test(window.location.hostname);

/** Errors of WebAuthn by their names, as their messages are for developers. */
const explanations: Record<string, string> = {
  NotAllowedError: 'No passkey was used. Please try again.',
  InvalidStateError: 'Your account already has a passkey on this device.',
  SecurityError: 'Passkeys do not work at this address. Open Engram at its usual address.',
};

/** @throws Error with a sentence for the user */
const explained = <T>(ceremony: Promise<T>): Promise<T> =>
  ceremony.catch((error: unknown) => {
    const name = error instanceof Error ? error.name : '';
    const explanation = explanations[name] ?? 'This device could not use a passkey.';
    throw new Error(explanation, { cause: error });
  });

/** Lets the browser make a passkey. */
export async function createPasskey(
  options: DataOf<typeof startPasskey>,
): Promise<PasskeyRegistration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as object as PublicKeyCredentialCreationOptionsJSON;
  return explained(startRegistration({ optionsJSON }));
}

/** Lets the user choose a passkey, and signs the challenge with it. */
export async function signWithPasskey(
  options: DataOf<typeof startPasskeySignIn>,
): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as object as PublicKeyCredentialRequestOptionsJSON;
  return explained(startAuthentication({ optionsJSON }));
}
