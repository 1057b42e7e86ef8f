import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';

/** Writes `docs/tables.md` from the table reference. */
export function writeTableDocument(): string {
  const tables = [...TABLE_REFERENCE].map(([name, { description, columns, where }]) => {
    const rows = [...columns].map(([column, { type, description: text }]) => `| \`${column}\` | ${type} | ${text} |`);
    const condition = where === undefined ? [] : [`Only rows with ${writeCode(where)} can be read.`, ''];
    const table = ['| column | type | meaning |', '|---|---|---|', ...rows];
    return [`## ${name}`, '', description, '', ...condition, ...table, ''].join('\n');
  });
  return `${[INTRODUCTION, ...tables].join('\n').trimEnd()}\n`;
}

/** A code span whose text can contain backticks. */
function writeCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const INTRODUCTION = `# Tables

These are the tables and columns that SQL of users can read: in the [playground](operations.md#the-playground) and in
definitions. Types are those of MySQL, and times are in UTC. [Importing](importing.md#fields-by-era) describes what the
feed contained in each era, and how missing values are stored. Tables whose names start with \`mv_\` are
[computed from the events](importing.md#derived-tables).

\`warehouse/table-reference.ts\` is the source of this page. After a change there,
\`UPDATE_TABLES=1 npx mocha dist/test/docs/tables.test.js\` writes it again.
`;
