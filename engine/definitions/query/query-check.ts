import type { QueryFindings } from '../../sql/reading/sql-findings.js';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import { findToken, sqlTokens } from '../../sql/reading/statement.js';
import type { TemplateProblem } from '../template/template-problem.js';
import { formatChoices, type Variant } from '../template/template-variants.js';
import { type Marker, type TracedText, writeTraced } from './traced-text.js';

export interface QueryCheck {
  readonly problems: readonly TemplateProblem[];
  /** The variants in which the author wrote a LIMIT. */
  readonly limited: ReadonlySet<Variant>;
  /** The tables that the variants read, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** The names of the WITH queries of the variants, in lower case. */
  readonly named: ReadonlySet<string>;
  /** Whether at least one variant returns the optional columns. */
  readonly hasOptional: boolean;
}

/** The columns that a SELECT must return, in order. */
export interface ExpectedColumns {
  /** The required names; undefined for a column that can have any name. */
  readonly names: readonly (string | undefined)[];
  /** Additional columns at the end. A SELECT returns either all of them or none. */
  readonly optional?: readonly string[];
}

/**
 * Parses every variant, with lists of one value and of the maximum length. Reports only the first syntax error, because
 * one mistake breaks many variants. Reports every other problem once per position in the template.
 */
export function checkQuery(
  variants: readonly Variant[],
  columns: ExpectedColumns | undefined,
  readSqlText: SqlReader,
): QueryCheck {
  const read = variants.flatMap((variant) =>
    writeTracedTexts(variant).map((text) => ({ variant, text, reading: readSqlText(text.sql) })),
  );
  const broken = read.flatMap(({ variant, text, reading }) =>
    'message' in reading ? [{ variant, text, reading }] : [],
  );
  const sound = read.flatMap(({ variant, text, reading }) =>
    'findings' in reading ? [{ variant, text, findings: reading.findings }] : [],
  );
  const problems = [
    ...broken
      .slice(0, 1)
      .map(({ variant, text, reading }) => syntaxProblem(text, reading, sound.length > 0 ? variant : undefined)),
    ...sound.flatMap(({ text, findings }) => [
      ...valueProblems(text, findings),
      ...findings.rejections.map(({ token, at, message }) => ({
        offset: at === undefined ? tokenOffset(text, token) : text.templateOffset(at),
        message,
      })),
    ]),
  ];
  if (columns !== undefined && problems.length === 0) {
    problems.push(...sound.flatMap(({ findings }) => columnProblems(columns, findings.outputs)).slice(0, 1));
  }
  const limited = new Set(sound.filter(({ findings }) => findings.hasLimit).map(({ variant }) => variant));
  const tables = new Set(sound.flatMap(({ findings }) => [...findings.tables]));
  const required = columns?.names.length ?? 0;
  const hasOptional =
    columns?.optional !== undefined && sound.some(({ findings }) => (findings.outputs?.length ?? 0) > required);
  const named = new Set(sound.flatMap(({ findings }) => [...findings.named]));
  return { problems: deduplicate(problems), limited, tables, named, hasOptional };
}

function writeTracedTexts(variant: Variant): TracedText[] {
  const shortest = writeTraced(variant.pieces, () => 1);
  const hasArrays = shortest.markers.some(({ output }) => output.maxItems !== undefined);
  return hasArrays ? [shortest, writeTraced(variant.pieces, ({ maxItems }) => maxItems ?? 1)] : [shortest];
}

