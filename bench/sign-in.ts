import { createClient } from '@engram/client';
import { generateCode, updateProfile, validateCode } from '@engram/contract';

/** Signs a person in to a running server by a mailed code. */
export async function signIn(
  url: string,
  codeFor: (address: string) => Promise<string>,
  email = 'bench@example.org',
) {
  const anonymous = createClient({ baseUrl: `${url}/v1` });
  await anonymous.call(generateCode, { body: { email } });
  const { data } = await anonymous.call(validateCode, {
    body: { email, code: await codeFor(email) },
  });
  const client = createClient({ baseUrl: `${url}/v1`, token: () => data.token });
  await client.call(updateProfile, { body: { isAgreedTerms: true } });
  return { token: data.token, client };
}
