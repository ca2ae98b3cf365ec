import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { speakChinese } from './scripts/speak-chinese.ts';
import { startAhead } from './scripts/start-ahead.ts';

const root = import.meta.dirname;
const demoKey = 'erp-demo-aes-key';
const serverPort = process.env['PORT'] ?? '8080';

const WEB_TESTS = 'tests/web/**/*.test.{ts,tsx}';
const COUNTING_TESTS = ['tests/server/auth/login-safety.test.ts'];

/** Three uses of one file: the web build, the server build (`--ssr`), and the tests. */
export default defineConfig(({ isSsrBuild, mode }) => ({
  root: mode === 'test' ? root : path.join(root, 'src/web'),
  // Drawn assets keep their names: the server names a variant's background.
  publicDir: path.join(root, 'src/web/assets'),
  plugins: [react(), speakChinese(), startAhead()],
  define: { __ERP_AES_KEY__: JSON.stringify(process.env['ERP_AES_KEY'] ?? demoKey) },
  build: isSsrBuild === true ? serverBuild() : webBuild(),
  // Packages stay outside the server's build, all of them, without a list of their names.
  ...(isSsrBuild === true ? { ssr: { external: true as const } } : {}),
  server: { port: 5173, proxy: { '/erp': `http://127.0.0.1:${serverPort}` } },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // They only end what hangs: the machine may be busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      // Pages keep their state in modules and in the document, and a counted package must be loaded anew; everything else
      // is loaded, and warmed up, once a process.
      { extends: true, test: { name: 'alone', include: [WEB_TESTS, ...COUNTING_TESTS] } },
      {
        extends: true,
        test: {
          name: 'rest',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [WEB_TESTS, ...COUNTING_TESTS],
          isolate: false,
        },
      },
    ],
  },
}));

function webBuild() {
  return {
    outDir: path.join(root, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    rollupOptions: {
      input: {
        index: path.join(root, 'src/web/index.html'),
        ahead: path.join(root, 'src/web/app/ahead.ts'),
      },
      // refine's antd package imports these at its top for components that no page uses.
      treeshake: {
        moduleSideEffects: [
          {
            test: /node_modules[\\/](@refinedev[\\/]antd|@ant-design[\\/]pro-layout|react-markdown|remark-gfm|sunflower-antd)[\\/]/,
            sideEffects: false,
          },
        ],
      },
      output: {
        // Grouping antd would pull all of it into the login page. `ahead` must not wait for react, and what the first page
        // shares with later ones is one request, not five.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: 'guard', test: /src[\\/]web[\\/]app[\\/](guard|show-signed-in)\.ts/ },
            { name: 'start', test: /src[\\/]web[\\/](styles[\\/]|app[\\/](root|outside-pages)\.tsx?)/ },
          ],
        },
      },
    },
  };
}

function serverBuild() {
  return {
    ssr: true,
    outDir: path.join(root, 'dist/server'),
    emptyOutDir: true,
    target: 'node20',
    rollupOptions: {
      // The program, those of its threads, which lie in one folder to find one another, and what writes the login page.
      input: {
        main: path.join(root, 'scripts/serve.ts'),
        'make-seed': path.join(root, 'scripts/make-seed.ts'),
        'login-html': path.join(root, 'src/web/features/login/login-html.tsx'),
        'bank-file-worker': path.join(root, 'src/server/business/banking/bank-file-worker.ts'),
        'html-worker': path.join(root, 'src/server/records/write/html-worker.ts'),
        'print-worker': path.join(root, 'src/server/workflow/printing/print-worker.ts'),
        'table-worker': path.join(root, 'src/server/workflow/transfer/table-worker.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  };
}
