/** The texts of the files of a new API. */

export function apiText(title: string): string {
  return `title: ${JSON.stringify(title)}
description: ${JSON.stringify(`The data of ${title} as HTTP endpoints.`)}
# Callers can write their own SQL over these tables, in the playground and over MCP:
# published: { orders: "*", customers: [id, country] }
# Only callers with an API key can read endpoints without \`access\` (repo-insight keys create):
# access: key
# Values of callers for SQL; endpoint test uses the examples:
# claims: { tenant: { type: string, example: acme } }
`;
}

export function environmentText(databaseUrl: string | undefined): string {
  const url = databaseUrl ?? 'mysql://reader:password@127.0.0.1:3306/shop';
  return `# Settings of this API; variables of the environment take precedence. \`repo-insight config\` lists all settings.
# The account needs only read access. A file of DuckDB: duckdb:shop.duckdb
${databaseUrl === undefined ? '#' : ''}DATABASE_URL=${quote(url)}
`;
}

/** Quotes a value for a file of environment variables, in which \`#\` begins a comment. */
function quote(value: string): string {
  return /^[\w:/.@%?=&+-]*$/.test(value) ? value : `'${value}'`;
}

export const IGNORED = `.env
.repo-insight/
`;

export const EXAMPLE_DEFINITION = `name: hello
path: /v1/hello/
summary: Says hello.
params:
  name: { in: query, type: string, maxLength: 40, default: world, description: Who is greeted. }
columns:
  - { col: greeting, data_type: VARCHAR, nullable: false, description: The greeting. }
sql: SELECT CONCAT('Hello, ', {{ name }}, '!') AS greeting
examples:
  - { name: default, params: {} }
`;

export function readmeText(title: string): string {
  return `# ${title}

Each file in \`endpoints/\` is one HTTP endpoint: its parameters, its columns and a SELECT.

\`\`\`sh
repo-insight serve --watch               # serves http://127.0.0.1:3450 and reloads changed files
repo-insight tables                      # the tables of the database
repo-insight endpoint new --table <name> # a new endpoint from a table
repo-insight endpoint test --all         # checks every endpoint in the database
\`\`\`

The settings are in \`.env\`. The service only reads the database; its own files are in \`.repo-insight/\`.
`;
}
