import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CHART_NAMES } from '../../engine/charts/chart.js';

describe('the schema of charts in files', () => {
  it('knows each kind of chart', () => {
    const schema = JSON.parse(readFileSync('schemas/chart.schema.json', 'utf8'));
    expect(schema.properties.chartName.enum).to.have.members([...CHART_NAMES]);
    const kinds = schema.allOf.flatMap(({ if: { properties } }: { if: typeof schema }) => properties.chartName.enum);
    expect(kinds).to.have.members([...CHART_NAMES]);
  });
});
