import type { Command } from 'commander';

/** Command lines that the help of each command shows, without the name of the program. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve --watch'],
  init: ['init my-api', 'init my-api --database-url duckdb:shop.duckdb --table orders'],
  'endpoint list': ['endpoint list', 'endpoint list --json'],
  'endpoint show': ['endpoint show list-languages'],
  'endpoint check': ['endpoint check', 'endpoint check --strict my-endpoints/stars.yaml'],
  'endpoint materialize': ['endpoint materialize', 'endpoint materialize daily-sales --full'],
  'endpoint test': ['endpoint test list-languages', 'endpoint test --all --junit report.xml'],
  'endpoint diff': ['endpoint diff main', 'endpoint diff --fail-on compatible https://example.org/openapi.json'],
  'endpoint explain': ['endpoint explain stargazers-history --param owner=pingcap --param repo=tidb'],
  'endpoint run': [
    'endpoint run list-trending-repos --param period=past_week',
    'endpoint run stargazers-history --param owner=pingcap --param repo=tidb --json',
  ],
  'endpoint new': ['endpoint new', 'endpoint new --sql stars.sql --name stars --out my-endpoints'],
  'endpoint format': ['endpoint format --check'],
  'endpoint columns': ['endpoint columns stars --update'],
  'endpoint rename': ['endpoint rename stars stars-by-month --path'],
  'endpoint import': ['endpoint import --out my-endpoints old-project'],
  'endpoint dev': ['endpoint dev my-endpoints/stars.yaml'],
  'endpoint reload': ['endpoint reload', 'endpoint reload --canary 5'],
  'endpoint canaries': ['endpoint canaries'],
  'endpoint promote': ['endpoint promote stars'],
  'endpoint discard': ['endpoint discard stars'],
  'endpoint completion': ['endpoint completion bash'],
  'data import': [
    'data import 2026-01-01..2026-01-07',
    'data import 2025-01..2025-12',
    'data import downloads/2026-01-01-0.json.gz',
  ],
  'data follow': ['data follow', 'data follow --once --from 2026-01-01'],
  'data enrich': ['data enrich repos --limit 1000', 'data enrich users --from users.csv'],
  'data track add': ['data track add pingcap/tidb duckdb/duckdb'],
  'data track import': ['data track import repositories.txt'],
  'data track remove': ['data track remove pingcap/tidb'],
  'data track list': ['data track list'],
  'data track follow': ['data track follow', 'data track follow --budget 50 --no-wait'],
  'data track discover': ['data track discover', 'data track discover --add --limit 20'],
  'data backup': ['data backup backups/monday.duckdb'],
  'data verify': ['data verify'],
  'data status': ['data status --days 7'],
  'data refresh': ['data refresh --full'],
  'data collections': ['data collections collections.yaml'],
  'data osdb': ['data osdb databases.yaml'],
  'data demo': ['data demo --events 50000'],
  'data migrate': ['data migrate'],
  'data table load': ['data table load countries.csv --name own_countries --describe'],
  'data table list': ['data table list'],
  'data table drop': ['data table drop own_countries'],
  tables: ['tables', 'tables mv_repo_stars'],
  'user list': ['user list --limit 20 --email'],
  'user trust': ['user trust octocat', 'user trust octocat --off'],
  'user disable': ['user disable id:42'],
  'user digest': ['user digest octocat', 'user digest octocat --preview > digest.eml', 'user digest octocat --off'],
  'user role': ['user role octocat', 'user role octocat --add editor --remove reader'],
  'user remove': ['user remove octocat --yes'],
  'user audit': ['user audit --limit 50'],
  'user token': ['user token octocat --days 1'],
  'keys create': [
    'keys create reports --scope list-languages --expires 90d',
    'keys create dashboard --scope tag:Sales --scope list-orders --role staff --claim tenant=acme --per-minute 60',
  ],
  'keys list': ['keys list', 'keys list --json'],
  'keys rotate': ['keys rotate reports --grace 24h'],
  'keys revoke': ['keys revoke reports --yes', 'keys revoke 3f9a01c2 --yes'],
  openapi: ['openapi --out openapi.json'],
  client: ['client --out client.ts'],
  mcp: ['mcp', 'mcp --url https://example.org/mcp --token-file token.txt'],
  config: ['config', 'config PORT HOST'],
  completion: ['completion bash'],
};

/** Adds examples to the help of all subcommands of a command. `parents` is the start of their full names. */
export function addExamples(command: Command, parents = ''): void {
  for (const child of command.commands) {
    const name = `${parents} ${child.name()}`.trim();
    const lines = (EXAMPLES[name] ?? []).map((example) => `  repo-insight ${example}`);
    if (lines.length > 0) child.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
    addExamples(child, name);
  }
}
