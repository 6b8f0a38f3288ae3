import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:8080';

/** Built into the service, which serves it; `npm run dev` serves it beside a service that runs on its usual port. */
export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy knows no data: URLs
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/graphql': service, '/dashboard/session': service, '/dashboard/account': service },
  },
});
