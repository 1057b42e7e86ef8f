import { exactObject, type JsonSchema } from '../../engine/http/json-schema.js';
import { ACCESS, COLUMNS } from './definitions.js';
import { parameterSchema } from './parameter-schema.js';

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const INTEGER_OR_NULL = { type: ['integer', 'null'] };
const ANY_OBJECT = { type: 'object', additionalProperties: true };

/** The properties of a page in a list. */
export const SUMMARY: Readonly<Record<string, JsonSchema>> = {
  name: { ...TEXT_OR_NULL, description: 'Null if the file has no name.' },
  path: {
    ...TEXT_OR_NULL,
    description: 'The path under /p/, with parameters in braces; null if the file has no path.',
  },
  title: { ...TEXT_OR_NULL, description: 'Null for a broken page. {name} is the value of a parameter.' },
  summary: { ...TEXT_OR_NULL, description: 'Null for a broken page.' },
  state: {
    type: 'string',
    enum: ['served', 'outdated', 'broken'],
    description:
      'outdated: the page has problems, and its last good version is shown; broken: the page is unavailable.',
  },
};

const PARAMETER = parameterSchema('PageParameter', { place: { type: 'string', enum: ['path', 'query'] } });

const BLOCK = exactObject('PageBlock', {
  title: { ...TEXT_OR_NULL, description: 'The title in the file, else the summary of the definition.' },
  text: { ...TEXT_OR_NULL, description: 'Markdown.' },
  endpoint: { ...TEXT_OR_NULL, description: 'The name of the definition whose result is shown.' },
  access: ACCESS,
  params: { ...ANY_OBJECT, description: 'The values of the parameters of the definition.' },
  chart: { type: ['object', 'null'], additionalProperties: true, description: 'The declared chart.' },
  definitionChart: {
    ...{ type: ['object', 'null'], additionalProperties: true },
    description: 'The chart of the definition, which images show.',
  },
  width: { type: 'string', enum: ['full', 'half', 'third'] },
  columns: { ...COLUMNS, description: 'The columns of the result; empty without a definition.' },
  rows: { ...INTEGER_OR_NULL, description: 'The number of rows that are shown; null: all.' },
  pageSize: {
    ...INTEGER_OR_NULL,
    description: 'The value of page_size that returns these rows; null if the definition has no pages.',
  },
});

/** The properties of a page. In texts and values of blocks, `{name}` is a placeholder for the value of a parameter. */
export const DETAILS: Readonly<Record<string, JsonSchema>> = {
  ...SUMMARY,
  name: TEXT,
  path: TEXT,
  title: TEXT,
  titleFrom: { ...TEXT_OR_NULL, description: 'The column of the first result that has the title.' },
  summary: TEXT,
  parameters: { type: 'array', items: PARAMETER },
  blocks: { type: 'array', items: BLOCK },
};

export const VALUES: JsonSchema = {
  type: 'object',
  additionalProperties: TEXT,
  description: 'The values of the parameters in the path.',
};
