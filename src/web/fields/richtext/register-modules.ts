import { registerAttributeModule } from './attribute-module.ts';
import { registerCaretModule } from './caret.ts';
import { registerChartModule } from './chart-module.ts';
import { registerEdgeModule } from './edges.ts';
import { registerHistoryModule } from './history.ts';
import { registerKeptModule } from './kept-module.ts';
import { registerTools } from './tools.ts';

let isRegistered = false;

/** Makes the editor's core know everything that is added to it here, once a page: it keeps a global list. */
export function registerEditorModules(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerAttributeModule();
  registerKeptModule();
  registerChartModule();
  registerHistoryModule();
  registerCaretModule();
  registerEdgeModule();
  registerTools();
}
