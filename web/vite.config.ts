import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the console into dist/web. All URLs are relative, so that a proxy can serve the console under any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // An inlined file would be a data URL, which the security policy of the pages does not allow for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_200,
    rolldownOptions: {
      output: {
        // Modules that most pages use are bundled into a few files.
        codeSplitting: {
          groups: [
            {
              name: 'library',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-)?(?:router|query|history|store))/,
            },
            {
              name: 'parts',
              test: /\/web\/(?:api|parts\/(?:layout|messages|format|links|copy|result|markdown))\/|root-url/,
            },
          ],
        },
      },
    },
  },
});
