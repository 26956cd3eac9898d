import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractModules } from './build/contract.ts';
import { pageHeads } from './build/page-heads.ts';
import { serviceWorker } from './build/service-worker.ts';

/**
 * Small modules come together in a few files: a browser asks a server for six at a time, so that fifty
 * requests for a kilobyte each hold up the page's first call. What a page does not need at first stays
 * out of what it shares with others: dialogs, tooltips, how files are named, and what only some pages show while they
 * load.
 */
const sharedFiles = [
  { name: 'start', tags: ['$initial'] satisfies ['$initial'], priority: 1 },
  { name: 'icons', test: /[\\/]@tabler[\\/]/u, minShareCount: 3 },
  {
    name: 'files',
    test: /[\\/]web[\\/]src[\\/]components[\\/](?:file-name|place-pill)[^\\/]+$/u,
    minShareCount: 2,
  },
  {
    // The names of source locations, which answers need, but no page at first.
    name: 'places',
    test: /[\\/](?:artifacts[\\/]location|contract[\\/]src[\\/]source-location)\.ts$/u,
    includeDependenciesRecursively: false,
    minShareCount: 2,
  },
  {
    name: 'base',
    test: /[\\/]web[\\/]src[\\/](?:api|artifacts|browser|components|format|session)[\\/](?!app-text|clip|confirm-modal|copy-field|dialog|example-|icon-button|ledger-table|list-head|loading-blocks|menu|paged-list|panel|password-|player|progress|row\.|table|unlock-|use-pages|use-scroll-)[^\\/]+$|[\\/]packages[\\/]/u,
    minShareCount: 2,
  },
  {
    // The limits of questions, which other pages change.
    name: 'narrowing',
    test: /[\\/]features[\\/]location[\\/]geolocation\.ts$|[\\/]IconMapPin\./u,
    minShareCount: 2,
  },
  {
    // The parts of Mantine that the frame of every page uses, without fields and dialogs.
    name: 'window',
    test: /[\\/]@mantine[\\/]hooks[\\/]esm[\\/]use-(?:media-query|viewport-size|window-event)[\\/]/u,
    minShareCount: 2,
  },
  {
    // The modules that many parts of Mantine share, so that a page without fields does not load fields.
    name: 'mantine',
    test: /[\\/]@mantine[\\/]core[\\/]esm[\\/](?:core|utils)[\\/]/u,
    minShareCount: 10,
  },
  {
    name: 'inputs',
    test: /[\\/](?:@floating-ui|@mantine[\\/](?:hooks|core[\\/]esm[\\/](?:components[\\/](?:CloseButton|Floating|InlineInput|Input|InputBase|NativeSelect|Portal|TextInput))))[\\/]/u,
    minShareCount: 4,
  },
  {
    name: 'choices',
    test: /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:Checkbox|Tooltip)[\\/]/u,
    includeDependenciesRecursively: false,
    minShareCount: 2,
  },
  {
    name: 'overlays',
    test: /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:FocusTrap|Modal|ModalBase|Overlay|ScrollArea)[\\/]|[\\/]web[\\/]src[\\/]components[\\/]dialog[^\\/]+$/u,
    minShareCount: 3,
  },
];

export default defineConfig({
  plugins: [react(), contractModules(), pageHeads(), serviceWorker()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: sharedFiles } } },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
