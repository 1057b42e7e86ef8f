import { expect } from 'chai';
import {
  createParameterSchema,
  type Endpoint,
  EngineError,
  loadEndpoints,
  type RawParameters,
  rawFromValues,
} from '../../engine/index.js';
import { BAKERY, definitionOf, endpointOf } from './fixtures.js';

type Query = RawParameters['query'];

const PARAMS = `
text: { in: query, type: string, minLength: 2, maxLength: 5, description: Text }
free: { in: query, type: string, description: Any text }
code: { in: query, type: string, pattern: "^[a-c]+$", description: Code }
whole: { in: query, type: integer, minimum: -5, maximum: 100, description: Whole }
big: { in: query, type: integer, description: Any integer }
share: { in: query, type: number, minimum: -1, maximum: 1.5, description: Share }
yes: { in: query, type: boolean, description: Yes or no }
day: { in: query, type: string, format: date, description: Day }
last: { in: query, type: string, format: date, description: Last day }
kind: { in: query, enum: [rye, wheat, C++], description: Kind }
size: { in: query, enum: [1, 2, 3], description: Size }
list: { in: query, type: array, maxItems: 3, default: [1], items: { type: integer, minimum: 1 }, description: List }
names: { in: query, type: array, minItems: 2, maxItems: 4, default: [rye, wheat], items: { enum: [rye, wheat] }, description: Names }
constructor: { in: query, type: integer, default: 7, description: The name of a property of every object }
`.trim();

const STORABLE = 'text of 1 to 255 characters, without U+0000 and unpaired surrogates';
const ANY_INTEGER = 'an integer from -9007199254740991 to 9007199254740991';
const ANY_DAY = 'a date YYYY-MM-DD from 1000-01-01 to 9999-12-31';
const LIST = '1 to 3 values separated by commas, each an integer from 1 to 9007199254740991';

const NAMES = PARAMS.split('\n').map((line) => line.split(':')[0] ?? '');

async function everyKind(): Promise<Endpoint> {
  const uses = NAMES.map((name) =>
    ['list', 'names'].includes(name) ? `l.id IN ({{ ${name} }})` : `l.id = {{ ${name} }}`,
  );
  const params = PARAMS.replace('day: { in: query,', 'day: { in: query, notAfter: last,');
  return endpointOf(definitionOf(`SELECT l.id FROM loaves l WHERE ${uses.join(' AND ')}`, params));
}

