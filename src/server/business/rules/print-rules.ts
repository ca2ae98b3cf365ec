import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { readTemplate } from '#server/workflow/printing/own-templates.ts';
import { textOf } from './rule-values.ts';

/** A company's own template stands for one that there is, is of the same resource, and passes the lint of template files. */
async function checkPrintTemplate({ services, record }: RuleCall): Promise<readonly FieldProblem[]> {
  const name = textOf(record, 'template') ?? '';
  const shipped = services.definitions.setup().prints[name];
  if (shipped === undefined) return [{ path: 'template', code: 'unknown', message: '没有这个打印模板' }];
  const { template, faults } = readTemplate(services, textOf(record, 'definition') ?? '');
  if (template === null)
    return faults.map(({ line, column, message }) => ({
      path: 'definition',
      code: 'definition',
      message: `第 ${line} 行第 ${column} 列：${message}`,
    }));
  if (template.print === name && template.resource === shipped.resource) return [];
  return [
    {
      path: 'definition',
      code: 'template',
      message: `"print" 应为 "${name}"，"resource" 应为 "${shipped.resource}"`,
    },
  ];
}

/** The rules of print templates, by the names that the definitions use. */
export const PRINT_RULES: RuleSet = {
  checks: {
    check_print_template: {
      run: checkPrintTemplate,
      reads: ['print_template.template', 'print_template.definition'],
      why: 'lints a definition that is kept in a row',
    },
  },
};
