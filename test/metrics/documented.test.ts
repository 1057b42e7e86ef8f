import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { readProcessMetrics } from '../../server/metrics/exposition.js';
import { useSharedDemo } from '../service/demo-service.js';

const ROOT = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** The labels that Prometheus adds to each series. */
const OF_PROMETHEUS = ['job', 'instance'];
const NAME = /\b(?:repo_insight|nodejs|process)_\w+|\bup\b/g;

describe('the documents of the metrics', () => {
  const shared = useSharedDemo();
  /** The labels of each series, by its name. */
  const labels = new Map<string, readonly string[]>([['up', []]]);
  before(async () => {
    for (const { name, type, labels: own } of shared.demo.service.metrics.families) {
      if (type !== 'histogram') labels.set(name, own);
      else for (const end of ['bucket', 'sum', 'count']) labels.set(`${name}_${end}`, [...own, 'le']);
    }
    for (const { name, values } of await readProcessMetrics()) {
      labels.set(name, [...new Set(values.flatMap((value) => Object.keys(value.labels)))]);
    }
  });

  const rules = (): readonly Rule[] => {
    const { groups } = load(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
    return groups.flatMap((group) => group.rules);
  };
  const dashboard = () => JSON.parse(read('deploy/grafana/repo-insight.json')) as { panels: Panel[] };

  /** Returns the names in an expression and its texts that do not exist in any metric. */
  const findUnknown = (expression: string, text = ''): string[] => {
    const names = expression.match(NAME) ?? [];
    const known = new Set([...OF_PROMETHEUS, ...names.flatMap((name) => labels.get(name) ?? [])]);
    const inBraces = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    );
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
    const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    return [
      ...names.filter((name) => !labels.has(name)),
      ...[...inBraces, ...grouped, ...shown].filter((label) => !known.has(label)),
    ];
  };

  it('list every family with its type, its labels and its meaning', () => {
    const rows = [...read('docs/monitoring.md').matchAll(/^\| `(repo_insight_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)];
    const families = shared.demo.service.metrics.families.map(({ name, type, labels: own, help }) => [
      ...[name, type, own.map((label) => `\`${label}\``).join(', ')],
      help,
    ]);
    expect(rows.map(([, ...cells]) => cells)).to.deep.equal(families);
  });

  it('have alerts that use only existing metrics and labels, and link to existing sections', () => {
    const sections = [...read('docs/monitoring.md').matchAll(/^#+ (.*)$/gm)].map(
      ([, title = '']) => `docs/monitoring.md#${title.toLowerCase().replaceAll(' ', '-')}`,
    );
    expect(rules()).to.have.length.above(8);
    for (const { alert, expr, annotations } of rules()) {
      expect([alert, findUnknown(expr, annotations.summary)]).to.deep.equal([alert, []]);
      expect(expr.match(NAME), alert).to.have.length.at.least(1);
      expect(sections, alert).to.include(annotations.runbook);
      expect(read('docs/monitoring.md')).to.include(`\`${alert}\``);
    }
  });

  it('have a dashboard that uses only existing metrics and labels', () => {
    const { panels } = dashboard();
    expect(panels).to.have.length.above(15);
    for (const { title, targets } of panels) {
      for (const { expr, legendFormat } of targets) {
        expect([title, findUnknown(expr, legendFormat)]).to.deep.equal([title, []]);
      }
    }
  });

  it('are checked by a rule that finds unknown metrics and labels', () => {
    expect(findUnknown('sum by (colour) (repo_insight_nothing{status="1"})', '{{ size }}')).to.deep.equal([
      'repo_insight_nothing',
      'status',
      'colour',
      'size',
    ]);
  });
});