describe('parameters', () => {
  let endpoint: Endpoint;
  before(async () => {
    endpoint = await everyKind();
  });

  const read = (query: Query) => endpoint.readParameters({ path: {}, query });
  const errorsOf = (query: Query, target = endpoint, path = {}) => {
    try {
      target.readParameters({ path, query });
    } catch (error) {
      if (error instanceof EngineError) return (error.details.parameters ?? []).map(({ message }) => message);
      throw error;
    }
    return [];
  };

  it('are checked in linear time for every pattern', async () => {
    const param =
      'code: { in: query, type: string, maxLength: 10000, pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", description: Code }';
    const greedy = await endpointOf(definitionOf('SELECT l.id FROM loaves l WHERE l.id = {{ code }}', param));
    // A regular expression with backtracking would not end.
    expect(errorsOf({ code: 'a'.repeat(10_000) }, greedy)).to.have.length(1);
    expect(errorsOf({ code: `${'a'.repeat(9_000)}Zz` }, greedy)).to.deep.equal([]);
  });

  it('have their defaults, or null without a default', () => {
    expect(read({})).to.deep.equal({
      text: null,
      free: null,
      code: null,
      whole: null,
      big: null,
      share: null,
      yes: null,
      day: null,
      last: null,
      kind: null,
      size: null,
      list: [1],
      names: ['rye', 'wheat'],
      constructor: 7,
    });
  });

  const valid: readonly [string, string | string[], unknown][] = [
    ['text', 'ab', 'ab'],
    ['text', '🥖🥖', '🥖🥖'],
    ['free', ' 1', ' 1'],
    ['free', 'null', 'null'],
    ['free', 'a,b', 'a,b'],
    ['code', 'abc', 'abc'],
    ['whole', '-5', -5],
    ['whole', '0', 0],
    ['big', '9007199254740991', 9007199254740991],
    ['share', '0.25', 0.25],
    ['share', '-0', 0],
    ['share', '1', 1],
    ['share', '1e-7', 1e-7],
    ['share', '12.5E-01', 1.25],
    ...['true', 'True', 'TRUE', '1'].map((text): [string, string, boolean] => ['yes', text, true]),
    ...['false', 'False', 'FALSE', '0'].map((text): [string, string, boolean] => ['yes', text, false]),
    ['day', '2024-02-29', '2024-02-29'],
    ['kind', 'C++', 'C++'],
    ['kind', ['rye'], 'rye'],
    ['size', '2', 2],
    ['list', '1,2,3', [1, 2, 3]],
    ['list', ['1', '2,3'], [1, 2, 3]],
    ['names', ['rye', 'rye'], ['rye', 'rye']],
  ];
  for (const [name, text, value] of valid) {
    it(`read ${name}=${JSON.stringify(text)} as ${JSON.stringify(value)}`, () => {
      expect(read({ [name]: text })[name]).to.deep.equal(value);
    });
  }

  const invalid: readonly [string, string | string[], string][] = [
    ['text', '', 'text must be text of 2 to 5 characters, got ""'],
    ['text', 'abcdef', 'text must be text of 2 to 5 characters, got "abcdef"'],
    ['free', 'a\0b', `free must be ${STORABLE}, got "a\\u0000b"`],
    ['free', '\ud800', `free must be ${STORABLE}, got "\ufffd"`],
    ['free', 'x'.repeat(256), `free must be text of 1 to 255 characters, got "${'x'.repeat(60)}…" (256 characters)`],
    ['code', 'abd', 'code must be text of 1 to 255 characters that matches ^[a-c]+$, got "abd"'],
    ...['', 'null', ' 1', '1 ', '+1', '01', '1.0', '1e1', '0x10', '１', '-0', 'Infinity', 'NaN', '101', '-6'].map(
      (text): [string, string, string] => [
        'whole',
        text,
        `whole must be an integer from -5 to 100, got ${JSON.stringify(text)}`,
      ],
    ),
    ['big', '9007199254740992', `big must be ${ANY_INTEGER}, got "9007199254740992"`],
    ...['', '1e', 'e1', '1e400', '.5', '1.', '0x1', 'Infinity', '1,5', '1.6'].map((text): [string, string, string] => [
      'share',
      text,
      `share must be a number from -1 to 1.5, got ${JSON.stringify(text)}`,
    ]),
    ...['', 'tRUE', '01', '1.0', 'yes'].map((text): [string, string, string] => [
      'yes',
      text,
      `yes must be true or false, got ${JSON.stringify(text)}`,
    ]),
    ...['2023-02-29', '2024-13-01', '2024-1-1', '0999-01-01', '2024-01-01T00:00:00', '10000-01-01'].map(
      (text): [string, string, string] => ['day', text, `day must be ${ANY_DAY}, got ${JSON.stringify(text)}`],
    ),
    ['kind', 'Rye', 'kind must be one of rye, wheat, C++, got "Rye" (did you mean "rye"?)'],
    ['kind', 'C  ', 'kind must be one of rye, wheat, C++, got "C  " (did you mean "C++"?)'],
    ['size', '4', 'size must be one of 1, 2, 3, got "4"'],
    ['list', '', `list must be ${LIST}, got ""`],
    ['list', '1,,2', `list must be ${LIST}, got "1,,2" (3 values)`],
    ['list', '1,2,3,4', `list must be ${LIST}, got "1,2,3,4" (4 values)`],
    ['names', 'rye', 'names must be 2 to 4 values separated by commas, each one of rye, wheat, got "rye"'],
    ['whole', ['1', '1'], 'whole must be given once, got "2 values"'],
    ['whole', [], 'whole must be given once, got "0 values"'],
  ];
  for (const [name, text, message] of invalid) {
    it(`reject ${name}=${JSON.stringify(text).slice(0, 40)}`, () => {
      expect(errorsOf({ [name]: text })).to.deep.equal([message]);
    });
  }

  it('of a list can contain commas: escaped, or one for each time that the name is given', async () => {
    const param = 'kinds: { in: query, type: array, items: { type: string }, maxItems: 5, description: Kinds }';
    const listed = await endpointOf(
      definitionOf('SELECT l.id FROM loaves l WHERE TRUE {% if kinds %}AND l.kind IN ({{ kinds }}){% endif %}', param),
    );
    const listOf = (kinds: string | readonly string[]) => listed.readParameters({ path: {}, query: { kinds } }).kinds;
    expect(listOf('rye,C++')).to.deep.equal(['rye', 'C++']);
    expect(listOf('a\\,b,c\\\\,\\d')).to.deep.equal(['a,b', 'c\\', '\\d']);
    expect(listOf(['a,b', 'c'])).to.deep.equal(['a,b', 'c']);
    expect(listOf(['a,b'])).to.deep.equal(['a,b']);
    // A client that follows the description joins the values by commas without escaping.
    const { items } = createParameterSchema({ type: 'array', items: { type: 'string' }, maxItems: 5 }) as {
      items: { pattern: string };
    };
    const allowed = ['rye', 'a,b', 'c\\', '\\d'].filter((text) => new RegExp(items.pattern).test(text));
    expect(allowed).to.deep.equal(['rye']);
  });

  it('are all reported if several are invalid', () => {
    try {
      read({ whole: 'x', kinds: 'rye', day: '2024-05-02', last: '2024-05-01' });
      expect.fail('nothing was rejected');
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      expect(error.code).to.equal('bad_parameter');
      expect(error.details.parameters).to.deep.equal([
        {
          parameter: 'kinds',
          expected: `one of ${NAMES.join(', ')}`,
          got: '"kinds"',
          message: `"kinds" is not a parameter of this endpoint (did you mean "kind"?): expected one of ${NAMES.join(', ')}`,
        },
        {
          parameter: 'whole',
          expected: 'an integer from -5 to 100',
          got: '"x"',
          message: 'whole must be an integer from -5 to 100, got "x"',
        },
        {
          parameter: 'day',
          expected: 'at most last (2024-05-01)',
          got: '"2024-05-02"',
          message: 'day must be at most last (2024-05-01), got "2024-05-02"',
        },
      ]);
    }
  });

  it('accept the same day as start and end', () => {
    expect(errorsOf({ day: '2024-05-01', last: '2024-05-01' })).to.deep.equal([]);
  });

  it('reject names of properties that every object has', () => {
    const query: Query = JSON.parse('{"__proto__":"1","toString":"2"}');
    expect(errorsOf(query).map((message) => message.split(' ')[0])).to.deep.equal(['"__proto__"', '"toString"']);
  });

  it('of the path come from the path, or from the query if the path has no parameters', async () => {
    const { endpoints } = await loadEndpoints(BAKERY);
    const loaves = endpoints.find(({ definition }) => definition.name === 'list-loaves');
    if (loaves === undefined) throw new Error('the bakery has no list-loaves');
    expect(loaves.readParameters({ path: { oven: 'a' }, query: {} }).oven).to.equal('a');
    expect(loaves.readParameters({ path: {}, query: { oven: 'b' } }).oven).to.equal('b');
    expect(errorsOf({}, loaves)).to.deep.equal(['oven must be text of 1 to 40 characters, got nothing']);
    expect(errorsOf({ oven: 'b' }, loaves, { oven: 'a' })[0]).to.match(/^"oven" is not a parameter of this endpoint/);
    expect(errorsOf({ page: '0', page_size: '11' }, loaves, { oven: 'a' })).to.deep.equal([
      'page must be an integer from 1 to 214748364, got "0"',
      'page_size must be an integer from 1 to 10, got "11"',
    ]);
    const values = { oven: 'a', kinds: ['rye', 'spelt'], only_rye: true, page: 2 };
    const raw = rawFromValues(loaves.parameters, values);
    expect(raw).to.deep.equal({
      path: { oven: 'a' },
      query: { kinds: ['rye', 'spelt'], only_rye: 'true', page: '2' },
    });
    expect(loaves.readParameters(raw)).to.include({ oven: 'a', only_rye: true, page: 2 });
  });
});
