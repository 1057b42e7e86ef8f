import { exactObject, type JsonSchema } from '../../engine/http/json-schema.js';

/** Returns the schema of a `ConsoleParameter`, with additional required properties. */
export function parameterSchema(title: string, further: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const required = { ...REQUIRED, ...further };
  return { ...exactObject(title, { ...required, ...OPTIONAL }), required: Object.keys(required) };
}

const TEXT = { type: 'string' };

const REQUIRED = {
  name: TEXT,
  required: { type: 'boolean' },
  description: TEXT,
  schema: {
    type: 'object',
    additionalProperties: true,
    description: 'The JSON Schema of the values, with the default.',
  },
  hasChoices: {
    type: 'boolean',
    description:
      'Whether the values come from a query: /q/choices/{name}/{parameter}/ returns them. Choices of pages are lists.',
  },
};

const OPTIONAL = {
  labels: {
    type: 'object',
    additionalProperties: TEXT,
    description: 'The texts for allowed values that are names of columns, by value.',
  },
  notAfter: { ...TEXT, description: 'The parameter whose value must not be less.' },
  example: {},
};
