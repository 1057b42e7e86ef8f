import { expect } from 'chai';
import { cellFormat } from '../../engine/charts/cell-format.js';
import type { ColumnFormat } from '../../engine/charts/column-presentation.js';
import { columnText, headingText, quantityText } from '../../engine/charts/label-text.js';
import { numberText, roundedText, shortNumberText } from '../../engine/charts/number-text.js';
import { type ChartCell, describeColumns } from '../../engine/charts/result-column.js';
import { writeSentence } from '../../engine/charts/sentence.js';

/** Returns the texts of a column of a table. */
function texts(columnType: string, cells: readonly ChartCell[], look: object = {}): string[] {
  const field = { name: 'n', columnType, ...look };
  const rows = cells.map((n) => ({ n }));
  const { format } = cellFormat(field, rows, 'en');
  return cells.map(format);
}

describe('the sentence about a result', () => {
  const fields = [
    { name: 'day', columnType: 'DATE' },
    { name: 'stars', columnType: 'BIGINT', nullAs: 'unknown' },
  ];
  const rows = [
    { day: '2026-01-01', stars: 1234 },
    { day: '2026-01-02', stars: null },
  ];
  const write = (template: string, facts = { isFirst: true, isWhole: true }, some: typeof rows = rows) =>
    writeSentence(template, fields, some, { ...facts, locale: 'en' });

  it('has formatted cells of the first and of the last row', () => {
    expect(write('{stars} stars on {day}, and {last.stars} on {last.day}.')).to.equal(
      '1,234 stars on 2026-01-01, and unknown on 2026-01-02.',
    );
  });

  it('has words after numbers in their singular or plural form', () => {
    const some = [1, 0, null].map((stars) => ({ day: '2026-01-01', stars })) as typeof rows;
    const texts = some.map((row) => write('{stars|star|stars} and {last.stars|is|are} new.', undefined, [row]));
    expect(texts).to.deep.equal([
      '1 star and 1 is new.',
      '0 stars and 0 are new.',
      'unknown stars and unknown are new.',
    ]);
  });

  it('is absent without rows, on later pages, and if the last row is not known', () => {
    expect([
      write('{stars}', undefined, []),
      write('{stars}', { isFirst: false, isWhole: true }),
      write('{last.stars}', { isFirst: true, isWhole: false }),
      write('{stars}', { isFirst: true, isWhole: false }),
    ]).to.deep.equal([undefined, undefined, undefined, '1,234']);
  });
});

describe('how readers see a column', () => {
  it('has the label and the unit of the definition, or else the name in words', () => {
    const field = { name: 'lead_time', columnType: 'DOUBLE' };
    expect([columnText(field), headingText({ ...field, label: 'Time to merge', unit: 'hours' })]).to.deep.equal([
      'Lead time',
      'Time to merge (hours)',
    ]);
  });

  const FORMATS: readonly (readonly [ColumnFormat, string, readonly ChartCell[], readonly string[]])[] = [
    ['number', 'BIGINT', [1234567, '12345678901234567890', null], ['1,234,567', '12,345,678,901,234,567,890', '–']],
    ['id', 'BIGINT', [1234567, '12345678901234567890'], ['1234567', '12345678901234567890']],
    ['percent', 'DECIMAL', [12.5, 100, -3.456], ['12.50%', '100.00%', '-3.46%']],
    ['percent-change', 'DECIMAL', [12.5, 0, -3], ['+12.5%', '0.0%', '-3.0%']],
    ['share', 'DECIMAL', [0.1234, 1], ['12.34%', '100.00%']],
    ['change', 'BIGINT', [1200, 0, -3], ['+1,200', '0', '-3']],
    ['rank-change', 'BIGINT', [-2, 0, 11], ['▲ 2', '=', '▼ 11']],
    ['bytes', 'BIGINT', [999, 999_999, 5_400_000_000], ['999 byte', '1 MB', '5.4 GB']],
    ['yes-no', 'TINYINT', [1, 0, 2], ['Yes', 'No', '2']],
    ['date', 'DATETIME', ['2026-01-31 23:59:59', null], ['2026-01-31', '–']],
  ];
  for (const [format, type, cells, expected] of FORMATS) {
    it(`has the format ${format}`, () => {
      expect(texts(type, cells, { format })).to.deep.equal(expected);
    });
  }

  it('has the same number of digits after the point in all rows, without a format', () => {
    expect([texts('DECIMAL', [1, 2.25]), texts('DOUBLE', [1 / 3, 2])]).to.deep.equal([
      ['1.00', '2.25'],
      ['0.3333', '2.0000'],
    ]);
  });

  it('has the declared text for missing cells', () => {
    expect(texts('BIGINT', [null, 3], { nullAs: 'unknown' })).to.deep.equal(['unknown', '3']);
    expect(quantityText(null, { name: 'n', columnType: 'INT', nullAs: 'unknown', unit: 'h' }, 'en')).to.equal(
      'unknown',
    );
    expect(quantityText(3, { name: 'n', columnType: 'INT', unit: 'h' }, 'en')).to.equal('3 h');
  });

  it('leaves text that is not a number unchanged', () => {
    expect([texts('BIGINT', ['many', 3], { format: 'percent' }), numberText('many', 'en', 'bytes')]).to.deep.equal([
      ['many', '3'],
      'many',
    ]);
  });

  it('never shows a small number as 0', () => {
    expect([texts('DOUBLE', [1.5e-9, 0]), texts('DECIMAL', [0.000012], { format: 'share' })]).to.deep.equal([
      ['0.0000000015', '0.0000'],
      ['0.0012%'],
    ]);
    expect([roundedText(0.0004, 'en', 'share'), numberText(-0.00001, 'en')]).to.deep.equal(['0.04%', '-0.00001']);
  });

  it('has digits without separators for identifiers and years, also in a single number', () => {
    expect(quantityText(2024, { name: 'year', columnType: 'INT' }, 'en')).to.equal('2024');
  });

  it('has few digits on an axis', () => {
    expect([shortNumberText(12_345, 'en'), shortNumberText(12.5, 'en', 'percent')]).to.deep.equal(['12.3K', '12.5%']);
  });

  it('decides what a chart shows as an amount, before the name of the column', () => {
    const measures = (format?: ColumnFormat) =>
      ['order_id', 'amount'].map((name) => {
        const field = { name, columnType: 'BIGINT', ...(format && { format }) };
        return describeColumns([field], [{ [name]: 7 }])[0]?.isMeasure;
      });
    expect([measures(), measures('id'), measures('number')]).to.deep.equal([
      [false, true],
      [false, false],
      [true, true],
    ]);
  });
});
