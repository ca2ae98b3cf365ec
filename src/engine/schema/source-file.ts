import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  getNodeValue,
} from 'jsonc-parser';
import { joinTexts } from './joined-text.ts';

/** One fault of a definition file; line and column count from 1. */
export interface LintFault {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type JsonPath = readonly (string | number)[];

/** A definition file with its syntax tree, so that every fault has a place. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly root: Node | undefined;
  readonly value: unknown;
}

/** `resources/sales/export_contract.json:24:74 未知字段 ...` */
export function formatFault(fault: LintFault): string {
  return `${fault.path}:${fault.line}:${fault.column} ${fault.message}`;
}

/** Parses a file strictly (no comments, no trailing commas) and reports syntax faults and keys that occur twice. */
export function readSource(path: string, text: string): { file: SourceFile; faults: readonly LintFault[] } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  const file: SourceFile = { path, text, root, value: root && joinTexts(getNodeValue(root)) };
  const faults = errors.slice(0, 1).map((error) => faultAtOffset(file, error.offset, syntaxMessage(error)));
  if (root === undefined && faults.length === 0) faults.push(faultAtOffset(file, 0, '文件为空'));
  return { file, faults: faults.length > 0 ? faults : duplicateKeys(file, root) };
}

/** A file that was found right before: only its value is read now, its tree when a place is asked for. */
export function trustSource(path: string, text: string): SourceFile {
  let root: Node | undefined;
  return {
    path,
    text,
    value: joinTexts(JSON.parse(text)),
    get root() {
      return (root ??= parseTree(text));
    },
  };
}

/** A fault at a value, or at its key when the key itself is at fault. A missing value is reported at its container. */
export function faultAt(
  file: SourceFile,
  path: JsonPath,
  message: string,
  at: 'value' | 'key' = 'value',
): LintFault {
  return faultAtOffset(file, offsetAt(file, path, at), message);
}

/** A fault inside a text value, at a character of the text it stands for: what is written with a backslash counts as one. */
export function faultInText(file: SourceFile, path: JsonPath, offset: number, message: string): LintFault {
  const { start, left } = partAt(file, path, offset);
  let at = start + 1;
  for (let count = left; count > 0; count -= 1) at += writtenLength(file.text, at);
  return faultAtOffset(file, at, message);
}

/** Where the text begins that holds a character: the value itself, or the part of a joined text, with what is left of the way. */
function partAt(file: SourceFile, path: JsonPath, offset: number): { start: number; left: number } {
  const parts = file.root && findNodeAtLocation(file.root, [...path, 'join'])?.children;
  let left = offset;
  for (const part of parts ?? []) {
    const length = typeof part.value === 'string' ? part.value.length : 0;
    if (left < length) return { start: part.offset, left };
    left -= length;
  }
  return {
    start: parts?.at(-1)?.offset ?? offsetAt(file, path, 'value'),
    left: parts === undefined ? offset : 0,
  };
}

/** How many characters of a JSON text stand for the next one. */
function writtenLength(text: string, at: number): number {
  if (text[at] !== '\\') return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}

function offsetAt(file: SourceFile, path: JsonPath, at: 'value' | 'key'): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = file.root && findNodeAtLocation(file.root, path.slice(0, length));
    if (node === undefined) continue;
    const isWhole = length === path.length;
    const key = isWhole && at === 'key' && node.parent?.type === 'property' ? node.parent : undefined;
    return (key ?? node).offset;
  }
  return 0;
}

function faultAtOffset(file: SourceFile, offset: number, message: string): LintFault {
  const before = file.text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { path: file.path, line: before.split('\n').length, column: offset - lineStart + 1, message };
}

function duplicateKeys(file: SourceFile, node: Node | undefined): LintFault[] {
  const faults: LintFault[] = [];
  const seen = new Set<string>();
  for (const child of node?.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined;
    if (key !== undefined && typeof key.value === 'string') {
      if (seen.has(key.value)) faults.push(faultAtOffset(file, key.offset, `键 "${key.value}" 重复`));
      seen.add(key.value);
    }
    faults.push(...duplicateKeys(file, child));
  }
  return faults;
}

function syntaxMessage(error: ParseError): string {
  return SYNTAX_MESSAGES[printParseErrorCode(error.error)] ?? 'JSON语法错误';
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'JSON语法错误：无效的内容',
  InvalidNumberFormat: 'JSON语法错误：数字格式不正确',
  PropertyNameExpected: 'JSON语法错误：此处应为带双引号的键（上一行末尾可能多了逗号）',
  ValueExpected: 'JSON语法错误：此处应为值（可能多了逗号）',
  ColonExpected: 'JSON语法错误：缺少冒号',
  CommaExpected: 'JSON语法错误：缺少逗号',
  CloseBraceExpected: 'JSON语法错误：缺少 }',
  CloseBracketExpected: 'JSON语法错误：缺少 ]',
  EndOfFileExpected: 'JSON语法错误：文件末尾有多余内容',
  InvalidCommentToken: 'JSON语法错误：不允许注释',
  UnexpectedEndOfComment: 'JSON语法错误：注释未结束',
  UnexpectedEndOfString: 'JSON语法错误：文字缺少结束的引号',
  UnexpectedEndOfNumber: 'JSON语法错误：数字不完整',
  InvalidUnicode: 'JSON语法错误：无效的Unicode转义',
  InvalidEscapeCharacter: 'JSON语法错误：无效的转义字符',
  InvalidCharacter: 'JSON语法错误：文字中有无效字符',
};
