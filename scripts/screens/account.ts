import type { Client } from '@engram/client';
import {
  createSubscription,
  generateApiKey,
  listEmails,
  addCredits,
  listPlans,
  paySandboxCheckout,
  updatePlan,
  updateProfile,
} from '@engram/contract';

const KEYS = ['Home server', 'Nightly import', 'Laptop'];

/** Others with an account on the same server, and the credits that they are given. */
export const OTHERS: Record<string, number> = {
  'jonas.becker@example.org': 0,
  'li.wei@example.org': 25,
  'omar.haddad@example.org': 100,
};

async function priceOf(client: Client, name: string): Promise<string> {
  const { data: plans } = await client.call(listPlans, {});
  const plan = plans.find((one) => one.name === name);
  if (!plan) throw new Error(`There is no plan ${name}.`);
  return plan.priceId;
}

/** Buys a plan in the sandbox and changes to a larger one, so that there are two invoices. */
async function buyPlans(client: Client): Promise<void> {
  const { data } = await client.call(createSubscription, {
    body: { priceId: await priceOf(client, 'Engram - Pro - monthly') },
  });
  await client.call(paySandboxCheckout, {
    params: { clientSecret: data.clientSecret },
    body: {
      cardNumber: '4242 4242 4242 4242',
      expiry: '12/34',
      cvc: '123',
      name: 'Mara Visser',
      billingAddress: 'Amstelkade 12, 1078 AM Amsterdam, Netherlands',
    },
  });
  await client.call(updatePlan, {
    body: { priceId: await priceOf(client, 'Engram - Elite - monthly') },
  });
}

/** Gives an admin a name, a paid plan with invoices, API keys, and people who were given credits. */
export async function fillAccount(client: Client): Promise<void> {
  await client.call(updateProfile, {
    body: { name: 'Mara Visser', altEmail: 'mara@example.com', phone: '(555) 010-4477' },
  });
  for (const name of KEYS) await client.call(generateApiKey, { params: { name } });
  await buyPlans(client);
  const { data: people } = await client.call(listEmails, {});
  for (const { id, email } of people) {
    const credits = OTHERS[email];
    if (credits)
      await client.call(addCredits, { params: { userId: id, credits: String(credits) } });
  }
}
