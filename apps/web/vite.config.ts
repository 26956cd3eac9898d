import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist', target: 'es2023', assetsInlineLimit: 0 },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
});
