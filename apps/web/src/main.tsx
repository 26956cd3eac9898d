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
import { Providers } from './app/providers.tsx';
import { connectSession } from './app/connect-session.ts';
import { createQueryClient } from './app/query-client.ts';
import { createRouter } from './app/router.tsx';
import { RestoreSession } from './app/restore-session.tsx';
import { listenForInstallOffer } from './browser/install-offer.ts';
import { mendAddress } from './browser/mend-address.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root.');

connectSession();
listenForInstallOffer();
mendAddress();

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={createQueryClient()}>
      <RestoreSession>
        <RouterProvider router={createRouter()} />
      </RestoreSession>
    </Providers>
  </StrictMode>,
);
