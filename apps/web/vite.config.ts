import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageHeads } from './build/page-heads.ts';
import { serviceWorker } from './build/service-worker.ts';

/**
 * Small modules that most pages share come in two files: on a slow line, forty requests for a
 * kilobyte each take longer than what is in them.
 */
const sharedFiles = [
  { name: 'icons', test: /[\\/]@tabler[\\/]/u, minShareCount: 3 },
  {
    name: 'base',
    // A dialog brings the library's with it, which no page needs at first.
    test: /[\\/]web[\\/]src[\\/](?:lib|components)[\\/](?!confirm-modal)[^\\/]+$|[\\/]packages[\\/]/u,
    minShareCount: 5,
  },
];

export default defineConfig({
  plugins: [react(), pageHeads(), serviceWorker()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: sharedFiles } } },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
