import {
  type BrokenEndpoint,
  checkChartColumns,
  checkValue,
  type DefinitionPath,
  type DefinitionSource,
  describeValue,
  didYouMean,
  type Endpoint,
  expectedOf,
  type ItemDefinition,
  type ParameterDefinition,
  type ParameterValue,
  type Problem,
  validatorOf,
} from '../../engine/index.js';
import { type Block, findPlaces, onlyPlace } from './page.js';
import type { PageFile } from './page-file.js';

/** The definitions that pages can show. */
export interface KnownDefinitions {
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenEndpoint[];
}

/** The problems of a page, in the order of their positions in the file. */
export interface PageCheck {
  /** Mistakes of the page. */
  readonly problems: readonly Problem[];
  /** Problems of broken definitions, which make blocks of the page fail. Blocks without a problem still work. */
  readonly failing: readonly Problem[];
}

export interface BlockParts {
  readonly file: PageFile;
  readonly source: DefinitionSource;
  readonly block: Block;
  readonly index: number;
  /** Whether these keys of the block have a valid form. */
  readonly isSound: (...keys: readonly string[]) => boolean;
  readonly definitions: KnownDefinitions;
}

/** Checks the endpoint of a block, the values of its parameters, and the columns of its chart. */
export function checkBlock(parts: BlockParts): PageCheck {
  const { source, block, index, isSound, definitions } = parts;
  if (!isSound('endpoint')) return { problems: [], failing: [] };
  if (block.endpoint === undefined) return { problems: checkText(parts), failing: [] };
  const endpoint = definitions.endpoints.find(({ definition }) => definition.name === block.endpoint);
  const path = ['blocks', index, 'endpoint'];
  if (endpoint === undefined) {
    const broken = definitions.broken.find(({ name }) => name === block.endpoint);
    if (broken !== undefined) {
      const message = `the definition "${block.endpoint}" is broken: correct ${broken.file}`;
      return { problems: [], failing: [source.problem(path, message)] };
    }
    const names = definitions.endpoints.map(({ definition }) => definition.name);
    const message = `no definition has the name "${block.endpoint}"${didYouMean(block.endpoint, names)}`;
    return { problems: [source.problem(path, message)], failing: [] };
  }
  const problems = [
    ...(isSound('params') ? checkParams(parts, endpoint) : []),
    ...(isSound('chart') ? checkColumns(parts, endpoint) : []),
  ];
  return { problems, failing: [] };
}

/** Checks a block without an endpoint. */
function checkText({ source, block, index }: BlockParts): Problem[] {
  const path = ['blocks', index];
  const orphan = (['params', 'chart', 'rows'] as const).find((key) =>
    key === 'params' ? Object.keys(block.params).length > 0 : block[key] !== undefined,
  );
  if (orphan !== undefined) {
    return [source.problem([...path, orphan], `${orphan} requires the key "endpoint"`, { at: 'key' })];
  }
  return block.text === undefined ? [source.problem(path, 'a block needs the key "endpoint" or "text"')] : [];
}

function checkParams(parts: BlockParts, endpoint: Endpoint): Problem[] {
  const { source, block, index } = parts;
  const { parameters } = endpoint;
  const path = ['blocks', index, 'params'];
  const names = Object.keys(parameters);
  const given = Object.entries(block.params);
  const unknown = given
    .filter(([name]) => !Object.hasOwn(parameters, name))
    .map(([name]) => {
      const hint = didYouMean(name, names);
      const facts = { at: 'key', ...(hint === '' && { expected: expectedNames(names) }) } as const;
      return source.problem([...path, name], `${block.endpoint} has no parameter "${name}"${hint}`, facts);
    });
  const values = given.flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return parameter === undefined ? [] : checkParam(parts, name, parameter, value);
  });
  // If a name is unknown, it may be a misspelled required parameter, so missing parameters are not reported.
  const missing = unknown.length > 0 ? [] : findMissing(parts, endpoint);
  return [...unknown, ...values, ...missing];
}

function expectedNames(names: readonly string[]): string {
  return names.length === 0 ? 'no parameters' : `one of ${names.join(', ')}`;
}

function findMissing({ source, block, index }: BlockParts, { parameters }: Endpoint): Problem[] {
  return Object.entries(parameters)
    .filter(([name, { required, in: place }]) => (required || place === 'path') && !Object.hasOwn(block.params, name))
    .map(([name]) => {
      const path = ['blocks', index, ...(Object.keys(block.params).length === 0 ? ['endpoint'] : ['params'])];
      const message = `${block.endpoint} needs a value for its required parameter "${name}"`;
      return source.problem(path, message, { at: 'key' });
    });
}

