import type { JsonSchema } from '../../engine/http/json-schema.js';
import { createBodyCheck } from '../../engine/http/requests/body-check.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { type AskedQuestion, answerBody, answerQuestion } from '../explorer/answer.js';
import { CHART, DEFINITION } from '../explorer/question-schema.js';
import type { McpParts, McpQuestions } from './mcp-parts.js';
import { ANY_ROW, limitTable, tableContent, tableProperties, tableResult } from './result-table.js';
import { type ObjectSchema, objectSchema, type Tool } from './tool.js';

/** The tool that asks the explorer a question and waits for its answer, like `POST /explorer/answer/`. */
export function questionTool(
  { explorer, staleAfterMs, answerWaitMs, systemClock }: McpQuestions,
  clock: McpParts['clock'],
): Tool {
  const input = inputSchema();
  const check = createBodyCheck(input);
  const title = 'Asks a question in English';
  return {
    needsUser: true,
    description: {
      name: 'ask_question',
      title,
      description: DESCRIPTION,
      inputSchema: input,
      outputSchema: OUTPUT,
      annotations: { title, readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    run: async ({ given, client, signal }) => {
      const now = systemClock();
      const caller = await client.identify(now);
      const asked = check(given) as AskedQuestion;
      const answered = await answerQuestion(explorer, answerWaitMs, { ...asked, caller, now, signal });
      const { question, query, result, chart } = answerBody(answered, clock(), staleAfterMs);
      const columns = result.fields.map(({ name, columnType }) => ({ name, type: columnType }));
      const table = limitTable({ ...result, columns }, () => `Read all rows from GET ${question.link} of the service.`);
      const { revisedTitle, assumption, notClear, link } = question;
      const facts = { question: revisedTitle ?? question.title, assumption, not_clear: notClear, link };
      const content = { ...tableContent(table), ...facts, sql: query.sql, definition: query.definition, chart };
      return tableResult(content, table, headingOf(facts, query.sql));
    },
  };
}

const DESCRIPTION = `Answers a question in English about the data: finds or writes the SQL, runs it, and returns the rows, the SQL, the assumptions and a chart.
Check \`question\` and \`assumption\`: they state how the question was understood. Needs the token or an API key of a user.
A user may ask 15 questions per hour, and two at the same time. An equal question of the last 7 days gives its answer at once.`;

/** Returns the schema of the body of `POST /explorer/answer/`, without the member for the format. */
function inputSchema(): ObjectSchema {
  const { question, ignoreCache } = requestSchema('answer').properties as Record<string, JsonSchema>;
  return objectSchema(
    { question: question ?? {}, ignoreCache: ignoreCache ?? {} },
    { required: ['question'], isExact: true },
  );
}

const TEXT_OR_NULL = { type: ['string', 'null'] };
const OUTPUT = objectSchema({
  ...tableProperties(ANY_ROW),
  question: { type: 'string', description: 'The question as the service understood it.' },
  assumption: { ...TEXT_OR_NULL, description: 'What the answer assumes.' },
  not_clear: { ...TEXT_OR_NULL, description: 'What the question leaves open.' },
  link: { type: 'string', description: 'The path of the record of the question.' },
  sql: TEXT_OR_NULL,
  definition: DEFINITION,
  chart: CHART,
});

function headingOf(facts: Readonly<Record<string, string | null>>, sql: string | null): string {
  const { question, assumption, not_clear: notClear } = facts;
  return [
    `Understood as: ${question}`,
    assumption && `Assumption: ${assumption}`,
    notClear && `Not clear: ${notClear}`,
    sql && `SQL: ${sql}`,
  ]
    .filter((line) => line)
    .join('\n');
}
