import {
  answerQuestions,
  deleteAccount,
  deleteAllArtifacts,
  deleteHistory,
  deleteProfileImage,
  getProfile,
  listAnsweredQuestions,
  updateProfile,
  uploadProfileImage,
  type AnsweredQuestion,
} from '@engram/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { aProfile } from '../../tests/factories.test-setup.ts';
import { Refusal, type FakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';
import { paths } from '../paths.ts';
import { openSection, startAccount, type Account } from './profile-page.test-setup.ts';

let server: FakeServer;
let account: Account;
beforeEach(() => {
  ({ server, account } = startAccount());
});

const sectionNames = async () =>
  within(await screen.findByRole('navigation', { name: 'Profile sections' }))
    .getAllByRole('link')
    .map((link) => link.textContent);
const current = () => screen.getByRole('heading', { level: 2 }).textContent;

describe('the sections', () => {
  test('are tabs, of which the first is open, and Admin is shown only to admins', async () => {
    renderApp(paths.profile);
    const commonSections = ['Your Preferences', 'Billing', 'Invoices'];
    const settingsSections = ['General settings', 'Customization', 'Security'];
    expect(await sectionNames()).toEqual(['My Profile', ...commonSections, ...settingsSections]);
    expect(current()).toBe('My Profile');
  });

  test('include Admin for admins, which opens only at its address', async () => {
    sessionStorage.setItem('is_admin', 'true');
    await openSection('admin', 'Admin');
    expect((await sectionNames())[1]).toBe('Admin');
  });

  test.each(['admin', 'nonsense'])(
    'open with the first one at the unknown address #%s',
    async (key) => {
      await openSection(key, 'My Profile');
      expect(await sectionNames()).not.toContain('Admin');
    },
  );

  test('open from the menu, and after a reload', async () => {
    const { router } = renderApp({
      pathname: paths.profile,
      state: { section: 'yourpreferences' },
    });
    expect(await screen.findByRole('heading', { name: 'Your Preferences' })).toBeTruthy();
    await waitFor(() => expect(router.state.location.hash).toBe('#yourpreferences'));
    expect(router.state.location.state).toBeNull();
  });

  test('open by a click, which names the section in the address and focuses its heading', async () => {
    const { user, router } = renderApp(paths.profile);
    for (const [name, key] of [
      ['General settings', 'portfolio'],
      ['Customization', 'customization'],
      ['Security', 'security'],
    ]) {
      await user.click(await screen.findByRole('link', { name: name! }));
      expect(router.state.location.hash).toBe(`#${key}`);
      const heading = await screen.findByRole('heading', { level: 2, name: name! });
      expect(screen.queryByText('Please check back soon') === null).toBe(key !== 'customization');
      await waitFor(() => expect(document.activeElement).toBe(heading));
      expect(screen.getByRole('link', { name: name! }).getAttribute('aria-current')).toBe('page');
    }
  });
});

describe('the details', () => {
  const open = () => openSection('myprofile', 'My Profile');
  const field = (name: string) => screen.findByRole('textbox', { name });
  const save = (user: UserEvent) =>
    user.click(screen.getByRole('button', { name: 'Save changes' }));

  test('are saved, confirmed, and shown in the sidebar immediately', async () => {
    server.on(updateProfile, ({ body }) => {
      account.profile = { ...account.profile, ...(body as object) };
      return account.profile;
    });
    const { user } = await open();
    await user.clear(await field('Name'));
    await user.type(await field('Name'), 'Carla Diaz');
    await user.type(await field('Alternative email'), 'carla@example.net');
    await user.type(await field('Phone'), '5551234567');
    expect((await field('Phone')).getAttribute('value')).toBe('(555) 123-4567');
    await save(user);
    expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
    expect(server.callsOf(updateProfile).map(({ body }) => body)).toEqual([
      { name: 'Carla Diaz', altEmail: 'carla@example.net', phone: '(555) 123-4567' },
    ]);
    const sidebar = within(screen.getByRole('complementary', { name: 'Sidebar' }));
    expect(sidebar.getByText('Carla Diaz')).toBeTruthy();
    expect(sidebar.getByText('CD')).toBeTruthy();
    expect(sessionStorage.getItem('userInitials')).toBe('CD');
    await save(user);
    expect(await screen.findByText('Make changes to update your profile')).toBeTruthy();
  });

  test('are not sent without a change, and the e-mail cannot be changed', async () => {
    const { user } = await open();
    expect((await field('Email')).hasAttribute('readonly')).toBe(true);
    await save(user);
    expect(await screen.findByText('Make changes to update your profile')).toBeTruthy();
    await user.type(await field('Name'), 'x');
    expect(screen.queryByText('Make changes to update your profile')).toBeNull();
    expect(server.callsOf(updateProfile)).toEqual([]);
  });

  test('are not sent with an invalid value, which is reported at its field, and can be cleared', async () => {
    account.profile = aProfile({ phone: '(555) 123-4567' });
    server.on(updateProfile, () => aProfile());
    const { user } = await open();
    expect((await field('Phone')).getAttribute('maxlength')).toBe('14');
    await user.clear(await field('Phone'));
    await user.type(await field('Phone'), 'call me');
    await user.type(await field('Alternative email'), 'nobody');
    await save(user);
    expect(await screen.findByText('Please enter a valid phone number.')).toBeTruthy();
    expect(screen.getByText('Please enter a valid email address.')).toBeTruthy();
    expect(server.callsOf(updateProfile)).toEqual([]);
    await user.clear(await field('Phone'));
    await user.clear(await field('Alternative email'));
    await save(user);
    await waitFor(() =>
      expect(server.callsOf(updateProfile).map(({ body }) => body)).toEqual([{ phone: null }]),
    );
  });

  test.each([
    ['the server’s words', () => new Refusal(503, 'The database is not answering.')],
    ['its own words without an answer', () => Promise.reject(new Error(''))],
  ])('keep the input after a failure, which is shown in %s', async (_, failure) => {
    server.on(updateProfile, failure);
    const { user } = await open();
    await user.type(await field('Name'), ' II');
    await save(user);
    const message = /The database is not answering\.|An unknown error occurred/u;
    expect((await screen.findByRole('alert')).textContent).toMatch(message);
    expect((await field('Name')).getAttribute('value')).toBe('Ann Becker II');
  });
});

describe('the photo', () => {
  const PNG = new File([new Uint8Array(10)], 'me.png', { type: 'image/png' });
  const openModal = async (name = 'Add a photo') => {
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:me', revokeObjectURL: () => undefined }),
    );
    const { user } = await openSection('myprofile', 'My Profile');
    await user.click(await screen.findByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name: 'Profile photo' });
    return { user, dialog: within(dialog), input: () => dialog.querySelector('input')! };
  };

  test('must be a JPG or PNG of up to 2 MB', async () => {
    const { user, dialog, input } = await openModal();
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(dialog.getByRole('alert').textContent).toBe('Please select an image to upload.');
    const gif = new File(['x'], 'me.gif', { type: 'image/gif' });
    fireEvent.change(input(), { target: { files: [gif] } });
    expect(dialog.getByRole('alert').textContent).toBe(
      'Invalid file format. Please select a JPG or PNG image.',
    );
    const large = new File([new Uint8Array(2_097_153)], 'me.jpg', { type: 'image/jpeg' });
    fireEvent.change(input(), { target: { files: [large] } });
    expect(dialog.getByRole('alert').textContent).toBe(
      'File size exceeds 2MB. Please select a smaller image.',
    );
    expect(server.callsOf(uploadProfileImage)).toEqual([]);
  });

  test('has a preview, and is then shown wherever the user is', async () => {
    server.on(uploadProfileImage, () => 'aGVsbG8=');
    const { user, dialog, input } = await openModal();
    fireEvent.change(input(), { target: { files: [PNG] } });
    expect(dialog.getByRole('img').getAttribute('src')).toBe('blob:me');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
    expect(server.callsOf(uploadProfileImage)[0]?.form.get('file')).toBeInstanceOf(File);
    const sidebar = screen.getByRole('complementary', { name: 'Sidebar' });
    expect(sidebar.querySelector('img')?.src).toBe('data:image/jpeg;base64,aGVsbG8=');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('stays unchanged after a failed upload, which is reported', async () => {
    server.on(uploadProfileImage, () => new Refusal(415, 'The file is no picture.'));
    const { user, dialog, input } = await openModal();
    fireEvent.change(input(), { target: { files: [PNG] } });
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    const alert = await dialog.findByRole('alert');
    expect(alert.textContent).toContain('Error uploading image.');
    expect(alert.textContent).toContain('The file is no picture.');
  });

  test('can be removed', async () => {
    account.profile = aProfile({ profileImage: 'aGVsbG8=' });
    server.on(deleteProfileImage, () => aProfile());
    const { user } = await openSection('myprofile', 'My Profile');
    await user.click(await screen.findByRole('button', { name: 'Remove photo' }));
    expect(await screen.findByRole('button', { name: 'Add a photo' })).toBeTruthy();
    expect(screen.getByRole('complementary').querySelector('img')).toBeNull();
  });
});

describe('deleting', () => {
  const openConfirmation = async (name: string) => {
    const { user, router } = await openSection('myprofile', 'My Profile');
    await user.click(await screen.findByRole('button', { name }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm Delete' }));
    return { user, router, dialog, confirmButton: dialog.getByRole('button', { name: 'Delete' }) };
  };

  test.each([
    ['Delete all search history', deleteHistory, 'Search History deleted successfully.', 'true'],
    ['Delete all files', deleteAllArtifacts, 'Files deleted successfully.', 'false'],
  ])(
    '%s asks for confirmation, reports the success, and clears every cached list',
    async (name, route, confirmation, exist) => {
      for (const key of ['searchHistoryKey', 'keywords']) {
        sessionStorage.setItem(key, JSON.stringify({ data: ['old'], timestamp: Date.now() }));
      }
      server.on(route, () => null);
      const { user, confirmButton } = await openConfirmation(name);
      expect(server.callsOf(route)).toEqual([]);
      await user.click(confirmButton);
      expect(await screen.findByText(confirmation)).toBeTruthy();
      expect(server.callsOf(route)).toHaveLength(1);
      expect(sessionStorage.getItem('searchHistoryKey')).toBeNull();
      expect(sessionStorage.getItem('keywords')).toBeNull();
      expect(sessionStorage.getItem('a_exist')).toBe(exist);
      expect(sessionStorage.getItem('authToken')).toBe('a-token');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  test.each([
    [
      'the server’s words',
      () => new Refusal(503, 'The database is busy.'),
      'Error: The database is busy.',
    ],
    ['its own where the server has none', () => new Refusal(502, ''), 'Error: Failed to delete.'],
    [
      'its own where the network failed',
      () => Promise.reject(new TypeError('Failed to fetch')),
      'Server error. Please try again later.',
    ],
  ])('fails with a message in %s, and removes nothing', async (_, failure, message) => {
    server.on(deleteHistory, failure);
    sessionStorage.setItem('keywords', JSON.stringify({ data: ['old'], timestamp: Date.now() }));
    const { user, dialog, confirmButton } = await openConfirmation('Delete all search history');
    await user.click(confirmButton);
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(sessionStorage.getItem('keywords')).not.toBeNull();
  });

  test('the account removes everything, and opens the sign-in page', async () => {
    server.on(deleteAccount, () => null);
    const { user, router, dialog, confirmButton } = await openConfirmation('Delete account');
    await user.type(dialog.getByRole('textbox'), 'ann.becker@example.com');
    await user.click(confirmButton);
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login));
    expect(sessionStorage.length).toBe(0);
  });
});

describe('preferences', () => {
  const question = (n: number, selectedOptionId: string | null): AnsweredQuestion => ({
    questionId: `q${n}`,
    question: `Question ${n}?`,
    options: ['Yes', 'No'].map((optionText) => ({ optionId: optionText, optionText })),
    selectedOptionId,
  });
  const open = () => openSection('yourpreferences', 'Your Preferences');
  const group = (n: number) => screen.findByRole('radiogroup', { name: `Question ${n}?` });
  const chosen = async (n: number) =>
    within(await group(n))
      .getAllByRole('radio')
      .filter((radio) => (radio as HTMLInputElement).checked)
      .map((radio) => (radio as HTMLInputElement).value);

  test('show the stored choices, and save only what is changed', async () => {
    server
      .on(listAnsweredQuestions, () => [question(1, 'Yes'), question(2, null)])
      .on(answerQuestions, () => [question(1, 'Yes'), question(2, 'No')]);
    const { user } = await open();
    expect(await chosen(1)).toEqual(['Yes']);
    expect(await chosen(2)).toEqual([]);
    const save = screen.getByRole('button', { name: 'Save answers' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.click(within(await group(2)).getByRole('radio', { name: 'No' }));
    await user.click(within(await group(1)).getByRole('radio', { name: 'No' }));
    await user.click(within(await group(1)).getByRole('radio', { name: 'Yes' }));
    await user.click(save);
    expect(await screen.findByText('Your answers are saved.')).toBeTruthy();
    expect(server.callsOf(answerQuestions).map(({ body }) => body)).toEqual([
      { responses: [{ questionId: 'q2', selectedOption: 'No' }] },
    ]);
    expect(await chosen(2)).toEqual(['No']);
    expect(save.hasAttribute('disabled')).toBe(true);
  });

  test('can be retried if loading fails, and keep the choice if saving fails', async () => {
    server
      .on(getProfile, () => new Refusal(503, 'The database is busy.'))
      .on(listAnsweredQuestions, () => new Refusal(503, 'The database is busy.'))
      .on(answerQuestions, () => new Refusal(503, 'The database is busy.'));
    const { user } = await open();
    expect(await screen.findByText('Failed to load questions.')).toBeTruthy();
    expect(await screen.findByText('Your time zone could not be loaded.')).toBeTruthy();
    server.on(listAnsweredQuestions, () => [question(1, 'Yes')]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await user.click(within(await group(1)).getByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Save answers' }));
    expect(await screen.findByText('Your answers could not be saved.')).toBeTruthy();
    expect(await chosen(1)).toEqual(['No']);
  });

  test('include the device’s time zone, which is reverted if saving fails', async () => {
    server
      .on(listAnsweredQuestions, () => [])
      .on(updateProfile, () => {
        account.profile = { ...account.profile, deviceTimeZone: true };
        return account.profile;
      });
    const { user } = await open();
    const device = await screen.findByRole('radio', { name: 'This device’s time zone' });
    const serverZone = screen.getByRole('radio', { name: 'This server’s time zone' });
    await waitFor(() => expect(serverZone).toHaveProperty('checked', true));
    // It is shown immediately, before the server has confirmed it.
    fireEvent.click(device);
    expect(device).toHaveProperty('checked', true);
    expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
    expect(server.callsOf(updateProfile)[0]?.body).toEqual({ deviceTimeZone: true });
    await waitFor(() => expect(device).toHaveProperty('checked', true));

    server.on(updateProfile, () => new Refusal(503, 'The database is busy.'));
    await user.click(serverZone);
    expect(await screen.findByText('The time zone was not changed')).toBeTruthy();
    expect(device).toHaveProperty('checked', true);
  });
});
