import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { connectSession, Providers, RestoreSession } from '../app/providers.tsx';
import { createQueryClient } from '../app/query-client.ts';
import { routes } from '../app/router.tsx';

type Entry = string | { pathname: string; state: unknown };

/** Renders the whole app at an address. The fake server must have been started. */
export function renderApp(
  entry: Entry,
  user = userEvent.setup({ delay: null }),
): { user: UserEvent; router: ReturnType<typeof createMemoryRouter> } {
  const router = createMemoryRouter(routes, { initialEntries: [entry] });
  connectSession();
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { retry: false } });
  render(
    <Providers queryClient={queryClient}>
      <RestoreSession>
        <RouterProvider router={router} />
      </RestoreSession>
    </Providers>,
  );
  return { user, router };
}
