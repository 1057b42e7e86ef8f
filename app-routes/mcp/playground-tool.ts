import { callerOf } from '../../engine/http/access/authentication.js';
import { createBodyCheck } from '../../engine/http/requests/body-check.js';
import { createPlaygroundAnswers, type PlaygroundBody } from '../playground/run-sql.js';
import type { McpPlayground } from './mcp-parts.js';
import { ANY_ROW, limitTable, tableContent, tableProperties, tableResult } from './result-table.js';
import { objectSchema, READ_ONLY, type Tool } from './tool.js';

/** The tool that runs one SELECT of the caller, with the same checks as `POST /q/playground/`. */
export function playgroundTool({ playground, example }: McpPlayground, clock: () => Date): Tool {
  const answer = createPlaygroundAnswers(playground, clock);
  const inputSchema = objectSchema({ sql: { ...SQL, examples: [example] } }, { isExact: true });
  const check = createBodyCheck(inputSchema);
  const { definition } = playground.access;
  return {
    definition,
    description: {
      name: 'run_sql',
      title: 'Runs one SELECT over the public tables',
      description: DESCRIPTION,
      inputSchema,
      outputSchema: OUTPUT,
      annotations: { title: 'Runs one SELECT over the public tables', ...READ_ONLY },
    },
    run: async ({ given, client, signal }) => {
      await client.countPlaygroundQuery();
      const { fields, data, sql, ...facts } = await answer(check(given) as PlaygroundBody, {
        signal,
        caller: client.address,
        principal: await callerOf(definition, client),
      });
      const columns = fields.map(({ name, columnType }) => ({ name, type: columnType }));
      // The service does not know which data the SQL reads, so the rows count as stale.
      const table = { ...facts, columns, rows: data, dataAsOf: null, stale: true };
      const limited = limitTable(table, () => 'Select fewer or shorter columns.');
      return tableResult({ ...tableContent(limited), sql }, limited);
    },
  };
}

const DESCRIPTION = `Runs one SELECT in the MySQL dialect over the public tables. Prefer a tool with a fixed query if one answers the question.
The resources repo-insight://tables/{table} describe the tables and their columns. Only listed tables and functions are allowed.
A result has at most 100 rows; \`truncated\` states whether more exist. A query may take 10 s. The age of the data is not known.`;

const SQL = { type: 'string', minLength: 1, maxLength: 8192, description: 'One SELECT.' };

const OUTPUT = objectSchema({ ...tableProperties(ANY_ROW), sql: { type: 'string', description: 'The SQL as sent.' } });
