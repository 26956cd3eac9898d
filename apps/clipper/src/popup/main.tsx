import '@fontsource-variable/inter';
import '../../../web/src/styles/tokens.css';
import './popup.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

const root = document.getElementById('root');
if (!root) throw new Error('popup.html has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
