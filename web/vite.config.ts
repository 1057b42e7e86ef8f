import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the console into dist/web. All URLs are relative, so that a proxy can serve it under any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // An inlined file would be a data URL, which the policy of the pages does not allow for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_200,
  },
});
