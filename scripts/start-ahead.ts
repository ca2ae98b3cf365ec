import type { Plugin } from 'vite';

const ENTRY = 'ahead';

/**
 * Has the page start `ahead.ts` before its program, which has the imports of both on the way. Only in a build: in
 * development nothing is slow to come.
 */
export function startAhead(): Plugin {
  return {
    name: 'start-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === ENTRY);
        if (entry === undefined) return html;
        const script = `<script type="module" async crossorigin fetchpriority="high" src="/${entry.fileName}"></script>`;
        return html.replace('<script type="module"', `${script}\n    <script type="module"`);
      },
    },
  };
}