function checkParam(
  { file, source, index }: BlockParts,
  name: string,
  parameter: ParameterDefinition,
  value: ParameterValue,
): Problem[] {
  const path = ['blocks', index, 'params', name];
  const place = typeof value === 'string' ? onlyPlace(value) : undefined;
  if (place !== undefined) {
    const declared = Object.hasOwn(file.page.params, place) ? file.page.params[place] : undefined;
    // Undeclared parameters are reported by the check of the texts.
    if (declared === undefined || file.invalid.has(place)) return [];
    return checkPassed({ source, path, place, declared, parameter });
  }
  if (hasPlaces(value)) return checkFilled(source, path, parameter, value);
  return checkValue(source, path, parameter, value);
}

function hasPlaces(value: ParameterValue): boolean {
  return [value].flat().some((item) => typeof item === 'string' && findPlaces(item).places.length > 0);
}

/**
 * Checks a text that contains placeholders and other characters, or a list with such texts. Only the browser knows the values of a list.
 */
function checkFilled(
  source: DefinitionSource,
  path: readonly (string | number)[],
  parameter: ParameterDefinition,
  value: ParameterValue,
): Problem[] {
  const isText = parameter.type === 'string' || parameter.items?.type === 'string';
  if (isText && Array.isArray(value) === (parameter.type === 'array')) return [];
  const message = 'a text with {parameters} does not fit the type of this parameter';
  return [source.problem(path, message, { expected: parameter.type })];
}

function checkColumns({ source, block, index }: BlockParts, { definition }: Endpoint): Problem[] {
  if (block.chart === undefined) return [];
  return checkChartColumns(source, ['blocks', index, 'chart'], block.chart, definition.columns);
}

interface PassedParts {
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
  /** The name of the page parameter in the placeholder. */
  readonly place: string;
  readonly declared: ParameterDefinition;
  /** The parameter of the definition to which its value is passed. */
  readonly parameter: ParameterDefinition;
}

/**
 * Checks whether a parameter of a definition accepts the values of a page parameter. The types of the two parameters must be compatible,
 * and the definition must accept the known values: the choices, the default and the example. All other values are checked when the
 * definition is requested.
 */
function checkPassed({ source, path, place, declared, parameter }: PassedParts): Problem[] {
  if (!fitsType(declared, parameter)) {
    const facts = { expected: describeType(parameter), got: describeType(declared) };
    return [source.problem(path, `the parameter {${place}} of the page has another type`, facts)];
  }
  const isValid = validatorOf(parameter);
  const wrong = knownValues(declared).find((value) => !isValid(asType(value, parameter)));
  if (wrong !== undefined) {
    const message = `the definition rejects a value that {${place}} can have`;
    return [source.problem(path, message, { expected: expectedOf(parameter), got: describeKnown(wrong) })];
  }
  const canBeAbsent = declared.in === 'query' && declared.required !== true && declared.default === undefined;
  const isNeeded = parameter.in === 'path' || parameter.required === true;
  if (!canBeAbsent || !isNeeded) return [];
  const message = `{${place}} can be absent, but the definition requires this parameter: add a default or "required: true"`;
  return [source.problem(path, message)];
}

/** Whether values of the declared type are also values of the other type. A single value is also a list. */
function fitsType(declared: ParameterDefinition | ItemDefinition, parameter: ParameterDefinition | ItemDefinition) {
  const items = 'items' in parameter ? parameter.items : undefined;
  const ownItems = 'items' in declared ? declared.items : undefined;
  if (parameter.type === 'array') return fitsScalar(ownItems ?? declared, items ?? parameter);
  return fitsScalar(declared, parameter);
}

function fitsScalar({ type, format }: ItemDefinition, other: ItemDefinition): boolean {
  if (type === 'integer' && other.type === 'number') return true;
  // Every value is accepted as text, because all values in a URL are text.
  if (other.type === 'string' && other.format === undefined && type !== 'array') return true;
  return type === other.type && (other.format === undefined || format === other.format);
}

function describeType({ type, format, items }: ParameterDefinition): string {
  if (type === 'array') return `a list of ${items?.type ?? 'values'}`;
  return format ?? type;
}

function knownValues({ enum: choices = [], items, default: value, example }: ParameterDefinition): ParameterValue[] {
  const listed = [...choices, ...(items?.enum ?? []).map((item) => [item])];
  return [...listed, ...[value, example].filter((one) => one !== undefined)];
}

function asType(value: ParameterValue, { type }: ParameterDefinition): ParameterValue {
  if (type === 'array') return Array.isArray(value) ? value : [value as string | number];
  return type === 'string' ? String(value) : value;
}

function describeKnown(value: ParameterValue): string {
  return Array.isArray(value) ? value.map(describeValue).join(', ') : describeValue(value);
}
