import type { Answerer, DefinitionProposal, ProposeOptions, SqlProposal } from '../../explorer/answers/proposal.js';
import { QuestionError } from '../../explorer/questions/error-types.js';

const TEXTS = { notClear: '', assumption: '', recommendedQuestions: [] };

export function proposeSql(question: string, sql: string, chart: unknown = null): SqlProposal {
  return { ...TEXTS, engine: 'model', sql, chart, answer: sql, revisedTitle: question, combinedTitle: question };
}

export function proposeDefinition(name: string, parameters: Readonly<Record<string, string>>): DefinitionProposal {
  const title = `The rows of ${name}`;
  return { ...TEXTS, engine: 'catalogue', definition: { name, parameters }, revisedTitle: title, combinedTitle: title };
}

type Script = (question: string, options: ProposeOptions) => Promise<SqlProposal | DefinitionProposal>;

/** An answerer whose answers are scripted by a test, by the first word of the question. */
export class ScriptedAnswerer implements Answerer {
  readonly asked: string[] = [];
  readonly repairs: string[] = [];
  readonly #scripts = new Map<string, Script>();

  on(word: string, script: Script): this {
    this.#scripts.set(word, script);
    return this;
  }

  propose(question: string, options: ProposeOptions): Promise<SqlProposal | DefinitionProposal> {
    this.asked.push(question);
    const script = this.#scripts.get(question.split(' ', 1)[0] ?? '');
    if (script === undefined) throw new QuestionError('error-sql-can-not-answer', 'This question has no script.');
    return script(question, options);
  }

  async repair(question: string, { sql }: SqlProposal, reason: string): Promise<SqlProposal> {
    this.repairs.push(reason);
    return proposeSql(question, sql.replace('broken_', ''));
  }
}
