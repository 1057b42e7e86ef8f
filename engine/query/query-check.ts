import type { QueryFindings } from '../../sql/reading/sql-findings.js';
import { type SqlReader, sqlTokens } from '../../sql/reading/sql-reader.js';
import type { TemplateProblem } from '../template/template-problem.js';
import { formatChoices, type Variant } from '../template/template-variants.js';
import { type Marker, type TracedText, writeTraced } from './traced-text.js';

export interface QueryCheck {
  readonly problems: readonly TemplateProblem[];
  /** Variants that have their own LIMIT. */
  readonly limited: ReadonlySet<Variant>;
}

/** The columns that a SELECT must give, in order; undefined for one of any name. */
export type ExpectedColumns = readonly (string | undefined)[];

/**
 * Parses every variant, with arrays of one value and of the most. Of texts that do not parse only the first is told,
 * since one mistake spoils many variants; everything else is told once for each place in the template.
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
  return { problems: onceEach(problems), limited };
}

function writeTracedTexts(variant: Variant): TracedText[] {
  const shortest = writeTraced(variant.pieces, () => 1);
  const hasArrays = shortest.markers.some(({ output }) => output.maxItems !== undefined);
  return hasArrays ? [shortest, writeTraced(variant.pieces, ({ maxItems }) => maxItems ?? 1)] : [shortest];
}

function onceEach(problems: readonly TemplateProblem[]): TemplateProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.offset} ${problem.message}`, problem])).values()];
}

function syntaxProblem(
  text: TracedText,
  { message, start, end }: { message: string; start: number; end: number },
  variant: Variant | undefined,
): TemplateProblem {
  // What is glued to a value, as in `{{ x }}.name`, is the value's fault too, and so is a comma inside a list of values.
  const next = text.sql[start] ?? '';
  const marker = text.markers.find((one) => {
    const isGlued = /[\w.(:]/.test(next) || (next === ',' && one.output.maxItems !== undefined);
    return one.start < end && (start < one.end || (isGlued && start === one.end));
  });
  if (marker !== undefined) return misplaced(text, marker);
  const when = variant === undefined ? '' : formatChoices(variant.choices);
  return { offset: text.templateOffset(start), message: `${message}${when === '' ? '' : ` (when ${when})`}` };
}

function valueProblems(text: TracedText, findings: QueryFindings): TemplateProblem[] {
  const lost = text.markers.filter(({ name }) => !findings.bound.has(name)).map((marker) => misplaced(text, marker));
  const names = new Set(text.markers.map(({ name }) => name));
  const own = [...findings.bound]
    .filter((name) => !names.has(name))
    .map((name) => ({
      offset: text.templateOffset(text.sql.indexOf(`:${name}`)),
      message: `:${name} is a marker of your own: a value is bound with {{ name }}`,
    }));
  const idle = text.markers.flatMap((marker) => {
    const place = findings.meaningless.get(marker.name);
    return place === undefined ? [] : [idleProblem(marker, place)];
  });
  return [...lost, ...own, ...idle];
}

function idleProblem({ output, at }: Marker, place: string): TemplateProblem {
  const message =
    place.endsWith(' BY') || place === 'IS'
      ? `{{ ${output.parameter} }} in ${place} is a constant and means nothing there`
      : `${place} takes a word here, not a value`;
  return { offset: at, message: `${message}: choose between fragments with {% case %}` };
}

/** Why a value cannot stand where it stands, and what to write instead. */
function misplaced(text: TracedText, { output, at, start, end }: Marker): TemplateProblem {
  const name = `{{ ${output.parameter} }}`;
  const tokens = sqlTokens(text.sql);
  const around = tokens.find((token) => token.start < start && token.end > end);
  const isComment = around === undefined && tokens.every((token) => token.end <= start || token.start >= end);
  if (around !== undefined && /['"]/.test(text.sql[around.start] ?? '')) {
    return { offset: at, message: `${name} stands inside a text: bind it outside, such as CONCAT('%', ${name}, '%')` };
  }
  if (around !== undefined) {
    return {
      offset: at,
      message: `${name} stands inside a quoted name: a name cannot be bound, choose with {% case %}`,
    };
  }
  if (isComment) return { offset: at, message: `${name} stands in a comment, where nothing is bound: leave it out` };
  if (output.maxItems !== undefined) {
    return { offset: at, message: `${name} is a list of values and fits into IN (${name}) only` };
  }
  return {
    offset: at,
    message: `${name} stands where the language wants a name or a word: only values are bound, choose with {% case %}`,
  };
}

function columnProblems(columns: ExpectedColumns, outputs: readonly (string | null)[] | undefined): TemplateProblem[] {
  if (outputs === undefined) return [];
  const isWrong = (name: string | null, index: number) => columns[index] !== undefined && name !== columns[index];
  const place = outputs.findIndex(isWrong);
  if (place < 0 && outputs.length === columns.length) return [];
  if (place >= 0 && outputs[place] === null) {
    return [{ offset: 0, message: `column ${place + 1} of the SELECT has no name: give it one with AS` }];
  }
  const declared = columns.map((name) => name ?? 'one of any name').join(', ');
  const got = outputs.map((name) => name ?? 'one without a name').join(', ');
  return [{ offset: 0, message: `the SELECT gives other columns: expected ${declared}, got ${got}` }];
}

function tokenOffset(text: TracedText, name: string): number {
  const found = sqlTokens(text.sql).find((token) => token.text.toUpperCase() === name.toUpperCase());
  return text.templateOffset(found?.start ?? 0);
}
