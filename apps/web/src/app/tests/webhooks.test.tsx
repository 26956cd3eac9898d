import {
  addWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  pauseWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@engram/contract';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const SECRET = 'whsec_c2VjcmV0';
const id = '00000000-0000-4000-8000-000000000001';

const aWebhook = (overrides: Partial<Webhook> = {}): Webhook => ({
  id,
  url: 'https://home.example.org/engram',
  events: ['file.ready', 'question.answered'],
  description: null,
  state: 'active',
  failingSince: null,
  createdDate: '2026-11-03T17:05:00Z',
  ...overrides,
});

const aDelivery = (overrides: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: '00000000-0000-4000-8000-000000000002',
  type: 'file.ready',
  createdDate: '2026-11-03T17:05:00Z',
  state: 'delivered',
  attempts: 1,
  attemptedAt: '2026-11-03T17:05:01Z',
  status: 204,
  error: null,
  nextAttemptAt: null,
  ...overrides,
});

let server: FakeServer;
let webhooks: Webhook[];
let deliveries: WebhookDelivery[];

beforeEach(() => {
  notifications.clean();
  sessionStorage.setItem('authToken', 'a-token');
  sessionStorage.setItem('a_exist', 'true');
  webhooks = [];
  deliveries = [];
  server = startServerWithFiles()
    .on(listWebhooks, () => webhooks)
    .on(addWebhook, ({ body }) => {
      webhooks = [aWebhook({ ...(body as object), description: null })];
      return { ...webhooks[0]!, secret: SECRET };
    })
    .on(pauseWebhook, ({ body }) => {
      const { paused } = body as { paused: boolean };
      webhooks = webhooks.map((webhook) => ({ ...webhook, state: paused ? 'paused' : 'active' }));
      return webhooks[0]!;
    })
    .on(rotateWebhookSecret, () => ({ ...webhooks[0]!, secret: SECRET }))
    .on(testWebhook, () => {
      deliveries = [aDelivery({ type: 'webhook.test' })];
      return deliveries[0]!;
    })
    .on(
      listWebhookDeliveries,
      () => deliveries,
      () => ({ total: deliveries.length, nextCursor: null }),
    )
    .on(resendWebhookDelivery, () => {
      deliveries = [aDelivery({ attempts: 8 })];
      return deliveries[0]!;
    })
    .on(deleteWebhook, () => {
      webhooks = [];
      return null;
    });
});

async function open() {
  const { user } = renderApp('/settings#integrations');
  const section = await screen.findByRole('region', { name: 'Webhooks' });
  const clickAction = async (name: string): Promise<void> => {
    await user.click(await screen.findByRole('button', { name: /^More actions for / }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  return { user, section, clickAction };
}

test('a webhook is added, its secret is shown once, and nothing in the browser stores it', async () => {
  const { user, section } = await open();
  await within(section).findByText('No webhooks yet');
  await user.click(within(section).getByRole('button', { name: 'Add webhook' }));
  const form = await screen.findByRole('dialog', { name: 'Add webhook' });
  await user.click(within(form).getByRole('button', { name: 'Add' }));
  await within(form).findByText('Please enter a web address.');
  await user.type(
    within(form).getByRole('textbox', { name: 'Address' }),
    'https://home.example.org/engram',
  );
  await user.click(within(form).getByRole('checkbox', { name: 'A file could not be read' }));
  await user.click(within(form).getByRole('button', { name: 'Add' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your webhook secret' });
  expect(server.callsOf(addWebhook).map(({ body }) => body)).toEqual([
    {
      url: 'https://home.example.org/engram',
      events: ['file.ready', 'question.answered'],
      description: '',
    },
  ]);
  await user.click(within(dialog).getByRole('button', { name: 'Copy' }));
  await within(dialog).findByText('Secret copied.');
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await within(section).findByText('https://home.example.org/engram');
  await waitFor(() => expect(document.body.innerHTML).not.toContain(SECRET));
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(SECRET);
});

test('a refused address leaves the form open with the reason', async () => {
  server.on(addWebhook, () => new Refusal(400, 'hook.example.org cannot be found.'));
  const { user, section } = await open();
  await user.click(await within(section).findByRole('button', { name: 'Add webhook' }));
  const form = await screen.findByRole('dialog', { name: 'Add webhook' });
  await user.type(
    within(form).getByRole('textbox', { name: 'Address' }),
    'https://hook.example.org',
  );
  await user.click(within(form).getByRole('button', { name: 'Add' }));
  const alert = await within(form).findByRole('alert');
  expect(alert.textContent).toContain('hook.example.org cannot be found.');
});

test('a test opens the list of deliveries with its response, and a failed one can be sent again', async () => {
  webhooks = [aWebhook({ description: 'Home server' })];
  const { user, clickAction } = await open();
  await clickAction('Send a test');
  const dialog = await screen.findByRole('dialog', { name: 'Deliveries to Home server' });
  const [row] = await within(dialog).findAllByRole('listitem');
  expect(row?.textContent).toContain('Test Delivered');
  expect(row?.textContent).toContain('Answered 204');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog.isConnected).toBe(false));

  deliveries = [aDelivery({ state: 'failed', status: 500, attempts: 7 })];
  await user.click(screen.getByRole('button', { name: 'Deliveries to Home server' }));
  const reopened = await screen.findByRole('dialog', { name: 'Deliveries to Home server' });
  await within(reopened).findByText('Answered 500');
  await user.click(within(reopened).getByRole('button', { name: /^Send again: A file is ready/u }));
  await within(reopened).findByText('Attempt 8');
});

test('a webhook can be paused, resumed, given another secret, and removed after a confirmation', async () => {
  webhooks = [aWebhook()];
  const { user, section, clickAction } = await open();
  await clickAction('Pause');
  await within(section).findByText('Paused');
  await clickAction('Resume');
  await waitFor(() => expect(within(section).queryByText('Paused')).toBeNull());
  await clickAction('Rotate secret');
  await user.click(await screen.findByRole('button', { name: 'Rotate' }));
  await screen.findByDisplayValue(SECRET);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await clickAction('Remove');
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  await within(section).findByText('No webhooks yet');
});

test.each([
  [{ state: 'gone' }, 'The address answered 410 (Gone).'],
  [{ state: 'failing' }, 'All deliveries failed for 5 days, so Engram stopped sending.'],
  [{ failingSince: '2026-11-03T17:05:00Z' }, 'Deliveries have failed since Nov 3, 2026 05:05 PM.'],
] as const)('a webhook with %o shows the problem', async (overrides, text) => {
  webhooks = [aWebhook(overrides)];
  const { section } = await open();
  await waitFor(() => expect(section.textContent).toContain(text));
});
