import { lintEndpoint } from '../../../engine/authoring/index.js';
import { endpointOf } from '../fixtures.js';
import { BAKERY_TABLES } from './bakery-tables.js';

/** Returns the names of the rules that report a SELECT, without the rules about the whole definition. */
export async function rulesFor(sql: string, params = '', more = ''): Promise<string[]> {
  const [, list = ''] = /^(?:WITH .*?\) )?SELECT (?:DISTINCT )?(.*?)\sFROM\b/s.exec(`${sql} FROM`) ?? [];
  const isStar = /(^|\.)\*$/.test(list.trim());
  // Text in parentheses is removed, because its commas do not separate columns.
  const items = list.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '()').split(',');
  const columns = isStar ? ['id'] : items.map((item) => /(\w+)\W*$/.exec(item)?.[1] ?? 'id');
  const definition = [
    'name: toy',
    'summary: A toy',
    ...(params === '' ? [] : ['params:', ...params.split('\n').map((line) => `  ${line}`)]),
    'columns:',
    ...columns.map((name) => `  - { col: ${name}, data_type: VARCHAR, nullable: true, description: A column }`),
    ...(more === '' ? [] : [more]),
    'data_as_of: SELECT MAX(baked_at) FROM loaves',
    'sql: |',
    ...sql.split('\n').map((line) => `  ${line}`),
    '',
  ].join('\n');
  const endpoint = await endpointOf(definition);
  return lintEndpoint(endpoint, BAKERY_TABLES).map(({ rule }) => rule);
}