function deduplicate(problems: readonly TemplateProblem[]): TemplateProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.offset} ${problem.message}`, problem])).values()];
}

function syntaxProblem(
  text: TracedText,
  { message, start, end }: { message: string; start: number; end: number },
  variant: Variant | undefined,
): TemplateProblem {
  // A misplaced value can also cause a syntax error directly after it, as in `{{ x }}.name`, or at a comma inside a
  // list of values.
  const next = text.sql[start] ?? '';
  const marker = text.markers.find((one) => {
    const isPartOfValue = /[\w.(:]/.test(next) || (next === ',' && one.output.maxItems !== undefined);
    return one.start < end && (start < one.end || (isPartOfValue && start === one.end));
  });
  if (marker !== undefined) return misplacedProblem(text, marker);
  const when = variant === undefined ? '' : formatChoices(variant.choices);
  return { offset: text.templateOffset(start), message: `${message}${when === '' ? '' : ` (when ${when})`}` };
}

function valueProblems(text: TracedText, findings: QueryFindings): TemplateProblem[] {
  const unbound = text.markers
    .filter(({ name }) => !findings.bound.has(name))
    .map((marker) => misplacedProblem(text, marker));
  const names = new Set(text.markers.map(({ name }) => name));
  const ofAuthor = [...findings.bound]
    .filter((name) => !names.has(name))
    .map((name) => ({
      offset: text.templateOffset(text.sql.indexOf(`:${name}`)),
      message: `bind a value with {{ name }}, not with the marker :${name}`,
    }));
  const withoutEffect = text.markers.flatMap((marker) => {
    const place = findings.meaningless.get(marker.name);
    return place === undefined ? [] : [meaninglessProblem(marker, place)];
  });
  return [...unbound, ...ofAuthor, ...withoutEffect];
}

function meaninglessProblem({ output, at }: Marker, place: string): TemplateProblem {
  const message =
    place.endsWith(' BY') || place === 'IS'
      ? `{{ ${output.name} }} in ${place} is a constant and has no effect`
      : `${place} requires a keyword here, not a value`;
  return { offset: at, message: `${message}: select a fragment with {% case %}` };
}

/** Explains why a parameter value is not allowed at this position, and what to write instead. */
function misplacedProblem(text: TracedText, { output, at, start, end }: Marker): TemplateProblem {
  const name = `{{ ${output.name} }}`;
  const tokens = sqlTokens(text.sql);
  const around = tokens.find((token) => token.start < start && token.end > end);
  const isComment = around === undefined && tokens.every((token) => token.end <= start || token.start >= end);
  if (around !== undefined && /['"]/.test(text.sql[around.start] ?? '')) {
    const message = `${name} is inside a string literal: bind it outside, for example CONCAT('%', ${name}, '%')`;
    return { offset: at, message };
  }
  if (around !== undefined) {
    return {
      offset: at,
      message: `${name} is inside a quoted name: names cannot be bound, select a fragment with {% case %}`,
    };
  }
  if (isComment) return { offset: at, message: `${name} is inside a comment: remove it` };
  if (output.maxItems !== undefined) {
    return { offset: at, message: `${name} is a list of values: use it only in IN (${name})` };
  }
  return {
    offset: at,
    message: `${name} is where SQL requires a name or a keyword: only values can be bound, select a fragment with {% case %}`,
  };
}

function columnProblems(
  { names, optional = [] }: ExpectedColumns,
  outputs: readonly (string | null)[] | undefined,
): TemplateProblem[] {
  if (outputs === undefined) return [];
  const columns = outputs.length > names.length ? [...names, ...optional] : names;
  const isWrong = (name: string | null, index: number) => columns[index] !== undefined && name !== columns[index];
  const place = outputs.findIndex(isWrong);
  if (place < 0 && outputs.length === columns.length) return [];
  if (place >= 0 && outputs[place] === null) {
    return [{ offset: 0, message: `column ${place + 1} of the SELECT has no name: add one with AS` }];
  }
  const declared = columns.map((name) => name ?? 'a column of any name').join(', ');
  const got = outputs.map((name) => name ?? 'a column without a name').join(', ');
  return [{ offset: 0, message: `the SELECT returns the wrong columns: expected ${declared}, got ${got}` }];
}

function tokenOffset(text: TracedText, name: string): number {
  const found = findToken(sqlTokens(text.sql), name);
  return text.templateOffset(found?.start ?? 0);
}
