import { tableNotes } from '../../warehouse/reference/table-notes.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';

/** Creates the content of `docs/tables.md` from the table reference. */
export function writeTableDocument(): string {
  const tables = [...TABLE_REFERENCE].map(([name, table]) => writeTable(name, table));
  return `${[INTRODUCTION, ...tables].join('\n').trimEnd()}\n`;
}

function writeTable(name: string, table: TableReference): string {
  const notes = tableNotes(table).map(([kind, text]) => `- ${kind}: ${text}`);
  const example = table.example === undefined ? [] : ['```sql', table.example, '```', ''];
  const rows = [...table.columns].map(([column, { type, unit = '', description }]) => {
    return `| \`${column}\` | ${type} | ${unit} | ${description} |`;
  });
  const columns = ['| column | type | unit | meaning |', '|---|---|---|---|', ...rows];
  return [`## ${name}`, '', table.description, '', ...notes, '', ...example, ...columns, ''].join('\n');
}

const INTRODUCTION = `# Tables

This page lists the tables and columns that the [playground](playground.md) and definitions can read. Types are MySQL
types, and times are in UTC. [Importing](importing.md#fields-by-era) describes which fields the events of each era have,
and how missing values are stored. Tables whose names start with \`mv_\` are
[computed from the events](importing.md#derived-tables).

\`repo-insight tables\`, \`GET /q/tables/\`, and \`SHOW TABLES\` and \`DESCRIBE\` in the playground return the same
descriptions. For each table, \`events\` lists the types of the events from which the rows come. You can run the examples
in the playground.

This page is generated from \`warehouse/table-reference.ts\`. After a change there, run
\`UPDATE_TABLES=1 npx mocha dist/test/docs/tables.test.js\`.
`;
