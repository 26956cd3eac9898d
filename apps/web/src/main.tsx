import '@fontsource-variable/inter';
import './styles/base.css';
import '@mantine/core/styles.layer.css';
import '@mantine/dropzone/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './styles/tokens.css';
import './styles/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Providers, connectSession, RestoreSession } from './app/providers.tsx';
import { createQueryClient } from './app/query-client.ts';
import { createRouter } from './app/router.tsx';
import { listenForInstallPrompt } from './components/install-offer.tsx';
import { repairAddress } from './browser/address.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');

connectSession();
listenForInstallPrompt();
repairAddress();

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={createQueryClient()}>
      <RestoreSession>
        <RouterProvider router={createRouter()} />
      </RestoreSession>
    </Providers>
  </StrictMode>,
);
