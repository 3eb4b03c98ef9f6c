import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The oldest runtime the main side is built for. */
const TARGET = 'node20.18';

/** The development server injects scripts that the console's own policy forbids; the built console keeps it. */
const relaxedWhileServing: Plugin = {
  name: 'no-content-security-policy-while-serving',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

// Three parts: the main side as ES modules in one folder, where worker threads find their files beside the chunk that
// starts them; the preload as one CommonJS file, which a sandboxed window needs; and the console.
export default defineConfig({
  main: {
    build: {
      target: TARGET,
      outDir: 'out/main',
      // What may be missing is looked for when the program runs, as its dependencies are.
      externalizeDeps: { include: ['hash-wasm'] },
      rolldownOptions: {
        input: {
          main: path('electron/main.ts'),
          'desk-process': path('electron/desk-process.ts'),
          cli: path('electron/cli.ts'),
          'practice-process': path('electron/practice-process.ts'),
          'journal-writer': path('electron/journal/writer-thread.ts'),
          'journal-reader': path('electron/journal/reader-thread.ts'),
          'log-thread': path('electron/desk/log-thread.ts'),
          'past-thread': path('electron/desk/past-thread.ts'),
          'signer-check': path('electron/signer/check-thread.ts'),
          'signer-key': path('electron/signer/key-thread.ts'),
        },
        // What draws a PDF loads these for pictures and pages of HTML, of which it is given none.
        external: ['canvg', 'dompurify', 'html2canvas'],
        // The tests give a thread of the journal one journal after the other.
        preserveEntrySignatures: 'exports-only',
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      target: TARGET,
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: path('electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('renderer'),
    plugins: [react(), relaxedWhileServing],
    // A class says on the screen where it is written: `ladder-module__cell`, with what tells equal names apart.
    css: { modules: { generateScopedName: '[name]__[local]--[hash:base64:4]' } },
    build: {
      outDir: path('out/renderer'),
      minify: true,
      // The console is read from this machine's disk, not over a network: one file of any size is right.
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: { input: { index: path('renderer/index.html'), desks: path('renderer/desks.html') } },
    },
  },
});
