import MiniSearch from 'minisearch';
import type { SqlExample } from './definition-examples.js';

export interface ExampleLimits {
  /** The maximum number of examples. */
  readonly count: number;
  /** The maximum size of all examples in characters. */
  readonly characters: number;
}

/** Selects the examples that are most similar to a question, and writes them for a prompt. */
export type ExampleSelection = (question: string, now: Date, limits: ExampleLimits) => string;

/** Indexes the examples. If too few examples are similar to a question, other examples are added, in their original order. */
export function createExampleSelection(examples: readonly SqlExample[]): ExampleSelection {
  const index = new MiniSearch<SqlExample>({
    idField: 'name',
    fields: ['name', 'summary', 'description', 'questions'],
    extractField: textOf,
    searchOptions: { boost: { questions: 3, summary: 2, name: 2 }, fuzzy: 0.2, prefix: (term) => term.length > 3 },
  });
  index.addAll(examples);
  return (question, now, { count, characters }) => {
    const found = index.search(question.slice(0, MAX_SEARCHED)).map(({ id }) => String(id));
    const names = new Set([...found, ...examples.map(({ name }) => name)]);
    const texts: string[] = [];
    let left = characters;
    for (const name of names) {
      const example = examples.find((candidate) => candidate.name === name);
      const text = example && writeExample(example, now);
      if (text === undefined || text.length > left) continue;
      texts.push(text);
      left -= text.length;
      if (texts.length === count) break;
    }
    return texts.join('\n\n');
  };
}

/** Only this many characters of a question are used for the search. */
const MAX_SEARCHED = 512;

function textOf(example: SqlExample, field: string): string {
  switch (field) {
    case 'questions':
      return example.questions.join('\n');
    case 'summary':
      return example.summary;
    case 'description':
      return example.description;
    default:
      return example.name;
  }
}

function writeExample({ name, summary, description, sql }: SqlExample, now: Date): string {
  // Indentation is removed, because it needs a fifth of the tokens of an example.
  const lines = sql(now).replace(/\n\s+/g, '\n');
  return `${summary} (${name}). ${description.trim()}\n\`\`\`sql\n${lines}\n\`\`\``;
}
