import { expect } from 'chai';
import {
  createJsonWriter,
  createNativeWriter,
  createTextWriter,
  numberText,
  roundDecimal,
} from '../../engine/answers/cells/cells.js';
import type { Cell, DataType, JsonValue } from '../../engine/index.js';

const column = (data_type: DataType, scale?: number) => ({
  col: 'x',
  data_type,
  nullable: true,
  description: 'X',
  ...(scale !== undefined && { scale }),
});

/** Each row has a type, a scale, a cell, the expected text and the expected native value. */
const CELLS: readonly [DataType, number | undefined, Cell, string, JsonValue][] = [
  ['BIGINT', undefined, null, '', null],
  ['BIGINT', undefined, 0, '0', 0],
  ['BIGINT', undefined, -0, '0', 0],
  ['BIGINT', undefined, 9007199254740991, '9007199254740991', 9007199254740991],
  ['BIGINT', undefined, 9007199254740993n, '9007199254740993', '9007199254740993'],
  ['UNSIGNED BIGINT', undefined, 18446744073709551615n, '18446744073709551615', '18446744073709551615'],
  ['BIGINT', undefined, '12', '12', 12],
  ['BIGINT', undefined, '12.000', '12', 12],
  ['INT', undefined, 3e10, '30000000000', 30000000000],
  ['INT', undefined, 1e21, '1000000000000000000000', '1000000000000000000000'],
  ['TINYINT', undefined, 1, '1', 1],
  ['DECIMAL', undefined, '0.1250', '0.1250', 0.125],
  ['DECIMAL', 4, '0.12345', '0.1235', 0.1235],
  ['DECIMAL', 4, '1', '1.0000', 1],
  ['DECIMAL', 2, '-0.005', '-0.01', -0.01],
  ['DECIMAL', 2, '-0.004', '0.00', 0],
  ['DECIMAL', 2, '12345678901234567890.125', '12345678901234567890.13', '12345678901234567890.13'],
  ['DECIMAL', undefined, '1234567890123456', '1234567890123456', '1234567890123456'],
  ['DECIMAL', undefined, 0.25, '0.25', 0.25],
  ['DECIMAL', undefined, 1 / 3, '0.3333333333333333', '0.3333333333333333'],
  ['DECIMAL', 0, '2.5', '3', 3],
  ['DECIMAL', 2, 7, '7.00', 7],
  ['DECIMAL', 2, 7n, '7.00', 7],
  ['DOUBLE', undefined, 0.1, '0.1', 0.1],
  ['DOUBLE', 2, 1.005, '1.00', 1],
  ['DOUBLE', 2, 0.125, '0.13', 0.13],
  ['DOUBLE', 2, -0.125, '-0.13', -0.13],
  ['DOUBLE', 2, -0.001, '0.00', 0],
  ['DOUBLE', 4, 1e21, '1e+21', 1e21],
  ['DOUBLE', 1, '1e2', '100.0', 100],
  ['FLOAT', 1, '2.25', '2.3', 2.3],
  ['VARCHAR', undefined, 'O\'Brien "🥖"', 'O\'Brien "🥖"', 'O\'Brien "🥖"'],
  ['VARCHAR', undefined, '', '', ''],
  ['VARCHAR', undefined, 5, '5', '5'],
  ['DATETIME', undefined, '2024-05-01 06:00:00.25', '2024-05-01 06:00:00', '2024-05-01 06:00:00'],
  ['TIMESTAMP', undefined, '2024-05-01', '2024-05-01 00:00:00', '2024-05-01 00:00:00'],
  ['DATE', undefined, '2024-05-01 06:00:00', '2024-05-01', '2024-05-01'],
  ['TIME', undefined, '06:00:00', '06:00:00', '06:00:00'],
  ['JSON', undefined, '{"a": 1}', '{"a": 1}', { a: 1 }],
  ['JSON', undefined, '[true, null, 1.50, "x"]', '[true, null, 1.50, "x"]', [true, null, 1.5, 'x']],
  ['JSON', undefined, '"12345678901234567890 \\" 1"', '"12345678901234567890 \\" 1"', '12345678901234567890 " 1'],
  [
    'JSON',
    undefined,
    '[9007199254740993, -0.1234567890123456, 1e400]',
    '[9007199254740993, -0.1234567890123456, 1e400]',
    ['9007199254740993', '-0.1234567890123456', '1e400'],
  ],
  ['JSON', undefined, null, '', null],
];

describe('cells', () => {
  for (const [type, scale, cell, text, native] of CELLS) {
    it(`write ${type} ${typeof cell} ${cell}${scale === undefined ? '' : ` with scale ${scale}`} as ${text}`, () => {
      expect(createTextWriter(column(type, scale))(cell)).to.equal(text);
      expect(createNativeWriter(column(type, scale))(cell)).to.deep.equal(native);
      expect(createJsonWriter(column(type, scale))(cell)).to.equal(JSON.stringify(native));
    });
  }

  for (const [type, cell] of [
    ['INT', 1.5],
    ['INT', '1.5'],
    ['INT', 'rye'],
    ['DECIMAL', 'rye'],
    ['DOUBLE', ''],
  ] as const) {
    it(`reject ${JSON.stringify(cell)} for a column of type ${type}`, () => {
      expect(() => createTextWriter(column(type))(cell)).to.throw(
        TypeError,
        `column x is declared as ${type}, the database returned`,
      );
    });
  }

  it('read long texts in JSON', () => {
    const text = JSON.stringify(`${'x'.repeat(16e6)}"${'\\'.repeat(5e5)}`);
    expect(JSON.stringify(createNativeWriter(column('JSON'))(text)) === text).to.equal(true);
  });

  it('reject a text for a column of type JSON', () => {
    for (const create of [createNativeWriter, createJsonWriter]) {
      expect(() => create(column('JSON'))('rye')).to.throw(
        TypeError,
        'column x is declared as JSON, the database returned rye',
      );
    }
  });

  it('write numbers as the same text as String', () => {
    const numbers = [0, -0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 53, 0.1, -1 / 3, 1e21, 1e-7, 5e-324, Number.MAX_VALUE];
    expect(
      [...numbers, Number.NaN, Number.NEGATIVE_INFINITY].filter((value) => numberText(value) !== String(value)),
    ).to.deep.equal([]);
  });

  it('round decimals half away from zero, digit by digit', () => {
    const rounded = ['0', '9.995', '-9.995', '99.994999999999999999', '.5', '5.', '+1.115'].map((text) =>
      roundDecimal(text, 2),
    );
    expect(rounded).to.deep.equal(['0.00', '10.00', '-10.00', '99.99', '0.50', '5.00', '1.12']);
  });
});
