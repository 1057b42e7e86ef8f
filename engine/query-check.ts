import type { QueryFindings } from './sql-findings.js';
import { type SqlReader, sqlTokens } from './sql-reader.js';
import { type Marker, type TracedText, writeTraced } from './statement.js';
import type { TemplateProblem } from './template-problem.js';
import { choiceWords, type Variant } from './template-variants.js';

export interface QueryCheck {
  readonly problems: readonly TemplateProblem[];
  /** Variants that have their own LIMIT. */
  readonly limited: ReadonlySet<Variant>;
}

/**
 * Parses every variant, with arrays of one value and of the most. Of texts that do not parse only the first is told,
 * since one mistake spoils many variants; everything else is told once for each place in the template.
 */
export function checkQuery(
  variants: readonly Variant[],
  columns: readonly string[] | undefined,
  readSqlText: SqlReader,
): QueryCheck {
  const problems = new Map<string, TemplateProblem>();
  const limited = new Set<Variant>();
  let broken = false;
  for (const variant of variants) {
    for (const text of tracedTexts(variant)) {
      const reading = readSqlText(text.sql);
      if ('message' in reading) {
        if (!broken) add(problems, syntaxProblem(text, reading, variants.length > 1 ? variant : undefined));
        broken = true;
        break;
      }
      const { findings } = reading;
      if (findings.hasLimit) limited.add(variant);
      for (const problem of valueProblems(text, findings)) add(problems, problem);
      for (const { token, message } of findings.refused) add(problems, { offset: tokenOffset(text, token), message });
      if (columns !== undefined && problems.size === 0) {
        const problem = columnProblem(columns, findings.outputs);
        if (problem !== undefined) add(problems, problem);
      }
    }
  }
  return { problems: [...problems.values()], limited };
}

function tracedTexts(variant: Variant): TracedText[] {
  const shortest = writeTraced(variant.pieces, () => 1);
  const hasArrays = shortest.markers.some(({ output }) => output.maxItems !== undefined);
  return hasArrays ? [shortest, writeTraced(variant.pieces, ({ maxItems }) => maxItems ?? 1)] : [shortest];
}

function add(problems: Map<string, TemplateProblem>, problem: TemplateProblem): void {
  const key = `${problem.offset} ${problem.message}`;
  if (!problems.has(key)) problems.set(key, problem);
}

function syntaxProblem(
  text: TracedText,
  { message, start, end }: { message: string; start: number; end: number },
  variant: Variant | undefined,
): TemplateProblem {
  const marker = text.markers.find((candidate) => candidate.start <= end && start <= candidate.end);
  if (marker !== undefined) return misplaced(text, marker);
  const when = variant === undefined ? '' : choiceWords(variant.choices);
  return { offset: text.templateOffset(start), message: `${message}${when === '' ? '' : ` (when ${when})`}` };
}

function valueProblems(text: TracedText, findings: QueryFindings): TemplateProblem[] {
  const lost = text.markers.filter(({ name }) => !findings.bound.has(name)).map((marker) => misplaced(text, marker));
  const names = new Set(text.markers.map(({ name }) => name));
  const own = [...findings.bound]
    .filter((name) => !names.has(name))
    .map((name) => ({
      offset: tokenOffset(text, name),
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

function columnProblem(
  columns: readonly string[],
  outputs: readonly (string | null)[] | undefined,
): TemplateProblem | undefined {
  if (outputs === undefined) return undefined;
  const place = outputs.findIndex((name, index) => name !== columns[index]);
  const message = 'the SELECT does not give the declared columns';
  if (place >= 0 && outputs[place] === null) {
    return { offset: 0, message: `column ${place + 1} of the SELECT has no name: give it one with AS` };
  }
  if (place < 0 && outputs.length === columns.length) return undefined;
  return { offset: 0, message: `${message}: expected ${columns.join(', ')}, got ${outputs.join(', ')}` };
}

function tokenOffset(text: TracedText, name: string): number {
  const found = sqlTokens(text.sql).find((token) => token.text.toUpperCase() === name.toUpperCase());
  return text.templateOffset(found?.start ?? 0);
}
