import { screen } from '@testing-library/react';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import { startServerWithFiles } from '../../tests/factories.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

test('the kit shows every part, without an error and without a finding of axe', async () => {
  startServerWithFiles();
  const errors = vi.spyOn(console, 'error');
  const { user } = renderApp('/kit');
  expect(await screen.findByRole('heading', { name: 'Kit', level: 1 })).toBeTruthy();

  const { violations } = await axe.run(screen.getByRole('main'));
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

  await user.click(screen.getByRole('button', { name: 'Options for the fig' }));
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByRole('dialog', { name: 'Pick the figs' })).toBeTruthy();
  await user.keyboard('{Escape}');

  await user.click(screen.getByRole('button', { name: 'Ask' }));
  expect(await screen.findByRole('dialog', { name: 'Confirm Delete' })).toBeTruthy();
  expect(errors.mock.calls).toEqual([]);
});
