import { didYouMean } from '../../sql/did-you-mean.js';
import type { EndpointDefinition, FixtureDefinition, FixtureRow, FixtureValue } from '../definition.js';
import { type DefinitionPath, type DefinitionSource, describeValue } from '../definition-source.js';
import { allParameters } from '../endpoint/endpoint.js';
import type { Problem } from '../problem.js';
import { checkRequest } from './example-check.js';

/**
 * Checks the fixtures of a definition. `tables` are the tables that its queries read, in lower case. Only running the
 * fixtures finds columns that do not exist, because this check does not know the columns of tables.
 */
export function checkFixtures(
  source: DefinitionSource,
  definition: EndpointDefinition,
  invalid: ReadonlySet<string>,
  tables: ReadonlySet<string>,
): Problem[] {
  const { fixtures } = definition;
  const columns = definition.columns.map(({ col }) => col);
  const rules = { word: 'fixture', parameters: allParameters(definition), columns, invalid } as const;
  return fixtures.flatMap((fixture, index) => {
    const path = ['fixtures', index];
    return [
      ...checkName(source, fixtures, index),
      ...checkNow(source, path, fixture),
      ...checkTables(source, [...path, 'tables'], fixture, tables),
      ...checkRequest(source, path, fixture, rules),
    ];
  });
}

function checkName(source: DefinitionSource, fixtures: readonly FixtureDefinition[], index: number): Problem[] {
  const name = fixtures[index]?.name;
  if (fixtures.findIndex((one) => one.name === name) === index) return [];
  return [source.problem(['fixtures', index, 'name'], `another fixture has the name ${JSON.stringify(name)}`)];
}

function checkNow(source: DefinitionSource, path: DefinitionPath, { now }: FixtureDefinition): Problem[] {
  const isValid = now === undefined || isExistingTime(now);
  if (isValid) return [];
  return [source.problem([...path, 'now'], 'this time does not exist', { got: JSON.stringify(now) })];
}

/** Whether a text `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` is an existing time. */
function isExistingTime(text: string): boolean {
  const time = new Date(`${text.length === 10 ? `${text} 00:00:00` : text}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.replace(' ', 'T'));
}

function checkTables(
  source: DefinitionSource,
  path: DefinitionPath,
  { tables }: FixtureDefinition,
  known: ReadonlySet<string>,
): Problem[] {
  const names = Object.keys(tables);
  return Object.entries(tables).flatMap(([table, rows], index) => {
    const reject = (message: string) => [source.problem([...path, table], message, { at: 'key' })];
    const name = table.toLowerCase();
    if (!known.has(name)) {
      const readable = [...known].filter((one) => !hasOwnSchema(one));
      return reject(`the SQL does not read the table "${table}"${didYouMean(table, readable)}`);
    }
    if (hasOwnSchema(name)) return reject('a fixture cannot contain a table of another schema');
    if (names.findIndex((one) => one.toLowerCase() === name) !== index)
      return reject(`the table "${table}" is repeated`);
    return checkCells(source, [...path, table], rows);
  });
}

/** Whether a table name contains a schema, or is a table function in FROM. */
function hasOwnSchema(table: string): boolean {
  return /[.(]/.test(table);
}

/** Reports only the first problem of each column, because a generated fixture usually has the same mistake in all rows. */
function checkCells(source: DefinitionSource, path: DefinitionPath, rows: readonly FixtureRow[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const [index, row] of rows.entries()) {
    const names = new Set<string>();
    for (const [column, value] of Object.entries(row)) {
      const name = column.toLowerCase();
      const place = [...path, index, column];
      if (names.has(name)) {
        problems.set(name, source.problem(place, `the row contains the column "${column}" twice`, { at: 'key' }));
      } else if (!isExact(value) && !problems.has(name)) {
        const facts = { expected: 'the number in quotes', got: describeValue(value) };
        problems.set(name, source.problem(place, 'YAML cannot represent this number exactly', facts));
      }
      names.add(name);
    }
  }
  return [...problems.values()];
}

/** Whether YAML represents the value exactly as the author wrote it. Integers beyond 2^53 lose digits. */
function isExact(value: FixtureValue): boolean {
  return (
    typeof value !== 'number' || Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
  );
}
